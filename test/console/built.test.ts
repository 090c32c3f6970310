/** Tests that the console's build is small and split, that its types fit the API, and that its files are in order. */
import assert from 'node:assert/strict';
import { globSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { buildConsole } from '../../console/build.js';
import { consoleTypesFile, printConsoleTypes } from '../../console/generate.ts';
import { at, keysOf, listOf } from '../support/answers.ts';
import { root } from '../support/selection.ts';
import { startServer, type TestServer } from '../support/server.ts';

const folder = join(root, 'console');
const dist = join(folder, 'dist');

const sizeOf = (file: string, ending: string): number => statSync(join(dist, file + ending)).size;

describe('the built console', () => {
  let manifest: unknown;
  before(async () => {
    await buildConsole();
    manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'));
  });

  const importsOf = (key: string, seen = new Set<string>()): Set<string> => {
    if (seen.has(key)) return seen;
    seen.add(key);
    const more = at(manifest, key, 'imports');
    for (const one of more === undefined ? [] : listOf(more)) importsOf(String(one), seen);
    return seen;
  };

  const stylesOf = (key: string): string[] =>
    (at(manifest, key, 'css') === undefined ? [] : listOf(at(manifest, key, 'css'))).map(String);

  test('loads less than 250 KB, by brotli, until the sign-in page and the overview are seen', () => {
    const entries = ['index.html', 'src/sign-in/sign-in.tsx', 'src/overview/page.tsx'];
    const keys = [...new Set(entries.flatMap((key) => [...importsOf(key)]))];
    const files = keys.flatMap((key) => [String(at(manifest, key, 'file')), ...stylesOf(key)]);
    const page = statSync(join(dist, 'index.html')).size;
    for (const [ending, most] of [
      ['.br', 250 * 1024],
      ['.gz', 300_000],
    ] as const) {
      const size = [...new Set(files)].reduce((sum, file) => sum + sizeOf(file, ending), page);
      assert.ok(size > 100_000 && size < most, `${size} bytes as ${ending}`);
    }
    assert.ok(!keys.some((key) => key.includes('persian')), 'Persian is loaded by all');
  });

  test('has fonts of less than 100 KB, and nothing else that is not text', () => {
    const fonts = globSync('assets/*.woff2', { cwd: dist });
    assert.equal(fonts.length, 2);
    const size = fonts.reduce((sum, file) => sum + sizeOf(file, ''), 0);
    assert.ok(size < 100 * 1024, `${size} bytes`);
    const others = globSync('assets/*', { cwd: dist }).filter(
      (file) => !/\.(?:js|css)(?:\.br|\.gz)?$/.test(file) && !fonts.includes(file),
    );
    assert.deepEqual(others, []);
  });

  test('has a separate chunk for every page, which is loaded only when it is opened', () => {
    const text = readFileSync(join(folder, 'src/pages.tsx'), 'utf8');
    const pages = [...text.matchAll(/import\('\.\/([^']+)'\)/g)].map(
      ([, file]) => `src/${file ?? ''}`,
    );
    assert.ok(pages.length >= 3);
    const first = importsOf('index.html');
    for (const page of pages) {
      assert.equal(at(manifest, page, 'isDynamicEntry'), true, page);
      assert.ok(!first.has(page), page);
    }
    const files = keysOf(manifest).map((key) => at(manifest, key, 'file'));
    assert.ok(new Set(files).size >= pages.length + 3);
  });

  test('loads nothing from other origins, and has no inline code or style', () => {
    const page = readFileSync(join(dist, 'index.html'), 'utf8');
    assert.doesNotMatch(page, /https?:|<style|\son\w+=|<script(?![^>]*\ssrc=)/);
    for (const file of globSync('assets/*.css', { cwd: dist })) {
      assert.doesNotMatch(
        readFileSync(join(dist, file), 'utf8'),
        /@import|url\(\s*["']?(https?:)?\/\//,
      );
    }
  });

  test('is not built again if nothing changed', async () => {
    assert.equal(await buildConsole(), false);
  });
});

describe('the sources of the console', () => {
  const sources = globSync('src/**/*.{ts,tsx}', { cwd: folder }).map((file) => ({
    file,
    text: readFileSync(join(folder, file), 'utf8'),
  }));

  test('open with a line that says what they do, and import nothing of the gateway', () => {
    assert.ok(sources.length > 40);
    for (const { file, text } of sources) {
      assert.match(text, /^\/\*\* [A-Z]/, file);
      assert.doesNotMatch(text, /from '(\.\.\/)+(src|test|sdk)\//, file);
    }
  });

  test('take the parts of MUI one by one, not all of them', () => {
    for (const { file, text } of sources) {
      assert.doesNotMatch(text, /from '@mui\/material';/, file);
    }
  });

  test('have the same text files in both languages', () => {
    const filesIn = (locale: string): string[] =>
      globSync(`src/i18n/${locale}/*.ts`, { cwd: folder })
        .map((file) => basename(file))
        .sort();
    assert.deepEqual(filesIn('fa'), filesIn('en'));
  });
});

describe('the types of the console', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server.stop());

  test('are those of the current API', async () => {
    // The formatter decides about lines, brackets and last commas.
    const squeezed = (text: string): string =>
      text.replaceAll(/[\s|()]/g, '').replaceAll(',}', '}');
    const now = squeezed(await printConsoleTypes(server));
    const written = squeezed(readFileSync(consoleTypesFile, 'utf8'));
    assert.ok(written === now, 'They are stale. Run: npm run build:console-types');
  });
});
