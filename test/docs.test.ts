/** Tests that the documentation matches the program. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { larchMobile } from '../examples/soap-operator/index.ts';
import { generate, generatedPages } from '../scripts/reference-docs.ts';
import { settingsWithoutTopic, settingTopics } from '../scripts/reference-settings.ts';
import { errorTable } from '../src/lib/errors.ts';

const root = new URL('../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

for (const page of generatedPages) {
  test(`the generated parts of ${page} are those of the program`, () => {
    assert.equal(read(page), generate(read(page)), 'Run: npm run build:reference');
  });
}

test('docs/errors.md holds exactly the rows of the error table', () => {
  const expected = Object.entries(errorTable).map(
    ([code, { status, charged, retry, message }]) =>
      `| ${status} | \`${code}\` | ${charged} | ${retry} | ${message.replaceAll('<', '&lt;')} |`,
  );
  const rows = read('docs/errors.md')
    .split('\n')
    .filter((line) => /^\| \d{3} \|/.test(line));
  assert.deepEqual(rows, expected);
});

test('docs/errors.md has one section for each code, with the code as its anchor', () => {
  const sections = [...read('docs/errors.md').matchAll(/^### ([A-Z_]+) \{#([a-z_]+)\}$/gm)];
  const codes = sections.map(([, code = '', anchor = '']) => {
    assert.equal(anchor, code.toLowerCase());
    return code;
  });
  assert.deepEqual(codes.toSorted(), Object.keys(errorTable).toSorted());
});

test('docs/operate/configuration.md has a table for every topic, and every setting has a topic', () => {
  assert.deepEqual(settingsWithoutTopic(), []);
  const text = read('docs/operate/configuration.md');
  for (const topic of settingTopics)
    assert.ok(text.includes(`<!-- generated: ${topic} -->`), topic);
});

test('the guide to retries gives the same advice as the error table', () => {
  const text = read('docs/guides/retries.md');
  for (const advice of ['same_key', 'new_key']) {
    const [, cell = ''] =
      new RegExp(`^\\| \`${advice}\` \\|[^|]*\\|([^|]*)\\|$`, 'm').exec(text) ?? [];
    const told = [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, code]) => code);
    const expected = Object.entries(errorTable).filter(([, { retry }]) => retry === advice);
    assert.deepEqual(
      told,
      expected.map(([code]) => code),
    );
  }
});

type Fence = { readonly language: string; readonly file: string; readonly code: string };

const fencesIn = (page: string): readonly Fence[] =>
  [...read(page).matchAll(/^```(\w+) ?(\S*)\n([^]*?)^```$/gm)].map(
    ([, language = '', file = '', code = '']) => ({ language, file, code }),
  );

/** An excerpt may be indented less than in its file. */
const unindented = (code: string): string => code.replace(/^ +/gm, '').trim();

test('every excerpt in docs/extend/connectors.md is in the file that it names', () => {
  const excerpts = fencesIn('docs/extend/connectors.md').filter(
    ({ language }) => language === 'ts',
  );
  assert.ok(excerpts.length >= 5);
  for (const { file, code } of excerpts) {
    assert.ok(unindented(read(file)).includes(unindented(code)), `${file}:\n${code}`);
  }
});

test('every command in docs/extend/connectors.md is one, and names a file that the template has', () => {
  const commands = fencesIn('docs/extend/connectors.md').filter(
    ({ language }) => language === 'sh',
  );
  const words = commands.flatMap(({ code }) => code.match(/^simgate \S+ \S+/gm) ?? []);
  assert.ok(words.length > 2);
  const source =
    read('src/cli/commands/connector/new.ts') + read('src/cli/commands/connector/check.ts');
  for (const line of words) {
    assert.ok(source.includes(`name: '${line.replace('simgate ', '')}'`), line);
  }
  const files = commands.flatMap(({ code }) => code.match(/(?<=cedar\/)\S+\.js\b/g) ?? []);
  assert.ok(files.length > 0);
  for (const file of files) assert.doesNotThrow(() => read(`templates/connector/${file}`), file);
});

