/** Owns the files of the built console: which there are, what they are, and the page that loads them. */
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Encoding, encodings } from '../catalogue/packed.ts';

const ending = { br: '.br', gzip: '.gz' } as const satisfies Record<Encoding, string>;

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

export type ConsoleFile = {
  readonly type: string;
  /** Whether its name changes with what it holds, so that it may be kept for good. */
  readonly named: boolean;
  /** The forms in which it lies there. */
  readonly packed: readonly Encoding[];
  readonly read: (encoding: Encoding | undefined) => Promise<Buffer>;
};

export type ConsoleFiles = {
  /** By the path below the console's own. */
  readonly files: ReadonlyMap<string, ConsoleFile>;
  /** The page, for one request: its nonce, and where it is served. */
  readonly page: (nonce: string, base: string) => string;
};

/** The same place from the sources and from what is compiled of them. */
export const consoleFolder = fileURLToPath(new URL('../../console/dist/', import.meta.url));

const listed = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) =>
    file.replaceAll('\\', '/'),
  );

const fileIn = (folder: string, path: string, all: ReadonlySet<string>): ConsoleFile => ({
  type: types[extname(path)] ?? 'application/octet-stream',
  named: path.startsWith('assets/'),
  packed: encodings.filter((encoding) => all.has(path + ending[encoding])),
  read: (encoding) =>
    readFile(join(folder, encoding === undefined ? path : path + ending[encoding])),
});

/** What is there now; undefined where the console was not built. */
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
