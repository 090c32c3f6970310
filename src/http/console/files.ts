/** Reads the built console: its files in each encoding, and its page. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Encoding, encodings } from '../../lib/http/compression.ts';
import type { StaticPage } from '../pages/static-page.ts';

const ending = { br: '.br', gzip: '.gz' } as const satisfies Record<Encoding, string>;

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

export type ConsoleFiles = {
  /** By the path below the console's own. */
  readonly files: ReadonlyMap<string, StaticPage>;
  /** The page for one request: its nonce, and its base path. */
  readonly page: (nonce: string, base: string) => string;
};

/** The same location from the sources and from the compiled files. */
export const consoleFolder = fileURLToPath(new URL('../../../console/dist/', import.meta.url));

const listed = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) =>
    file.replaceAll('\\', '/'),
  );

export const isConsoleBuilt = (): boolean => existsSync(join(consoleFolder, 'index.html'));

// A file's name changes with its content, so browsers may cache it.
const aYear = 'public, max-age=31536000, immutable';

const fileIn = (folder: string, path: string, all: ReadonlySet<string>): StaticPage => {
  const built = encodings.filter((encoding) => all.has(path + ending[encoding]));
  return {
    type: types[extname(path)] ?? 'application/octet-stream',
    make: () => readFile(join(folder, path)),
    built: new Map(built.map((one) => [one, () => readFile(join(folder, path + ending[one]))])),
    headers: {
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': path.startsWith('assets/') ? aYear : 'no-cache',
    },
  };
};

/** The current build; undefined if the console was not built. */
export const readConsole = (folder: string): ConsoleFiles | undefined => {
  let template: string;
  try {
    template = readFileSync(join(folder, 'index.html'), 'utf8');
  } catch {
    return undefined;
  }
  const all = new Set(listed(folder));
  const served = [...all].filter((path) => Object.hasOwn(types, extname(path)));
  return {
    files: new Map(served.map((path) => [path, fileIn(folder, path, all)])),
    page: (nonce, base) =>
      template
        .replaceAll('%NONCE%', nonce)
        .replaceAll('%BASE%', base)
        .replaceAll(/(?<=(?:src|href)=")\.\//g, `${base}/`),
  };
};
