/** Verifies the ledger: every balance is the sum of its postings, and every hold keeps its limit. Read-only. */
import type { Db } from '../db/types.ts';
import { type CreditChange, readCreditChanges } from './credit.ts';
import { type Balance, emptyAccount } from './posting.ts';
import { clientsWithoutAccount, streamLedger } from './verify-rows.ts';

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

/** The only kinds with a supplier and a cost. */
const ofDelivery: ReadonlySet<string> = new Set(['capture', 'reverse']);

/** How far a posting may take `available` down; undefined if it takes nothing from it. */
const leastOf = (row: Row, limit: number): number | undefined => {
  if (row.from_account !== 'available') return undefined;
  return row.kind === 'hold' ? 0 - limit : 0;
};

/** Sums without the code that wrote the rows, so that a bug there cannot hide here. */
const checkPosting = (
  before: Balance,
  row: Row,
  limit: number,
): { after: Balance; problems: string[] } => {
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
  if (!ofDelivery.has(row.kind ?? '') && (row.cost !== null || row.supplier_id !== null)) {
    problems.push(`a ${row.kind} has the cost ${row.cost} of supplier ${row.supplier_id}`);
  }
  if (row.kind !== 'capture' && row.supplier_balance !== null) {
    problems.push(`a ${row.kind} has a balance of supplier ${row.supplier_id}`);
  }
  if (amount <= 0) problems.push(`the amount is ${amount}`);
  for (const [name, is, should, least = should] of [
    ['available', row.available_after, after.available, leastOf(row, limit)],
    ['held', row.held_after, after.held, 0],
  ] as const) {
    if (is !== should) problems.push(`${name} is written as ${is} and adds up to ${should}`);
    if (should < least) problems.push(`${name} falls to ${should}, below ${least}`);
  }
  return { after: { ...after, seq: row.seq ?? after.seq }, problems };
};

/** A client's limits: the one of each posting, and the one in force now. */
const limitsOf = (changes: readonly CreditChange[]) => ({
  at: (seq: number): number =>
    changes.findLast(({ after_seq: after }) => after < seq)?.credit_limit ?? 0,
  now: changes.at(-1)?.credit_limit ?? 0,
  problems: changes.flatMap(({ number, after_seq: after }, index): string[] => [
    ...(number === index + 1 ? [] : [`change ${index + 1} of the credit limit is missing`]),
    ...(after < (changes[index - 1]?.after_seq ?? 0)
      ? [`change ${number} of the credit limit is out of order`]
      : []),
  ]),
});

type Limits = ReturnType<typeof limitsOf>;

const noLimits = limitsOf([]);

const checkAccount = (row: Row, sum: Balance, limits: Limits): string[] => {
  const fields = [
    ['available', row.available, sum.available],
    ['held', row.held, sum.held],
    ['seq', row.last_seq, sum.seq],
  ] as const;
  const wrong = fields
    .filter(([, is, should]) => is !== should)
    .map(([name, is, should]) => `the account's ${name} is ${is}, its postings give ${should}`);
  const isLimit = row.credit_limit === limits.now;
  const unlike = `the account's credit limit is ${row.credit_limit}, its last change set ${limits.now}`;
  return [...wrong, ...(isLimit ? [] : [unlike]), ...limits.problems];
};

// Enough to see what is wrong; a broken table must not fill the memory.
const problemsKept = 1000;

/** Walks all postings in one pass; only changes of limits are kept in memory. Run it inside one transaction. */
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
  let sum: Balance = emptyAccount;
  const changesOf = Map.groupBy(await readCreditChanges(db), ({ client_id: client }) => client);
  let limits = noLimits;
  const finish = (): void => {
    if (current !== undefined) report(current.client_id, null, checkAccount(current, sum, limits));
  };
  for await (const row of streamLedger(db)) {
    if (row.client_id !== current?.client_id) {
      finish();
      sum = emptyAccount;
      limits = limitsOf(changesOf.get(row.client_id) ?? []);
      accounts += 1;
    }
    current = row;
    if (row.seq === null) continue;
    postings += 1;
    const checked = checkPosting(sum, row, limits.at(row.seq));
    sum = checked.after;
    report(row.client_id, row.seq, checked.problems);
  }
  finish();
  for (const client of await clientsWithoutAccount(db)) report(client, null, ['no account']);
  return { accounts, postings, problems };
};
