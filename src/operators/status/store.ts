/** Runs the SQL of the operator status last announced. */
import { runText } from '../../db/statement.ts';
import type { Tables } from '../../db/tables/tables.ts';
import type { Db } from '../../db/types.ts';

export type Health = Tables['operator_status']['health'];

const saveText = `insert into operator_status (operator_id, health, since) values (?, ?, ?)
  on conflict (operator_id) do update set health = excluded.health, since = excluded.since
  where operator_status.health <> excluded.health
  returning operator_id`;

/** Writes an operator's status; false if it equals the last announcement. */
export const saveHealth = async (
  db: Db,
  { operatorId, health, at }: { operatorId: number; health: Health; at: number },
): Promise<boolean> => (await runText(db, saveText, [operatorId, health, at])).length > 0;

/** The operators last announced as down. */
export const listAnnouncedDown = async (db: Db): Promise<number[]> =>
  (
    await db
      .selectFrom('operator_status')
      .select('operator_id')
      .where('health', '=', 'down')
      .orderBy('operator_id')
      .execute()
  ).map((row) => row.operator_id);
