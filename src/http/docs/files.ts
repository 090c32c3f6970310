/** Reads the documentation: the built site where there is one, else the Markdown files. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Encoding, encodings } from '../../lib/http/compression.ts';
import { pageHeaders, pagePolicy } from '../pages/policy.ts';
import type { StaticPage } from '../pages/static-page.ts';

/** The same locations from the sources and from the compiled files. */
const root = new URL('../../../', import.meta.url);
const siteFolder = fileURLToPath(new URL('site/dist/', root));
const sourcesFolder = fileURLToPath(new URL('docs/', root));

const html = 'text/html; charset=utf-8';
const markdown = 'text/markdown; charset=utf-8';

const types: Readonly<Record<string, string>> = {
  '.html': html,
  '.md': markdown,
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.tgz': 'application/gzip',
};

/** Compressing them again saves nothing. */
const isCompressed = (path: string): boolean => /\.(png|tgz)$/.test(path);

const ending = { br: '.br', gzip: '.gz' } as const satisfies Record<Encoding, string>;

export type DocsFiles = {
  /** By the path below `/docs/`; created on first use. */
  readonly files: ReadonlyMap<string, () => Promise<StaticPage>>;
  /** The not-found page; undefined if the site is not built. */
  readonly notFound: (() => Promise<StaticPage>) | undefined;
  /** The Markdown of every page, by its path below `/docs/`. */
  readonly texts: ReadonlyMap<string, string>;
};

export type DocsPlace = {
  /** The path prefix of a proxy, or nothing. */
  readonly prefix: string;
  /** Whether anyone may read them: then shared caches may store files. */
  readonly isPublic: boolean;
};

const listed = (folder: string): readonly string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .map((file) => file.replaceAll('\\', '/'))
        .sort()
    : [];

const hashOf = (script: string): string =>
  `'sha256-${createHash('sha256').update(script).digest('base64')}'`;

/** The policy of a page, with the scripts that it contains. */
export const policyOf = (page: string): string => {
  const scripts = page.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([^]*?)<\/script>/g);
  return pagePolicy({
    scripts: [...new Set([...scripts].map(([, script = '']) => hashOf(script)))],
  });
};

const isAsset = (path: string): boolean => path.startsWith('assets/');

// The name of an asset changes with its content, so browsers may cache it.
const headersOf = (path: string, { isPublic }: DocsPlace): Readonly<Record<string, string>> =>
  isAsset(path)
    ? {
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': `${isPublic ? 'public' : 'private'}, max-age=31536000, immutable`,
      }
    : { 'cross-origin-resource-policy': 'same-origin' };

/** The site is built for `/docs/`; under a proxy's path prefix its addresses begin with that. */
const moved = (text: string, prefix: string): string =>
  text.replaceAll(/(?<=["'`(])\/docs\//g, `${prefix}/docs/`);

const isCode = (path: string): boolean => /\.(js|css)$/.test(path);

const fileIn = async (
  folder: string,
  path: string,
  all: ReadonlySet<string>,
  place: DocsPlace,
): Promise<StaticPage> => {
  const type = types[extname(path)] ?? 'application/octet-stream';
  const read = (): Promise<Buffer> => readFile(join(folder, path));
  const headers = headersOf(path, place);
  if (type === html) {
    const page = moved((await read()).toString(), place.prefix);
    const policy = { 'content-security-policy': policyOf(page) };
    return { type, make: () => Buffer.from(page), headers: { ...pageHeaders, ...policy } };
  }
  if (place.prefix !== '' && isCode(path)) {
    const make = async () => Buffer.from(moved((await read()).toString(), place.prefix));
    return { type, make, headers };
  }
  const built = encodings.filter((one) => all.has(path + ending[one]));
  const files = built.map(
    (one) => [one, () => readFile(join(folder, path + ending[one]))] as const,
  );
  const isAsItIs = built.length > 0 || isCompressed(path);
  return { type, make: read, headers, ...(isAsItIs ? { built: new Map(files) } : {}) };
};

/** Pages are requested without their ending, and those of a folder by its name. */
const addressOf = (path: string): string => path.replace(/(^|\/)index\.html$|\.html$/, '');

const isSource = (path: string): boolean => path.endsWith('.md');

const isServed = (path: string): boolean => Object.hasOwn(types, extname(path));

type Folders = { readonly site: string; readonly sources: string };

const readSite = (place: DocsPlace, site: string): DocsFiles => {
  const all = new Set(listed(site));
  const open = (path: string) => () => fileIn(site, path, all, place);
  const served = [...all].filter((path) => isServed(path) && path !== '404.html');
  return {
    files: new Map(served.map((path) => [addressOf(path), open(path)])),
    notFound: open('404.html'),
    texts: new Map(served.filter(isSource).map((path) => [path, join(site, path)])),
  };
};

/** The Markdown files alone, with the changelog if the site has it. */
const readSources = (place: DocsPlace, sources: string): DocsFiles => {
  const beside = existsSync(join(sources, '../CHANGELOG.md'))
    ? ([['changelog.md', '../CHANGELOG.md']] as const)
    : [];
  const own = listed(sources).filter(isSource);
  const paths = new Map<string, string>([...own.map((path) => [path, path] as const), ...beside]);
  const none = new Set<string>();
  return {
    files: new Map(
      [...paths].map(([path, file]) => [path, () => fileIn(sources, file, none, place)]),
    ),
    notFound: undefined,
    texts: new Map([...paths].map(([path, file]) => [path, join(sources, file)])),
  };
};

/** The current content: the site if it was built, else the Markdown files. */
export const readDocs = (
  place: DocsPlace,
  { site, sources }: Folders = { site: siteFolder, sources: sourcesFolder },
): DocsFiles =>
  existsSync(join(site, 'built-from.txt')) ? readSite(place, site) : readSources(place, sources);
