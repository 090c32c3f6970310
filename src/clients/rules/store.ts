/** Runs the SQL of clients' rules. */
import { columnsOf } from '../../db/tables/tables.ts';
import type { Db } from '../../db/types.ts';
import { type ClientRules, noRules, rowOf, rulesIn } from './rules.ts';

const ruleColumns = columnsOf('client_rules');

export const readRules = async (db: Db, clientId: string): Promise<ClientRules> => {
  const row = await db
    .selectFrom('client_rules')
    .select(ruleColumns)
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  return (row === undefined ? undefined : rulesIn(row)) ?? noRules;
};

/** Sets the named rules, and leaves the rest to concurrent changes. */
export const saveRules = async (
  db: Db,
  clientId: string,
  change: Partial<ClientRules>,
): Promise<void> => {
  await db
    .insertInto('client_rules')
    .values({
      client_id: clientId,
      pending_status: noRules.pendingStatus,
      ...rowOf(change),
    })
    .onConflict((conflict) => conflict.column('client_id').doUpdateSet(rowOf(change)))
    .execute();
};
