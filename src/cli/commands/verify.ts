/** Defines the command that verifies the ledger, the purchases and the sums of sales. Read-only. */
import { readConfig } from '../../config/config.ts';
import { inSnapshot } from '../../db/engine.ts';
import { openForReading } from '../../db/open.ts';
import type { Db } from '../../db/types.ts';
import { type InvoiceProblem, verifyInvoices } from '../../invoices/verify.ts';
import { type Problem, verifyLedger } from '../../ledger/verify.ts';
import { type FloatProblem, verifyFloats } from '../../purchases/floats/verify.ts';
import { type PurchaseProblem, verifyPurchases } from '../../purchases/inquiry/verify.ts';
import { type SalesProblem, verifySales } from '../../purchases/sales/verify/verify.ts';
import type { Command } from '../definition.ts';

const problemLine = (
  found: Problem | PurchaseProblem | SalesProblem | FloatProblem | InvoiceProblem,
): string => {
  if (found.client === undefined) return found.problem;
  const what = 'purchase' in found ? `, purchase ${found.purchase}` : '';
  const where = 'seq' in found ? `, posting ${found.seq}` : '';
  return `client ${found.client}${what}${where}: ${found.problem}`;
};

/** Verifies a whole database in one snapshot, and reports it in words too. */
export const verifyBooks = async (db: Db) => {
  const { ledger, sold, counted, floats, billed } = await inSnapshot(db, async (db) => ({
    ledger: await verifyLedger(db),
    sold: await verifyPurchases(db),
    counted: await verifySales(db),
    floats: await verifyFloats(db),
    billed: await verifyInvoices(db),
  }));
  const { accounts, postings } = ledger;
  const { purchases, states } = sold;
  const { sales } = counted;
  const { invoices } = billed;
  const problems = [
    ...ledger.problems,
    ...sold.problems,
    ...counted.problems,
    ...floats,
    ...billed.problems,
  ];
  const ok = problems.length === 0;
  const seen = `${accounts} accounts, ${postings} postings, ${purchases} purchases`;
  return {
    ok,
    data: { ok, accounts, postings, purchases, states, sales, invoices, problems },
    text: ok
      ? `Verified: ${seen}. No problems found.`
      : `Problems found (${seen}):\n${problems.map(problemLine).join('\n')}`,
  };
};

export const verifyRun: Command = {
  name: 'verify',
  summary:
    'Verify that every balance is the sum of its postings, every purchase has its own, no hold passed its credit limit, and sales, costs and invoices add up. Changes nothing.',
  run: async () => {
    const database = await openForReading(readConfig());
    try {
      return await verifyBooks(database.db);
    } finally {
      await database.close();
    }
  },
};
