/** Owns how the processes of a run load packages of many small files: from a few large ones, made once. */
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { at, keysOf } from './answers.ts';

/** Nearly a thousand files together: to find and link them is most of what the start of a process costs. */
const packages = ['kysely', 'typebox'];

type Names = readonly string[];

/** What the package says of itself. */
const manifestOf = (root: string, name: string): string =>
  readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8');

/** All by which they can be imported: what is left out would be loaded a second time, beside itself. */
const namesIn = (root: string): Names =>
  packages.flatMap((name) => {
    const manifest: unknown = JSON.parse(manifestOf(root, name));
    return keysOf(at(manifest, 'exports')).map((path) => name + path.slice('.'.length));
  });

const fileOf = (name: string): string => `${name.replaceAll('/', '.')}.mjs`;

/** A module that, loaded first, sends every import of them to their files. */
const loaderOf = (folder: string, names: Names): string => {
  const urls = names.map((name) => [name, pathToFileURL(join(folder, fileOf(name))).href]);
  return `import { registerHooks } from 'node:module';
const urls = new Map(${JSON.stringify(urls)});
registerHooks({
  resolve(name, context, next) {
    const url = urls.get(name);
    return url === undefined ? next(name, context) : { url, format: 'module', shortCircuit: true };
  },
});
`;
};

const makeFiles = async (root: string, folder: string, names: Names): Promise<void> => {
  const { build } = await import('rolldown');
  await build({
    cwd: root,
    input: Object.fromEntries(names.map((name) => [fileOf(name), name])),
    platform: 'node',
    treeshake: false,
    logLevel: 'warn',
    output: { dir: folder, entryFileNames: '[name]', chunkFileNames: '[name]-[hash].mjs' },
  });
};

/** Other packages, or another text of this file: other files. */
const folderIn = (cache: string, root: string): string => {
  const hash = createHash('sha256').update(readFileSync(import.meta.filename));
  for (const name of packages) hash.update(manifestOf(root, name));
  return join(cache, `packages-${hash.digest('hex').slice(0, 16)}`);
};

/** Makes the files where there are none yet; gives the address of the module that a process loads first. */
export const loaderOfPackages = async (root: string): Promise<string> => {
  const cache = join(root, 'node_modules', '.cache');
  const folder = folderIn(cache, root);
  if (!existsSync(folder)) {
    mkdirSync(cache, { recursive: true });
    const unfinished = mkdtempSync(`${folder}-`);
    const names = namesIn(root);
    await makeFiles(root, unfinished, names);
    writeFileSync(join(unfinished, 'loader.mjs'), loaderOf(folder, names));
    try {
      renameSync(unfinished, folder);
    } catch (error) {
      rmSync(unfinished, { recursive: true });
      // Another run was faster, or something is wrong.
      if (!existsSync(folder)) throw error;
    }
  }
  return pathToFileURL(join(folder, 'loader.mjs')).href;
};
