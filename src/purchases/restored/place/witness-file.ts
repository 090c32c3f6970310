/** Keeps the witness in a file beside the database, so that an older database put back by hand is detected. */
import { rmSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { Type } from 'typebox';
import { Check } from 'typebox/value';
import { hasCode } from '../../../db/secrets/keys.ts';
import type { Db } from '../../../db/types.ts';
import { type Clock, repeat } from '../../../lib/clock.ts';
import { UsageError } from '../../../lib/errors.ts';
import type { Log } from '../../../lib/log/log.ts';
import { type CloseDeps, closeFor } from '../close.ts';
import { findRestore } from '../store.ts';
import { countContradictions, fileOfDatabase, hasAccounts } from './store.ts';
import type { Claims, Witness } from './witness.ts';

export type WitnessFileDeps = CloseDeps & {
  readonly db: Db;
  readonly clock: Clock;
  readonly witness: Witness;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
};

export const witnessFileOf = (databaseFile: string): string => `${databaseFile}.witness`;

/** For commands that replace a database, or replace the witness's testimony. */
export const removeWitness = (databaseFile: string): void =>
  rmSync(witnessFileOf(databaseFile), { force: true });

const ClaimsSchema = Type.Object({
  posted: Type.Array(
    Type.Object({
      clientId: Type.String(),
      seq: Type.Integer(),
      kind: Type.String(),
      purchaseId: Type.Union([Type.String(), Type.Null()]),
    }),
  ),
  recorded: Type.Array(Type.Object({ clientId: Type.String(), id: Type.String() })),
});

/** An unreadable witness may contradict: nothing is sold without it. */
export const refuseUnreadable =
  (file: string) =>
  (error: unknown): undefined => {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw new UsageError(
      `The file ${file} tells whether the database is complete, and cannot be read. Let the server read it, and start again.`,
    );
  };

/** What the file claims; undefined where there is none. One that a loss of power tore claims nothing. */
const readClaims = async (file: string, torn: () => void): Promise<Claims | undefined> => {
  const text = await readFile(file, 'utf8').catch(refuseUnreadable(file));
  if (text === undefined) return undefined;
  try {
    const read: unknown = JSON.parse(text);
    if (Check(ClaimsSchema, read)) return read;
  } catch {
    // As below.
  }
  torn();
  return undefined;
};

/** Whether the file beside a database claims what the database lacks. */
export const contradictsWitness = async (db: Db, databaseFile: string): Promise<boolean> => {
  const claims = await readClaims(witnessFileOf(databaseFile), () => {});
  return claims !== undefined && (await countContradictions(db, claims)) > 0;
};

const markContradicted = (deps: WitnessFileDeps): Promise<void> =>
  deps.db.transaction().execute(async (db) => {
    // A closed gate is not closed again for a consequence of the same loss.
    if ((await findRestore(db))?.opened_at === null) return;
    const cause = 'witness_contradicted';
    await closeFor(db, deps, { cause, changed: null, now: undefined, evidence: 'witness file' });
  });

/** Marks a database as restored if it lacks what the file beside it claims. */
const examineFile = async (deps: WitnessFileDeps, file: string): Promise<void> => {
  const claims = await readClaims(file, () =>
    deps.log.warn({ file }, 'the witness of the database cannot be read, and is written again'),
  );
  if (claims === undefined) return;
  if (!(await hasAccounts(deps.db))) {
    deps.log.info({ file }, 'the database is new: the witness of another one is deleted');
    await rm(file, { force: true });
    return;
  }
  const lost = await countContradictions(deps.db, claims);
  if (lost > 0) {
    deps.log.warn({ lost }, 'the database lacks what was acknowledged: an older file was put back');
    await markContradicted(deps);
    // In this order: what was recorded is not held against the database again.
    await rm(file, { force: true });
    return;
  }
  for (const one of claims.posted) deps.witness.posted(one);
  for (const one of claims.recorded) deps.witness.recorded(one);
};

const writeEveryMs = 1000;

export type WitnessFile = {
  /** Examines the database, and writes from now on. */
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** Written at most once a second, outside of purchases: it may be older than the database. */
export const openWitnessFile = (deps: WitnessFileDeps): WitnessFile => {
  let written = 0;
  let stop = async (): Promise<void> => {};
  const write = async (file: string): Promise<void> => {
    const version = deps.witness.version();
    if (version === written) return;
    const next = `${file}.next`;
    try {
      await writeFile(next, JSON.stringify(deps.witness.claims()), { mode: 0o600 });
      await rename(next, file);
      written = version;
    } catch (err) {
      deps.log.error({ err }, 'the witness of the database cannot be written');
    }
  };
  return {
    start: async () => {
      const database = await fileOfDatabase(deps.db);
      if (database === undefined) return;
      const file = witnessFileOf(database);
      await examineFile(deps, file);
      const stopWriting = repeat(deps.clock, writeEveryMs, () => write(file));
      stop = async () => {
        await stopWriting();
        await write(file);
      };
    },
    stop: () => stop(),
  };
};
