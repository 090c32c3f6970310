/** Prepares a release: sets the version everywhere, and cuts the changelog at today's date. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const read = (path) => readFileSync(join(root, path), 'utf8');
const write = (path, text) => writeFileSync(join(root, path), text);

/** Writes JSON as npm does. */
const change = (path, edit) => {
  const value = JSON.parse(read(path));
  edit(value);
  write(path, `${JSON.stringify(value, null, 2)}\n`);
};

const setVersion = (version) => {
  for (const file of ['package.json', 'console/package.json', 'sdk/package.json']) {
    change(file, (manifest) => Object.assign(manifest, { version }));
  }
  const library = 'sdk/src/version.ts';
  write(library, read(library).replace(/'[\d.]+'/, `'${version}'`));
  change('package-lock.json', (lock) => {
    Object.assign(lock, { version });
    for (const path of ['', 'console']) Object.assign(lock.packages[path], { version });
  });
};

const heading = '## Unreleased\n';

const cutChangelog = (version) => {
  const today = new Date().toISOString().slice(0, 10);
  const cut = `${heading}\n## ${version} - ${today}\n`;
  write('CHANGELOG.md', read('CHANGELOG.md').replace(heading, cut));
};

const [version = ''] = process.argv.slice(2);
if (/^\d+\.\d+\.\d+$/.test(version)) {
  setVersion(version);
  cutChangelog(version);
  console.log(`Version ${version} is set. Commit it, then run: npm run release -- --dry-run`);
} else {
  console.error('Name the version: npm run release:prepare -- 1.2.3');
  process.exitCode = 2;
}
