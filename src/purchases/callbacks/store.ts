/** Holds the SQL of callbacks: stored as evidence, each message once, and deleted when they are old. */
import { columnsOf, type Tables } from '../../db/tables/tables.ts';
import type { Db } from '../../db/types.ts';

export type CallbackRow = Tables['operator_callbacks'];

/** A callback's possible statements about an order. */
export const callbackWords = [
  'delivered',
  'reversed',
  'refused',
  'pending',
  'not_found',
  'unknown',
  'nothing',
] as const satisfies readonly CallbackRow['says'][];

const columns = columnsOf('operator_callbacks');

/** Stores a message. A repeated one is counted. */
export const insertCallbacks = async (db: Db, rows: readonly CallbackRow[]): Promise<void> => {
  await db
    .insertInto('operator_callbacks')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['operator_id', 'ref', 'says', 'digest']).doUpdateSet((eb) => ({
        times: eb('operator_callbacks.times', '+', 1),
        last_at: eb.ref('excluded.last_at'),
      })),
    )
    .execute();
};

/** An operator's callbacks about one order, from the first on. */
export const readCallbacks = async (
  db: Db,
  { suppliers, ref }: { readonly suppliers: readonly number[]; readonly ref: string },
  limit: number,
): Promise<CallbackRow[]> =>
  db
    .selectFrom('operator_callbacks')
    .select(columns)
    .where('operator_id', 'in', suppliers)
    .where('ref', '=', ref)
    .orderBy('first_at')
    .orderBy('says')
    .orderBy('digest')
    .limit(limit)
    .execute();

/** Deletes an operator's oldest, beyond this many. */
export const dropOldCallbacks = async (db: Db, operatorId: number, most: number): Promise<void> => {
  const oldest = db
    .selectFrom('operator_callbacks')
    .select('first_at')
    .where('operator_id', '=', operatorId)
    .orderBy('first_at', 'desc')
    .offset(most - 1)
    .limit(1);
  await db
    .deleteFrom('operator_callbacks')
    .where('operator_id', '=', operatorId)
    .where('first_at', '<', oldest)
    .execute();
};

/** Deletes what came before a time, also of operators that are no longer configured. */
export const deleteCallbacksBefore = async (db: Db, before: number): Promise<void> => {
  const operators = db.selectFrom('operator_callbacks').select('operator_id').distinct();
  await db
    .deleteFrom('operator_callbacks')
    .where('operator_id', 'in', operators)
    .where('first_at', '<', before)
    .execute();
};
