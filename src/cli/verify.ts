/** Owns the command that proves the books: every invariant, read-only. */
import { verifyLedger } from '../ledger/verify.ts';
import { readConfig } from '../lib/config.ts';
import { openToRead } from '../lib/db.ts';
import type { Command } from './contract.ts';

export const verifyRun: Command = {
  name: 'verify',
  summary: 'Prove that every balance is the sum of its postings; changes nothing.',
  operands: [],
  options: {},
  run: async () => {
    const database = await openToRead(readConfig().dataDir);
    try {
      const ledger = await database.db.transaction().execute(verifyLedger);
      const { accounts, postings, problems } = ledger;
      const ok = problems.length === 0;
      const counted = `${accounts} accounts, ${postings} postings`;
      const lines = problems.map(
        ({ client, seq, problem }) =>
          `client ${client}${seq === undefined ? '' : `, posting ${seq}`}: ${problem}`,
      );
      return {
        ok,
        data: { ok, accounts, postings, problems },
        text: ok ? `All is right: ${counted}.` : `Not right (${counted}):\n${lines.join('\n')}`,
      };
    } finally {
      await database.close();
    }
  },
};
