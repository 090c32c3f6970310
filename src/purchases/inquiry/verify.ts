/** Verifies that purchases and money agree: each state has exactly its postings. Reads only. */
import type { Db } from '../../db/types.ts';
import { leftIn } from '../rows.ts';
import { listCostLines, listLeft, strayPostings, streamPurchases } from './store.ts';
import { costProblems, learntCostProblems } from './verify-costs.ts';
import {
  isByOldVersion,
  notInForce,
  type PriceEntries,
  priceProblems,
  readPriceEntries,
  readRepeated,
} from './verify-prices.ts';

export type PurchaseProblem = {
  readonly client: string;
  readonly purchase: string;
  readonly problem: string;
};

export type PurchaseReport = {
  readonly purchases: number;
  /** The count of each state. */
  readonly states: Readonly<Record<string, number>>;
  readonly problems: readonly PurchaseProblem[];
};

type Row =
  ReturnType<typeof streamPurchases> extends AsyncIterableIterator<infer Item> ? Item : never;

/** The postings that each state must have, in order. */
const postingsOf: Readonly<Record<string, string>> = {
  refused: '',
  submitted: 'hold',
  unknown: 'hold',
  review: 'hold',
  succeeded: 'hold capture',
  failed: 'hold release',
  reversed: 'hold capture reverse',
};

const answersOf: Readonly<Record<string, (status: number) => boolean>> = {
  refused: (status) => status >= 400,
  failed: (status) => status >= 400,
  succeeded: (status) => status === 200,
  reversed: (status) => status === 200,
};

const bySeq = (a: Row, b: Row): number => (a.seq ?? 0) - (b.seq ?? 0);

const check = (row: Row, found: readonly Row[], entries: PriceEntries): string[] => {
  const postings = found.toSorted(bySeq);
  const problems = priceProblems(row, entries);
  const kinds = postings.map(({ kind }) => kind).join(' ');
  if (kinds !== postingsOf[row.state]) {
    problems.push(`it is ${row.state} and has the postings "${kinds}"`);
  }
  const charged = row.charged_amount ?? row.amount;
  for (const { kind, posted } of postings) {
    if (posted !== charged) problems.push(`its ${kind} is of ${posted}, not of ${charged}`);
  }
  problems.push(...costProblems(row, postings));
  const fits = answersOf[row.state];
  if (fits === undefined) {
    if (row.answer_status !== null) problems.push(`it is ${row.state} and has an answer`);
    if ((row.due_at === null) !== (row.state === 'review')) {
      problems.push(`it is ${row.state} and ${row.due_at === null ? 'never' : 'still'} due`);
    }
    if (row.settled_at !== null) problems.push(`it is ${row.state} and settled`);
    return problems;
  }
  if (row.answer_status === null || !fits(row.answer_status)) {
    problems.push(`it is ${row.state} and answers ${row.answer_status ?? 'nothing'}`);
  }
  if (row.settled_at === null || row.due_at !== null) problems.push('it is final and not settled');
  return problems;
};

/** The suppliers that a purchase has left without a record of the attempt. */
const leftWithoutAttempt = async (db: Db) => {
  const byPurchase = Map.groupBy(await listLeft(db), ({ client_id, id }) => `${client_id} ${id}`);
  return [...byPurchase.values()].flatMap((rows) => {
    const attempted = new Set(rows.map((row) => row.attempted));
    return rows.slice(0, 1).flatMap(({ client_id, id, left_suppliers }) =>
      leftIn(left_suppliers)
        .filter((without) => !attempted.has(without))
        .map((without) => ({ client_id, id, without })),
    );
  });
};

/** Those that no clock explains: it did not show the time of their begin twice. */
const unexplained = async (db: Db, late: readonly Row[]): Promise<Row[]> => {
  const repeated = late.length === 0 ? [] : await readRepeated(db);
  return late.filter(
    ({ began_at: at }) => !repeated.some(({ from, to }) => from <= at && at <= to),
  );
};

const problemsKept = 1000;

/** Walks all purchases in one pass and in constant memory. Run it inside one transaction. */
export const verifyPurchases = async (db: Db): Promise<PurchaseReport> => {
  const problems: PurchaseProblem[] = [];
  const states: Record<string, number> = {};
  const report = (client: string, purchase: string, texts: readonly string[]): void => {
    const room = Math.max(problemsKept - problems.length, 0);
    problems.push(...texts.slice(0, room).map((problem) => ({ client, purchase, problem })));
  };
  const entries = await readPriceEntries(db);
  const late: Row[] = [];
  let purchases = 0;
  let current: Row | undefined;
  let postings: Row[] = [];
  const finish = (): void => {
    if (current === undefined) return;
    purchases += 1;
    states[current.state] = (states[current.state] ?? 0) + 1;
    report(current.client_id, current.id, check(current, postings, entries));
    if (late.length < problemsKept && isByOldVersion(current, entries)) late.push(current);
  };
  for await (const row of streamPurchases(db)) {
    if (row.id !== current?.id) {
      finish();
      current = row;
      postings = [];
    }
    if (row.kind !== null) postings.push(row);
  }
  finish();
  for (const { client_id, id, price_entry_id: entry } of await unexplained(db, late)) {
    report(client_id, id, [notInForce(entry)]);
  }
  for (const { client_id, seq, purchase_id } of await strayPostings(db)) {
    report(client_id, String(purchase_id), [`posting ${seq} names it, and it is not there`]);
  }
  for (const { client, purchase, problem } of learntCostProblems(await listCostLines(db))) {
    report(client, purchase, [problem]);
  }
  for (const { client_id, id, without } of await leftWithoutAttempt(db)) {
    report(client_id, id, [`it has left supplier ${without}, and there is no attempt`]);
  }
  return { purchases, states, problems };
};
