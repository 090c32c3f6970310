/** Builds the site into dist/, unless it was already built from the same pages. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { ensureInstalled } from '../test/support/ensure-installed.ts';
import { whileLocked } from '../test/support/file-lock.ts';
import { stagePages } from './stage.ts';

const here = import.meta.dirname;
const pages = join(here, 'pages');
const dist = join(here, 'dist');
const stamp = join(dist, 'built-from.txt');

const filesIn = (folder: string, pattern: string): readonly string[] =>
  globSync(pattern, { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();

/** What the build is made of: its pages, the sources of the site, and the versions of all that they use. */
const sourcesHash = (): string => {
  const hash = createHash('sha256');
  const own = ['*.{ts,js}', 'package-lock.json', '.vitepress/*.js', '.vitepress/theme/*'];
  const files = [...own.flatMap((pattern) => filesIn(here, pattern)), ...filesIn(pages, '**')];
  for (const file of files) hash.update(`${file.slice(here.length)}\0`).update(readFileSync(file));
  return hash.digest('hex');
};

/**
 * The gateway compresses what one page needs, and the index of the search, when they are first asked for, so
 * that the package stays small.
 */
const isCompressedLater = (file: string): boolean =>
  /\.md\.[\w-]+(\.lean)?\.js$|@localSearchIndex/.test(file);

/** Smaller copies beside each file, so that no request pays for making them. */
const compress = async (file: string): Promise<void> => {
  const bytes = readFileSync(file);
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
  const [brotli, zipped] = await Promise.all([
    promisify(brotliCompress)(bytes, quality),
    promisify(gzip)(bytes, { level: 9 }),
  ]);
  writeFileSync(`${file}.br`, brotli);
  writeFileSync(`${file}.gz`, zipped);
};

/** The pages as Markdown, beside those in HTML; the component for trying operations is none of a text. */
const copyMarkdown = (): void => {
  for (const file of filesIn(pages, '**/*.md')) {
    const target = join(dist, file.slice(pages.length));
    cpSync(file, target);
    writeFileSync(target, readFileSync(target, 'utf8').replaceAll(/^<TryIt .*\/>\n+/gm, ''));
  }
};

/** The gateway's policy forbids styles within pages, and would leave them out. */
const assertNoStyles = (): void => {
  for (const file of filesIn(dist, '**/*.html')) {
    const [found] = / style="[^"]*"/.exec(readFileSync(file, 'utf8')) ?? [];
    if (found !== undefined) throw new Error(`${file} has a style of its own:${found}`);
  }
};

/** Much is allocated and soon garbage: a larger young heap saves most collections. */
const memory = ['--min-semi-space-size=64', '--max-semi-space-size=64'];

const buildNow = async (hash: string): Promise<void> => {
  await ensureInstalled(here);
  rmSync(dist, { recursive: true, force: true });
  const vitepress = join(here, 'node_modules/vitepress/bin/vitepress.js');
  const { NODE_ENV: _ofTests, ...env } = process.env;
  const { status, stderr } = spawnSync(process.execPath, [...memory, vitepress, 'build', here], {
    env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`The site was not built:\n${stderr}`);
  assertNoStyles();
  // Nothing asks for it.
  rmSync(join(dist, 'hashmap.json'), { force: true });
  copyMarkdown();
  const assets = filesIn(join(dist, 'assets'), '**/*.{js,css}');
  await Promise.all(assets.filter((file) => !isCompressedLater(file)).map(compress));
  writeFileSync(stamp, hash);
};

/** Whether it had to be built. */
export const buildSite = (): Promise<boolean> =>
  whileLocked(join(here, '.build.lock'), async () => {
    await stagePages();
    const hash = sourcesHash();
    if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return false;
    await buildNow(hash);
    return true;
  });

if (import.meta.main) {
  const began = performance.now();
  const built = await buildSite();
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  const result = built ? `The site was built in ${seconds} s.` : 'The site is up to date.';
  process.stdout.write(`${result}\n`);
}
