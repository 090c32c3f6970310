/** Proves that the documentation tells what the program does. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ConfigSchema } from '../src/lib/config.ts';
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

test('every relative link in the documentation leads somewhere', () => {
  const pages = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'];
  const docs = readdirSync(new URL('docs/', root), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`);
  let links = 0;
  for (const page of [...pages, ...docs]) {
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
