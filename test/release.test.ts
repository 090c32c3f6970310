/** Tests what the release script checks, in its own repositories and without releasing anything. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const scripts = fileURLToPath(new URL('../scripts/', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'simgate-test-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const repository = join(folder, 'repository');
const author = ['-c', 'user.name=Test', '-c', 'user.email=test@test.invalid'];

const git = (...args: string[]): string =>
  execFileSync('git', [...author, ...args], { cwd: repository, encoding: 'utf8' }).trim();

const write = (path: string, text: string): void => writeFileSync(join(repository, path), text);

const writeVersions = (version: string): void => {
  const manifest = JSON.stringify({ name: 'simgate', version, type: 'module' });
  for (const file of ['package.json', 'console/package.json', 'sdk/package.json']) {
    write(file, manifest);
  }
  write('sdk/src/version.ts', `export const version = '${version}';\n`);
  write(
    'package-lock.json',
    JSON.stringify({ version, packages: { '': { version }, console: { version } } }),
  );
};

const commit = (): string => {
  git('add', '--all');
  return git('commit', '--quiet', '--message', 'test: prepare a release');
};

const dryRun = (): { readonly status: number | null; readonly printed: string } => {
  const args = [join(repository, 'scripts/release.js'), '--dry-run'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  return { status, printed: stdout + stderr };
};

const refusedFor = (...problems: string[]): void => {
  const list = problems.map((problem) => `- ${problem}\n`).join('');
  assert.deepEqual(dryRun(), { status: 1, printed: `1.2.0 cannot be released:\n${list}` });
};

describe('a dry run of a release', () => {
  beforeEach(() => {
    rmSync(repository, { recursive: true, force: true });
    for (const name of ['console', 'sdk/src']) {
      mkdirSync(join(repository, name), { recursive: true });
    }
    cpSync(scripts, join(repository, 'scripts'), { recursive: true });
    writeVersions('1.2.0');
    write('CHANGELOG.md', '# Changelog\n\n## Unreleased\n\n## 1.2.0 - 2026-01-31\n\n- More.\n');
    git('init', '--quiet');
    commit();
  });

  test('names the steps in order and takes none', () => {
    const { status, printed } = dryRun();
    assert.equal(status, 0, printed);
    assert.deepEqual(printed.match(/^Would do: \w+/gm), [
      'Would do: Run',
      'Would do: Write',
      'Would do: Create',
    ]);
    assert.match(printed, /release\/simgate-1\.2\.0\.tgz.*\n.*tag v1\.2\.0\n$/);
    assert.equal(git('tag'), '');
    assert.ok(!existsSync(join(repository, 'release')));
  });

  test('is ready once a version was prepared and committed', () => {
    write('CHANGELOG.md', '# Changelog\n\n## Unreleased\n\n- More.\n\n## 1.2.0 - 2026-01-31\n');
    const script = join(repository, 'scripts/set-version.js');
    assert.equal(spawnSync(process.execPath, [script, '1.3']).status, 2);
    execFileSync(process.execPath, [script, '1.3.0']);
    const library = readFileSync(join(repository, 'sdk/src/version.ts'), 'utf8');
    assert.equal(library, "export const version = '1.3.0';\n");
    commit();
    const { status, printed } = dryRun();
    assert.equal(status, 0, printed);
    assert.match(printed, /tag v1\.3\.0\n$/);
  });

  test('is refused with uncommitted changes', () => {
    write('new.txt', '');
    refusedFor('There are uncommitted changes. Commit them.');
  });

  test('is refused if the tag exists', () => {
    git('tag', 'v1.2.0');
    refusedFor('The tag v1.2.0 exists. Raise the version.');
  });

  test('is refused if the versions differ', () => {
    write('sdk/package.json', JSON.stringify({ version: '1.1.0' }));
    write('package-lock.json', JSON.stringify({ version: '1.1.0', packages: { console: {} } }));
    commit();
    refusedFor(
      'sdk/package.json has version 1.1.0 instead of 1.2.0.',
      'package-lock.json has version 1.1.0 instead of 1.2.0.',
      'package-lock.json, "console" has version undefined instead of 1.2.0.',
    );
  });

  test('is refused if the changelog is not cut', () => {
    write('CHANGELOG.md', '## Unreleased\n\n- More.\n\n## 1.1.0 - 2026-01-30\n');
    commit();
    refusedFor(
      'CHANGELOG.md has unreleased entries. Run: npm run release:prepare',
      'CHANGELOG.md has no section "## 1.2.0 - YYYY-MM-DD" after "Unreleased".',
    );
  });
});
