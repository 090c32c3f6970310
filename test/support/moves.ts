/** Moves databases in tests: in this process, with small batches and interruptions, or by the command. */
import { copyFileSync, rmSync } from 'node:fs';

import { type Config, readConfig } from '../../src/config/config.ts';
import { openSource, openTarget } from '../../src/db/move/ends.ts';
import { type MoveDeps, type Moved, moveDatabase } from '../../src/db/move/move.ts';
import { databaseFile, openAsServer } from '../../src/db/sqlite/open.ts';
import type { Db } from '../../src/db/types.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { systemRandom, uuidV7 } from '../../src/lib/random.ts';
import { cleanUpAfterTest } from './cleanup.ts';
import { freshPostgres, openBesideTest } from './database.ts';
import { fullRows, insertAll } from './full-database.ts';
import { emptyFolder, type Finished, simgate } from './process.ts';

/** Selects a database in a file, also in a test run on PostgreSQL. */
export const inFile = { DATABASE_URL: '' } as const;

export const because = ['--reason', 'more than one core is needed', '--by', 'the night shift'];

/** A folder that is removed with the test. */
export const ownFolder = (): string => {
  const made = emptyFolder();
  cleanUpAfterTest(() => rmSync(made, { recursive: true, force: true }));
  return made;
};

let filled: Promise<string> | undefined;

/** Filled once: the others begin as copies of it. */
const fillOnce = async (): Promise<string> => {
  const data = emptyFolder();
  process.once('exit', () => rmSync(data, { recursive: true, force: true }));
  await changeFile(data, (db) => insertAll(db, fullRows));
  return databaseFile(data);
};

/** A data folder with a full database. */
export const fullFile = async (): Promise<string> => {
  const data = ownFolder();
  filled ??= fillOnce();
  copyFileSync(await filled, databaseFile(data));
  return data;
};

export const changeFile = async <T>(data: string, work: (db: Db) => Promise<T>): Promise<T> => {
  const { db, close } = await openAsServer(data, systemClock, { moving: true });
  try {
    return await work(db);
  } finally {
    await close();
  }
};

/** The address of an empty PostgreSQL database. */
export const emptyPostgres = async (): Promise<string> => {
  const { url, remove } = await freshPostgres();
  cleanUpAfterTest(remove);
  return url;
};

/** The address of a full one. */
export const fullPostgres = async (): Promise<string> => {
  const url = await emptyPostgres();
  const { db, close } = openBesideTest(url);
  await insertAll(db, fullRows);
  await close();
  return url;
};

export const configOf = (place: { data: string } | { url: string }): Config =>
  'data' in place
    ? readConfig({ DATA_DIR: place.data })
    : readConfig({ DATA_DIR: '/nowhere', DATABASE_URL: place.url });

export class Interrupted extends Error {}

type Moving = Partial<MoveDeps> & {
  /** Interrupts it after the batch with which this many rows are copied. */
  readonly until?: number;
};

export type MovedInProcess = { readonly moved: Moved; readonly how: string | undefined };

/** Moves in this process, three rows at a time. */
export const moveRows = async (
  from: Config,
  to: Config,
  { until = Number.POSITIVE_INFINITY, ...more }: Moving = {},
): Promise<MovedInProcess> => {
  let how: string | undefined;
  const deps: MoveDeps = {
    now: systemClock.now,
    batchRows: 3,
    moveId: uuidV7(systemClock, systemRandom)(),
    verify: async () => undefined,
    leave: async () => {},
    arrive: async () => {},
    prepared: (found) => {
      how = found;
    },
    progress: (step, done) => {
      if (step === 'copying' && done >= until) throw new Interrupted();
    },
    ...more,
  };
  const source = await openSource(from);
  try {
    const target = await openTarget(to, systemClock);
    try {
      return { moved: await moveDatabase(deps, { source, target }), how };
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
};

/** Runs `simgate move`. */
export const moveByCommand = (
  data: string,
  to: string,
  env: Readonly<Record<string, string>> = inFile,
): Promise<Finished> => simgate(data, ['move', '--to', to, '--json', ...because], env);
