// Builds the console into dist/, unless it was already built from the same sources.
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const here = import.meta.dirname;
const dist = join(here, 'dist');
const stamp = join(dist, 'built-from.txt');

/** The inputs of the build: the sources, and the versions of their dependencies. */
const sourcesHash = () => {
  const hash = createHash('sha256');
  const files = globSync('{src,public}/**', { cwd: here })
    .concat('index.html', 'vite.config.js', 'build.js', 'package.json', '../package-lock.json')
    .filter((file) => statSync(join(here, file)).isFile())
    .sort();
  for (const file of files) hash.update(`${file}\0`).update(readFileSync(join(here, file)));
  return hash.digest('hex');
};

const isText = (file) => /\.(js|css|html|svg|json)$/.test(file);

/** Precompressed copies beside each file, so that no request pays for it. */
const compress = async (file) => {
  const bytes = readFileSync(file);
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
  const [brotli, zipped] = await Promise.all([
    promisify(brotliCompress)(bytes, quality),
    promisify(gzip)(bytes, { level: 9 }),
  ]);
  writeFileSync(`${file}.br`, brotli);
  writeFileSync(`${file}.gz`, zipped);
};

export const buildConsole = async () => {
  const hash = sourcesHash();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return false;
  const { build } = await import('vite');
  await build({ configFile: join(here, 'vite.config.js'), mode: 'production' });
  const files = globSync('**', { cwd: join(dist, 'assets') }).filter(isText);
  await Promise.all(files.map((file) => compress(join(dist, 'assets', file))));
  writeFileSync(stamp, hash);
  return true;
};

if (import.meta.main) {
  const began = performance.now();
  const built = await buildConsole();
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(built ? `The console was built in ${seconds} s.` : 'The console is up to date.');
}
