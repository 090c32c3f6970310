/** Writes postings into a database of an earlier schema, which the ledger's statements no longer fit. */
import type { Db } from '../../src/db/types.ts';
import { emptyAccount, movementOf, type Posting, post } from '../../src/ledger/posting.ts';
import { openAccount, readAccount } from '../../src/ledger/store.ts';

/** Opens the account with the first posting. */
export const postInOld = async (
  db: Db,
  clientId: string,
  postings: readonly Posting[],
  at: number,
): Promise<void> => {
  const found = await readAccount(db, clientId);
  if (found === undefined) await openAccount(db, clientId);
  let account = found ?? emptyAccount;
  for (const posting of postings) {
    account = post(account, posting);
    const { from, to, amount } = movementOf(posting);
    await db
      .insertInto('postings')
      .values({
        client_id: clientId,
        seq: account.seq,
        kind: posting.kind,
        from_account: from,
        to_account: to,
        amount,
        available_after: account.available,
        held_after: account.held,
        purchase_id: 'purchaseId' in posting ? posting.purchaseId : null,
        note: null,
        at,
      })
      .execute();
  }
  await db.updateTable('accounts').set(account).where('client_id', '=', clientId).execute();
};
