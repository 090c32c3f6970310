/** Tests that the documentation matches the program. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { larchMobile } from '../examples/soap-operator/index.ts';
import { ConfigSchema } from '../src/config/config.ts';
import { errorTable } from '../src/lib/errors.ts';

const root = new URL('../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

test('docs/errors.md holds exactly the rows of the error table', () => {
  const expected = Object.entries(errorTable).map(
    ([code, { status, charged, retry, message }]) =>
      `| ${status} | \`${code}\` | ${charged} | ${retry} | ${message} |`,
  );
  const rows = read('docs/errors.md')
    .split('\n')
    .filter((line) => /^\| \d{3} \|/.test(line));
  assert.deepEqual(rows, expected);
});

test('docs/configuration.md names every setting', () => {
  const text = read('docs/configuration.md');
  for (const [name, schema] of Object.entries(ConfigSchema.properties)) {
    const parts: object = 'properties' in schema ? schema.properties : {};
    const inside = name === 'operators' ? [] : Object.keys(parts);
    const settings = inside.length === 0 ? [name] : inside.map((part) => `${name}.${part}`);
    for (const setting of settings) assert.ok(text.includes(`\`${setting}\``), setting);
  }
});

type Fence = { readonly language: string; readonly file: string; readonly code: string };

const fencesIn = (page: string): readonly Fence[] =>
  [...read(page).matchAll(/^```(\w+) ?(\S*)\n([^]*?)^```$/gm)].map(
    ([, language = '', file = '', code = '']) => ({ language, file, code }),
  );

/** An excerpt may stand further to the left than in its file. */
const unindented = (code: string): string => code.replace(/^ +/gm, '').trim();

test('every excerpt in docs/connectors.md stands in the file that it names', () => {
  const excerpts = fencesIn('docs/connectors.md').filter(({ language }) => language === 'ts');
  assert.ok(excerpts.length >= 5);
  for (const { file, code } of excerpts) {
    assert.ok(unindented(read(file)).includes(unindented(code)), `${file}:\n${code}`);
  }
});

test('every command in docs/connectors.md names a file that is there', () => {
  const commands = fencesIn('docs/connectors.md').filter(({ language }) => language === 'sh');
  const files = commands.flatMap(({ code }) => code.match(/\S+\.ts\b/g) ?? []);
  assert.ok(files.length > 0);
  for (const file of files) assert.doesNotThrow(() => read(file), file);
});

test('the configuration in docs/connectors.md fits the connector that it names', () => {
  const example = fencesIn('docs/connectors.md').find(({ language }) => language === 'json');
  const config: unknown = JSON.parse(example?.code ?? '');
  const fitting = Type.Object({
    operators: Type.Object({
      3: Type.Object({
        name: Type.String(),
        connector: Type.Literal(larchMobile.name),
        settings: Type.Object(larchMobile.settings.properties, { additionalProperties: false }),
      }),
    }),
  });
  assert.ok(Value.Check(fitting, Value.Default(fitting, config)));
});

test('every relative link in the documentation leads somewhere', () => {
  const pages = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'];
  const docs = readdirSync(new URL('docs/', root), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`);
  const examples = ['examples/soap-operator/operator-document.md'];
  let links = 0;
  for (const page of [...pages, ...docs, ...examples]) {
    for (const [, target = ''] of read(page).matchAll(/\]\((?!https?:)([^)#]+)/g)) {
      const found = new URL(target, new URL(page, root));
      assert.doesNotThrow(() => readdirSyncOrFile(found), `${page} → ${target}`);
      links += 1;
    }
  }
  assert.ok(links > 5);
});

const readdirSyncOrFile = (url: URL): unknown =>
  url.pathname.endsWith('/') ? readdirSync(url) : readFileSync(url);

test('the command asks for the Node.js that the package does', () => {
  const [, asked] = /oldestNode = '([\d.]+)'/.exec(read('bin/simgate.js')) ?? [];
  const [, declared] = /"node": ">=([\d.]+)"/.exec(read('package.json')) ?? [];
  assert.ok(asked !== undefined);
  assert.equal(asked, declared);
});
