/** Bundles packages of many small files into a few large ones, once, for the processes of a run. */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import { at, keysOf } from './answers.ts';

/** Nearly a thousand files together: finding and linking them is most of a process's start. */
const packages = ['kysely', 'typebox'];
/** CommonJS packages, each imported by its own name only; some hundred files more. */
const commonPackages = ['fastify', 'prom-client', 'undici'];

/** The import name, its file in the package, and whether that is CommonJS. */
type Entry = { readonly name: string; readonly file: string; readonly common: boolean };
type Entries = readonly Entry[];

/** The package's own manifest. */
const manifestOf = (root: string, name: string): string =>
  readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8');

const fileIn = (root: string, name: string, file: string): string =>
  join(root, 'node_modules', name, file);

/** All their import names: one that is left out would load a second copy. */
export const entriesIn = (root: string): Entries => [
  ...packages.flatMap((name) => {
    const exported = at(JSON.parse(manifestOf(root, name)), 'exports');
    return keysOf(exported).map((path) => {
      const target = at(exported, path);
      const file = String(at(target, 'import') ?? at(target, 'default') ?? target);
      return { name: posix.join(name, path), file: fileIn(root, name, file), common: false };
    });
  }),
  ...commonPackages.map((name) => {
    const main = String(at(JSON.parse(manifestOf(root, name)), 'main'));
    return { name, file: fileIn(root, name, main), common: true };
  }),
];

/** The target of an import name. */
export const fileFor = ({ name }: Entry): string => `${name.replaceAll('/', '.')}.mjs`;

/** The location of a bundled file: under its own name, or behind a file that names its exports. */
const madeFor = (entry: Entry): string =>
  entry.common ? fileFor(entry).replace(/mjs$/, 'common.mjs') : fileFor(entry);

/** A module to load first, which redirects every import of them to the files beside it. */
const loaderOf = (entries: Entries): string => {
  const files = entries.map((entry) => [entry.name, `./${fileFor(entry)}`]);
  return `import { registerHooks } from 'node:module';
const files = new Map(${JSON.stringify(files)});
registerHooks({
  resolve(name, context, next) {
    const file = context.conditions.includes('import') ? files.get(name) : undefined;
    if (file === undefined) return next(name, context);
    return { url: new URL(file, import.meta.url).href, format: 'module', shortCircuit: true };
  },
});
`;
};

/** The names of everything that CommonJS exports. */
const whole: ReadonlySet<string> = new Set(['default', 'module.exports']);

const makeFiles = async (root: string, folder: string, entries: Entries): Promise<void> => {
  const { build } = await import('rolldown');
  await build({
    cwd: root,
    input: Object.fromEntries(entries.map((entry) => [madeFor(entry), entry.file])),
    platform: 'node',
    treeshake: false,
    logLevel: 'warn',
    output: { dir: folder, entryFileNames: '[name]', chunkFileNames: '[name]-[hash].mjs' },
  });
  for (const entry of entries.filter(({ common }) => common)) {
    const names = keysOf(await import(pathToFileURL(entry.file).href));
    const lines = [
      `import all from './${madeFor(entry)}';`,
      "export { all as default, all as 'module.exports' };",
      `export const { ${names.filter((name) => !whole.has(name)).join(', ')} } = all;`,
    ];
    writeFileSync(join(folder, fileFor(entry)), lines.join('\n'));
  }
};

/** Other packages, or another text of this file: other files. */
const folderIn = (cache: string, root: string): string => {
  const hash = createHash('sha256').update(readFileSync(import.meta.filename));
  hash.update(readFileSync(join(root, 'package-lock.json')));
  return join(cache, `packages-${hash.digest('hex').slice(0, 16)}`);
};

/** Creates a folder under its name, atomically. */
export const makeWhole = async (
  folder: string,
  fill: (unfinished: string) => Promise<void>,
): Promise<void> => {
  if (existsSync(folder)) return;
  mkdirSync(dirname(folder), { recursive: true });
  const unfinished = mkdtempSync(`${folder}-`);
  await fill(unfinished);
  // Anyone who may read the checkout may run its tests.
  chmodSync(unfinished, 0o755);
  try {
    renameSync(unfinished, folder);
  } catch (error) {
    rmSync(unfinished, { recursive: true });
    // Another run was faster, or something is wrong.
    if (!existsSync(folder)) throw error;
  }
};

export const cacheIn = (root: string): string => join(root, 'node_modules', '.cache');

/** Builds the files if necessary; returns the module that a process loads first. */
export const loaderOfPackages = async (root: string): Promise<string> => {
  const folder = folderIn(cacheIn(root), root);
  await makeWhole(folder, async (unfinished) => {
    const entries = entriesIn(root);
    await makeFiles(root, unfinished, entries);
    writeFileSync(join(unfinished, 'loader.mjs'), loaderOf(entries));
  });
  return pathToFileURL(join(folder, 'loader.mjs')).href;
};
