/** Releases the version in package.json: checks, packs and tags it. With --dry-run, only checks and prints. */
import { execFileSync, execSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeSbom } from './sbom.js';

const root = join(import.meta.dirname, '..');
const folder = 'release';
const read = (path) => readFileSync(join(root, path), 'utf8');
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
const run = (command) => execSync(command, { cwd: root, stdio: 'inherit' });

const manifests = ['package.json', 'console/package.json', 'sdk/package.json'];

const versionProblems = (version) => {
  const lock = JSON.parse(read('package-lock.json'));
  const found = [
    ...manifests.map((file) => [file, JSON.parse(read(file)).version]),
    ['package-lock.json', lock.version],
    ['package-lock.json, "console"', lock.packages.console.version],
  ];
  return found
    .filter(([, one]) => one !== version)
    .map(([file, one]) => `${file} has version ${one} instead of ${version}.`);
};

/** The changelog's text between a heading and the next. */
const sectionsOf = (changelog) =>
  changelog
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [heading = '', ...lines] = section.split('\n');
      return { heading: heading.trim(), text: lines.join('\n').trim() };
    });

const changelogProblems = (version) => {
  const [unreleased, newest] = sectionsOf(read('CHANGELOG.md'));
  const problems = [];
  if (unreleased?.heading !== 'Unreleased') {
    problems.push('CHANGELOG.md does not begin with "Unreleased".');
  } else if (unreleased.text !== '') {
    problems.push('CHANGELOG.md has unreleased entries. Run: npm run release:prepare');
  }
  const [named, date, ...more] = newest?.heading.split(' - ') ?? [];
  if (named !== version || !/^\d{4}-\d\d-\d\d$/.test(date ?? '') || more.length > 0) {
    problems.push(`CHANGELOG.md has no section "## ${version} - YYYY-MM-DD" after "Unreleased".`);
  }
  return problems;
};

const gitProblems = (tag) => [
  ...(git('status', '--porcelain') === '' ? [] : ['There are uncommitted changes. Commit them.']),
  ...(git('tag', '--list', tag) === '' ? [] : [`The tag ${tag} exists. Raise the version.`]),
];

const packFiles = (name, library) => {
  mkdirSync(join(root, folder), { recursive: true });
  for (const source of ['.', './sdk']) run(`npm pack --pack-destination ${folder} ${source}`);
  const files = [join(folder, `${name}.tgz`), join(folder, `${library}.tgz`), writeSbom()];
  const sums = files.map((file) => {
    const sum = createHash('sha256')
      .update(readFileSync(join(root, file)))
      .digest('hex');
    return `${sum}  ${file.slice(folder.length + 1)}\n`;
  });
  writeFileSync(join(root, folder, `${name}.sha256`), sums.join(''));
};

const { name, version } = JSON.parse(read('package.json'));
const tag = `v${version}`;

/** The tag comes last: a failing test or package must not leave one. */
const steps = [
  ['Run all checks and tests: npm test', () => run('npm test')],
  [
    `Write ${folder}/${name}-${version}.tgz, that of the library, the SBOM and checksums`,
    () => packFiles(`${name}-${version}`, `${name}-client-${version}`),
  ],
  [`Create the tag ${tag}`, () => git('tag', '--annotate', tag, '--message', `Simgate ${version}`)],
];

const problems = [...gitProblems(tag), ...versionProblems(version), ...changelogProblems(version)];
const isDry = process.argv.includes('--dry-run');

if (problems.length > 0) {
  console.error(`${version} cannot be released:\n${problems.map((one) => `- ${one}`).join('\n')}`);
  process.exitCode = 1;
} else {
  for (const [what, take] of steps) {
    console.log(isDry ? `Would do: ${what}` : what);
    if (!isDry) take();
  }
  if (!isDry) console.log(`Done. Publish it with: git push origin ${tag}`);
}
