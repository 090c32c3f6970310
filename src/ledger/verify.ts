/** Verifies the ledger: every balance is the sum of its postings. Read-only. */
import type { Db } from '../db/types.ts';
import { type Account, emptyAccount } from './posting.ts';
import { clientsWithoutAccount, streamLedger } from './store.ts';

export type Problem = { readonly client: string; readonly seq?: number; readonly problem: string };

export type LedgerReport = {
  readonly accounts: number;
  readonly postings: number;
  readonly problems: readonly Problem[];
};

type Row = ReturnType<typeof streamLedger> extends AsyncIterableIterator<infer Item> ? Item : never;

/** The allowed movements of money, by their reason. */
const ways: ReadonlyMap<string, readonly string[]> = new Map([
  ['deposit', ['funding to available']],
  ['hold', ['available to held']],
  ['capture', ['held to sales']],
  ['release', ['held to available']],
  ['reverse', ['sales to available']],
  ['correction', ['corrections to available', 'available to corrections']],
]);

/** Sums without the code that wrote the rows, so that a bug there cannot hide here. */
const checkPosting = (before: Account, row: Row): { after: Account; problems: string[] } => {
  const amount = row.amount ?? 0;
  const change = (account: string): number =>
    (row.to_account === account ? amount : 0) - (row.from_account === account ? amount : 0);
  const after = {
    available: before.available + change('available'),
    held: before.held + change('held'),
    seq: before.seq + 1,
  };
  const problems: string[] = [];
  const way = `${row.from_account} to ${row.to_account}`;
  if (!ways.get(row.kind ?? '')?.includes(way)) problems.push(`a ${row.kind} goes from ${way}`);
  if (row.seq !== after.seq) problems.push(`posting ${after.seq} is missing`);
  if (amount <= 0) problems.push(`the amount is ${amount}`);
  for (const [name, is, should] of [
    ['available', row.available_after, after.available],
    ['held', row.held_after, after.held],
  ] as const) {
    if (is !== should) problems.push(`${name} is written as ${is} and adds up to ${should}`);
    if (should < 0) problems.push(`${name} falls to ${should}`);
  }
  return { after: { ...after, seq: row.seq ?? after.seq }, problems };
};

const checkAccount = (row: Row, sum: Account): string[] => {
  const fields = [
    ['available', row.available, sum.available],
    ['held', row.held, sum.held],
    ['seq', row.last_seq, sum.seq],
  ] as const;
  return fields
    .filter(([, is, should]) => is !== should)
    .map(([name, is, should]) => `the account's ${name} is ${is}, its postings give ${should}`);
};

// Enough to see what is wrong; a broken table must not fill the memory.
const problemsKept = 1000;

/** Walks all postings in one pass and in constant memory. Run it inside one transaction. */
export const verifyLedger = async (db: Db): Promise<LedgerReport> => {
  const problems: Problem[] = [];
  const report = (client: string, seq: number | null, texts: readonly string[]): void => {
    for (const problem of texts) {
      if (problems.length >= problemsKept) return;
      problems.push(seq === null ? { client, problem } : { client, seq, problem });
    }
  };
  let accounts = 0;
  let postings = 0;
  let current: Row | undefined;
  let sum = emptyAccount;
  const finish = (): void => {
    if (current !== undefined) report(current.client_id, null, checkAccount(current, sum));
  };
  for await (const row of streamLedger(db)) {
    if (row.client_id !== current?.client_id) {
      finish();
      sum = emptyAccount;
      accounts += 1;
    }
    current = row;
    if (row.seq === null) continue;
    postings += 1;
    const checked = checkPosting(sum, row);
    sum = checked.after;
    report(row.client_id, row.seq, checked.problems);
  }
  finish();
  for (const client of await clientsWithoutAccount(db)) report(client, null, ['no account']);
  return { accounts, postings, problems };
};
