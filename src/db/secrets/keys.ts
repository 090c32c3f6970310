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
  /** Seals a text for its context; undefined without a key. */
  readonly seal: (text: string, about: string) => string | undefined;
  readonly open: (sealed: string, about: string) => Opened;
  /** Whether it is sealed at all; values from before there was a key are not. */
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

// Its group may read it: systems set that right on folders shared with a group.
const othersMayRead = 0o007;

const assertPrivate = (file: string): void => {
  // Windows has no such rights, and reports full access for all.
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

/** Writes the file completely and durably, or leaves the existing one: a key is never replaced. */
const makeFile = (folder: string, random: Random): void => {
  const file = join(folder, fileName);
  const partial = `${file}.${Buffer.from(random(8)).toString('hex')}.partial`;
  const handle = openSync(partial, 'wx', 0o600);
  try {
    writeSync(handle, `${makeKey(random)}\n`);
    fsyncSync(handle);
    // Fails if there is one by now: of two concurrent writers both read the same.
    linkSync(partial, file);
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
  } finally {
    closeSync(handle);
    rmSync(partial, { force: true });
  }
  syncFolder(folder);
};

/** The key in the file, created on demand if there is none. Throws if the file is unusable. */
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

/** The message if nothing can be sealed; a database in a file creates a key when it needs one. */
export const missingKeyWarning = ({
  databaseUrl,
  secretsKey,
}: Pick<Place, 'databaseUrl' | 'secretsKey'>): string | undefined =>
  databaseUrl === undefined || secretsKey !== undefined
    ? undefined
    : 'There is no key for secrets: those of two-factor authentication and of webhooks are kept unsealed in the database. Set SIMGATE_SECRETS_KEY, the same for all servers.';

/** Throws a `UsageError` if there is an unusable key file. */
export const createSecrets = (place: Place, random: Random): Secrets => {
  const [first] = given(place.secretsKey);
  const old = place.oldSecretsKeys.flatMap(given);
  // Servers share a PostgreSQL database, but not their folders.
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
