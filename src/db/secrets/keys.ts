/** Loads the keys that seal secrets: from the configuration, else from a file in the data folder. */
import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { UsageError } from '../../lib/errors.ts';
import { syncFolder } from '../../lib/fsync.ts';
import type { Random } from '../../lib/random.ts';
import {
  isSealed,
  isSealedBy,
  type Key,
  makeKey,
  type Opened,
  open,
  readKey,
  seal,
} from './seal.ts';

export type Secrets = {
  /** Seals a text for its place; undefined where there is no key to do it with. */
  readonly seal: (text: string, about: string) => string | undefined;
  readonly open: (sealed: string, about: string) => Opened;
  /** Whether it is sealed at all; what was kept before there was a key is not. */
  readonly isSealed: (text: string) => boolean;
  /** Whether it is sealed with the key in use; if not, it is resealed later. */
  readonly isCurrent: (text: string) => boolean;
};

type Place = Pick<Config, 'dataDir' | 'databaseUrl' | 'secretsKey' | 'oldSecretsKeys'>;

const fileName = 'secrets.key';

export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

const unusable = (file: string, why: string, cause?: unknown): UsageError =>
  new UsageError(
    `The key file ${file} cannot be used: ${why} It was left as it is, and no other key was made: without the right one, what it sealed cannot be read.`,
    { cause },
  );

// Who is of its group may read it: where folders are shared with a group of their own, a system gives it that right.
const othersMayRead = 0o007;

const assertPrivate = (file: string): void => {
  // Windows has no such rights, and says that everybody has all.
  if (process.platform === 'win32' || (statSync(file).mode & othersMayRead) === 0) return;
  throw unusable(file, `everybody on this machine may read it. Run: chmod 600 ${file}`);
};

const readFile = (file: string): Key | undefined => {
  let text = '';
  try {
    text = readFileSync(file, 'utf8').trim();
    assertPrivate(file);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (hasCode(error, 'ENOENT')) return undefined;
    throw unusable(file, 'it cannot be read.', error);
  }
  const key = readKey(text);
  if (key !== undefined) return key;
  throw unusable(
    file,
    'it holds no key, which is 32 bytes in base64url. Bring it back from where you keep it apart.',
  );
};

/** Makes the file whole and on the disk, or leaves the one that is there: a key is never replaced. */
const makeFile = (folder: string, random: Random): void => {
  const file = join(folder, fileName);
  const partial = `${file}.${Buffer.from(random(8)).toString('hex')}.partial`;
  const handle = openSync(partial, 'wx', 0o600);
  try {
    writeSync(handle, `${makeKey(random)}\n`);
    fsyncSync(handle);
    // Fails where there is one by now: of two who make it at once both read the same.
    linkSync(partial, file);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    closeSync(handle);
    rmSync(partial, { force: true });
  }
  syncFolder(folder);
};

/** The key in the file; one is made where it is wanted and there is none. Throws where the file is no good. */
const createFileKey = (folder: string, random: Random) => {
  const file = join(folder, fileName);
  let known = readFile(file);
  return (make: boolean): Key | undefined => {
    known ??= readFile(file);
    if (known !== undefined || !make) return known;
    makeFile(folder, random);
    known = readFile(file);
    return known;
  };
};

const given = (text: string | undefined): Key[] => {
  const key = text === undefined ? undefined : readKey(text);
  return key === undefined ? [] : [key];
};

/** What is to be said where nothing can be sealed; a database in a file makes a key when it needs one. */
export const missingKeyWarning = ({
  databaseUrl,
  secretsKey,
}: Pick<Place, 'databaseUrl' | 'secretsKey'>): string | undefined =>
  databaseUrl === undefined || secretsKey !== undefined
    ? undefined
    : 'There is no key for secrets: those of two-factor authentication and of webhooks are kept unsealed in the database. Set SIMGATE_SECRETS_KEY, the same for all servers.';

/** Throws a `UsageError` where there is a key file that cannot be used. */
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
    isCurrent: (text) => {
      const key = current(false);
      return key !== undefined && isSealedBy(key, text);
    },
  };
};