test('the configuration in docs/extend/connectors.md is valid for its connector', () => {
  const example = fencesIn('docs/extend/connectors.md').find(({ language }) => language === 'json');
  const config: unknown = JSON.parse(example?.code ?? '');
  const fitting = Type.Object({
    operators: Type.Object({
      3: Type.Object({
        name: Type.String(),
        connector: Type.Literal('./larch-mobile/index.ts'),
        settings: Type.Object(larchMobile.settings.properties, { additionalProperties: false }),
      }),
    }),
  });
  assert.ok(Value.Check(fitting, Value.Default(fitting, config)));
});

const docs = readdirSync(new URL('docs/', root), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.md'))
  .map((file) => `docs/${file}`);
const others = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'];
const readmes = [
  'sdk/README.md',
  'console/README.md',
  'examples/soap-operator/operator-document.md',
];

type Link = { readonly page: string; readonly target: string; readonly anchor: string };

const linksOf = (page: string): readonly Link[] =>
  [...read(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)].map(
    ([, target = '', anchor = '']) => ({ page, target, anchor }),
  );

const links = [...others, ...docs, ...readmes].flatMap(linksOf);

const pathOf = ({ page, target }: Link): string =>
  target === '' ? page : new URL(target, new URL(page, root)).pathname.slice(root.pathname.length);

test('every relative link in the documentation leads somewhere', () => {
  assert.ok(links.length > 100);
  for (const link of links) {
    const path = pathOf(link);
    const found = path.endsWith('/') ? () => readdirSync(new URL(path, root)) : () => read(path);
    assert.doesNotThrow(found, `${link.page} → ${link.target}`);
  }
});

test('the pictures of the console take 5 MB at most', () => {
  const folder = new URL('docs/console/', root);
  const sizes = readdirSync(folder).map((name) => statSync(new URL(name, folder)).size);
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  assert.ok(sizes.length > 50 && bytes < 5_000_000, `${sizes.length} files of ${bytes} bytes`);
});

test('every page of the site links to pages of the site only', () => {
  for (const link of links.filter(({ page }) => page.startsWith('docs/'))) {
    assert.match(pathOf(link), /^docs\//, `${link.page} → ${link.target}`);
  }
});

/** Anchors as the hosting site and the documentation site make them; both have to agree. */
const anchorsOf = (page: string): ReadonlySet<string> =>
  new Set(
    [...read(page).matchAll(/^#+ (.+?)(?: \{#([\w-]+)\})?$/gm)].flatMap(
      ([, heading = '', given]) => {
        if (given !== undefined) return [given];
        const hosted = heading
          .toLowerCase()
          .replace(/[^\p{L}\p{N}\s_\u200c-]/gu, '')
          .replaceAll(' ', '-');
        const built = heading
          .toLowerCase()
          .replace(/[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g, '-')
          .replace(/^-+|-+$/g, '')
          .replace(/^(?=\d)/, '_');
        return hosted === built ? [hosted] : [];
      },
    ),
  );

test('every link into a page leads to a heading', () => {
  const into = links.filter(({ page, anchor }) => anchor !== '' && page !== 'CHANGELOG.md');
  assert.ok(into.length > 50);
  for (const link of into) {
    assert.ok(
      anchorsOf(pathOf(link)).has(link.anchor),
      `${link.page} → ${link.target}#${link.anchor}`,
    );
  }
});

test('the command requires the same Node.js as the package', () => {
  const [, asked] = /oldestNode = '([\d.]+)'/.exec(read('bin/simgate.js')) ?? [];
  const [, declared] = /"node": ">=([\d.]+)"/.exec(read('package.json')) ?? [];
  assert.ok(asked !== undefined);
  assert.equal(asked, declared);
});
