/** Builds the library into dist/, as ES modules and as CommonJS, and packs it; unless that was done from the same files. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { whileLocked } from '../test/support/file-lock.ts';

const here = import.meta.dirname;
const dist = join(here, 'dist');
const stamp = join(dist, 'built-from.txt');
const tsc = join(here, '../node_modules/typescript/bin/tsc');

/** The packed library. */
export const libraryTarball = join(dist, 'simgate-client.tgz');

const sourcesHash = (): string => {
  const hash = createHash('sha256');
  const files = globSync(['*.{ts,json,md}', 'LICENSE', 'src/*.ts'], { cwd: here }).sort();
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(join(here, file)));
  return hash.digest('hex');
};

/** The compiler leaves the endings of sources in declarations, which only newer compilers resolve. */
const nameDeclarations = (folder: string): void => {
  for (const name of globSync('*.d.ts', { cwd: folder })) {
    const file = join(folder, name);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replaceAll(/(?<=from '|import\(")(\.\/[\w-]+)\.ts(?=['"])/g, '$1.js'));
  }
};

/** This also checks that the sources need nothing newer than the target, which `npm run check` does not. */
const compile = (project: string, folder: string): void => {
  const args = [tsc, '-p', join(here, project), '--outDir', folder];
  execFileSync(process.execPath, args, { stdio: 'inherit' });
  nameDeclarations(folder);
};

const pack = (): void => {
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', dist];
  const packed = execFileSync('npm', args, { cwd: here, encoding: 'utf8' }).trim();
  renameSync(join(dist, packed), libraryTarball);
};

const buildNow = (hash: string): void => {
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(join(dist, 'cjs'), { recursive: true });
  writeFileSync(join(dist, 'cjs/package.json'), '{ "type": "commonjs" }\n');
  compile('tsconfig.build.json', join(dist, 'esm'));
  compile('tsconfig.cjs.json', join(dist, 'cjs'));
  pack();
  writeFileSync(stamp, hash);
};

/** Builds and packs the library if needed; one process at a time. Returns the tarball's path. */
export const buildLibrary = (): Promise<string> =>
  whileLocked(join(here, '.build.lock'), () => {
    const hash = sourcesHash();
    if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== hash) buildNow(hash);
    return libraryTarball;
  });

if (import.meta.main) process.stdout.write(`${await buildLibrary()}\n`);
