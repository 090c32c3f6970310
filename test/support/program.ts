/** Bundles the program with its packages for the processes of a run, because loading files is half of a start. */
import { createHash } from 'node:crypto';
import { globSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cacheIn, loaderOfPackages, makeWhole } from './packages.ts';

const dayMs = 86_400_000;

/** Other sources, another location of them, or another text of this file: another folder. */
const folderFor = (root: string): string => {
  const hash = createHash('sha256')
    .update(readFileSync(import.meta.filename))
    .update(readFileSync(join(root, 'package-lock.json')))
    .update(root);
  for (const file of globSync('src/**/*.{ts,json}', { cwd: root }).sort()) {
    hash.update(file).update(readFileSync(join(root, file)));
  }
  return join(cacheIn(root), `program-${hash.digest('hex').slice(0, 16)}`);
};

/** The files that run the command in a process of its own. */
const callers = [
  'bin/simgate.js',
  'test/support/command-runner.ts',
  'test/support/server-runner.ts',
  'test/drills/mover.ts',
];

/** A module to load first, which redirects their import of the program to the bundle beside it. */
const loaderFor = (root: string, source: string, packages: string): string => {
  const addressOf = (file: string): string => pathToFileURL(file).href;
  const addresses = callers.map((file) => addressOf(join(root, file)));
  return `import ${JSON.stringify(packages)};
import { registerHooks } from 'node:module';
const callers = new Set(${JSON.stringify(addresses)});
registerHooks({
  resolve(name, context, next) {
    const { parentURL } = context;
    const isCommand = callers.has(parentURL) && URL.parse(name, parentURL)?.href === ${JSON.stringify(addressOf(source))};
    if (!isCommand) return next(name, context);
    return { url: import.meta.resolve('./command.mjs'), format: 'module', shortCircuit: true };
  },
});
`;
};

const bundle = async (root: string, source: string, dir: string): Promise<void> => {
  const { build } = await import('rolldown');
  await build({
    cwd: root,
    input: { command: source },
    platform: 'node',
    treeshake: false,
    logLevel: 'warn',
    // Node's modules, and optional dependencies of packages.
    external: [/^node:/, 'pg-native'],
    plugins: [
      {
        name: 'own-address',
        // Files beside a source file are found from there.
        transform: (code, file) =>
          code
            .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(file).href))
            .replaceAll('import.meta.filename', JSON.stringify(file)),
      },
    ],
    output: { dir, entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
  });
};

const removeOld = (root: string): void => {
  const oldest = Date.now() - dayMs;
  for (const name of globSync('program-*', { cwd: cacheIn(root) })) {
    const folder = join(cacheIn(root), name);
    if (statSync(folder).mtimeMs < oldest) rmSync(folder, { recursive: true, force: true });
  }
};

/** Builds the bundle if it is missing for these sources; returns the module that a process loads first. */
export const loaderOfProgram = async (root: string): Promise<string> => {
  const packages = await loaderOfPackages(root);
  const source = join(root, 'src', 'cli', 'command.ts');
  const folder = folderFor(root);
  await makeWhole(folder, async (unfinished) => {
    await bundle(root, source, unfinished);
    writeFileSync(join(unfinished, 'loader.mjs'), loaderFor(root, source, packages));
    removeOld(root);
  });
  const now = new Date();
  utimesSync(folder, now, now);
  return pathToFileURL(join(folder, 'loader.mjs')).href;
};
