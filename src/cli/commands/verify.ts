/** Defines the command that verifies the ledger and the purchases. Read-only. */
import { readConfig } from '../../config/config.ts';
import { inSnapshot } from '../../db/engine.ts';
import { openForReading } from '../../db/open.ts';
import type { Db } from '../../db/types.ts';
import { type Problem, verifyLedger } from '../../ledger/verify.ts';
import { type PurchaseProblem, verifyPurchases } from '../../purchases/inquiry/verify.ts';
import type { Command } from '../definition.ts';

const problemLine = (found: Problem | PurchaseProblem): string => {
  const what = 'purchase' in found ? `, purchase ${found.purchase}` : '';
  const where = 'seq' in found ? `, posting ${found.seq}` : '';
  return `client ${found.client}${what}${where}: ${found.problem}`;
};

/** Verifies a whole database in one snapshot, and reports it in words too. */
export const verifyBooks = async (db: Db) => {
  const { ledger, sold } = await inSnapshot(db, async (db) => ({
    ledger: await verifyLedger(db),
    sold: await verifyPurchases(db),
  }));
  const { accounts, postings } = ledger;
  const { purchases, states } = sold;
  const problems = [...ledger.problems, ...sold.problems];
  const ok = problems.length === 0;
  const counted = `${accounts} accounts, ${postings} postings, ${purchases} purchases`;
  return {
    ok,
    data: { ok, accounts, postings, purchases, states, problems },
    text: ok
      ? `Verified: ${counted}. No problems found.`
      : `Problems found (${counted}):\n${problems.map(problemLine).join('\n')}`,
  };
};

export const verifyRun: Command = {
  name: 'verify',
  summary:
    'Verify that every balance is the sum of its postings and every purchase has its own. Changes nothing.',
  run: async () => {
    const database = await openForReading(readConfig());
    try {
      return await verifyBooks(database.db);
    } finally {
      await database.close();
    }
  },
};
