/** Owns the keys that secrets are sealed with: those of the configuration, else one in a file of the data folder. */
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from './config.ts';
import type { Random } from './random.ts';
import {
  isSealed,
  isSealedBy,
  type Key,
  makeKey,
  type Opened,
  open,
  readKey,
  seal,
} from './sealed.ts';

export type Secrets = {
  /** Seals a text for its place; undefined where there is no key to do it with. */
  readonly seal: (text: string, about: string) => string | undefined;
  readonly open: (sealed: string, about: string) => Opened;
  /** Whether it is sealed at all; what was kept before there was a key is not. */
  readonly isSealed: (text: string) => boolean;
  /** Whether it is sealed with the key in use; what is not is sealed anew at an occasion. */
  readonly isFresh: (text: string) => boolean;
};

type Place = Pick<Config, 'dataDir' | 'databaseUrl' | 'secretsKey' | 'oldSecretsKeys'>;

const fileName = 'secrets.key';

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

const readFile = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
};

const sync = (path: string): void => {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
};

/** Makes the file whole and on the disk, or leaves the one that is there: a key is never replaced. */
const makeFile = (folder: string, random: Random): void => {
  const file = join(folder, fileName);
  const partial = `${file}.${process.pid}.partial`;
  const handle = openSync(partial, 'w', 0o600);
  try {
    writeSync(handle, `${makeKey(random)}\n`);
    fsyncSync(handle);
    linkSync(partial, file);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    closeSync(handle);
    rmSync(partial, { force: true });
  }
  sync(folder);
};

/** The key in the file; one is made where it is wanted and there is none. */
const createFileKey = (folder: string, random: Random) => {
  let known: Key | undefined;
  return (make: boolean): Key | undefined => {
    if (known !== undefined) return known;
    if (make && readFile(join(folder, fileName)) === undefined) makeFile(folder, random);
    known = readKey(readFile(join(folder, fileName)) ?? '');
    return known;
  };
};

const given = (text: string | undefined): Key[] => {
  const key = text === undefined ? undefined : readKey(text);
  return key === undefined ? [] : [key];
};

export const createSecrets = (place: Place, random: Random): Secrets => {
  const [first] = given(place.secretsKey);
  const old = place.oldSecretsKeys.flatMap(given);
  // Many servers share a PostgreSQL database, and not their folders.
  const fileKey =
    place.databaseUrl === undefined ? createFileKey(place.dataDir, random) : () => undefined;
  const current = (make: boolean): Key | undefined => first ?? fileKey(make);
  return {
    seal: (text, about) => {
      const key = current(true);
      return key === undefined ? undefined : seal(key, text, about, random);
    },
    open: (sealed, about) => {
      const others = [first, fileKey(false)].filter((key) => key !== undefined);
      return open([...others, ...old], sealed, about);
    },
    isSealed,
    isFresh: (text) => {
      const key = current(false);
      return key !== undefined && isSealedBy(key, text);
    },
  };
};
