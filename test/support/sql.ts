/** Runs SQL directly on the database of a data folder, bypassing the program. */
import { CompiledQuery } from 'kysely';
import { readConfig } from '../../src/config/config.ts';
import { openForCommand } from '../../src/db/open.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { placeOf } from './process.ts';

export type Ran = {
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** How many rows it changed. */
  readonly changes: number;
};

/** Runs a statement, with `?` for its values, beside any running server. */
export const runSql = async (
  dataDir: string,
  text: string,
  ...values: readonly (string | number)[]
): Promise<Ran> => {
  const { db, close } = await openForCommand(readConfig(await placeOf(dataDir)), systemClock);
  try {
    const query = CompiledQuery.raw(text, [...values]);
    const { rows, numAffectedRows } = await db.executeQuery<Record<string, unknown>>(query);
    return { rows, changes: Number(numAffectedRows ?? 0) };
  } finally {
    await close();
  }
};
