/** Owns the judgement of a crash test: every key against the operators' own book and the gateway's database. */
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { at } from '../support/answers.ts';
import { parsed } from '../support/live.ts';
import type { Wanted } from './shop.ts';

export type Verdict = {
  deliveries: number;
  readonly doubles: string[];
  readonly lost: string[];
  readonly contradictions: string[];
  /** Neither final nor in review. */
  readonly open: string[];
  /** Left to a person, with the reason. */
  readonly review: string[];
};

/** How often each number was served, by the book; copies that the network made are nobody's order. */
const readBook = (file: string): Map<string, { times: number; amount: number }> => {
  const served = new Map<string, { times: number; amount: number }>();
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line === '') continue;
    const read = parsed(line);
    // A line without a kind is a delivery.
    if ((at(read, 'kind') ?? 'delivered') !== 'delivered' || at(read, 'copy') === true) continue;
    const mobile = String(at(read, 'mobile'));
    const before = served.get(mobile) ?? { times: 0, amount: 0 };
    served.set(mobile, { times: before.times + 1, amount: Number(at(read, 'amount')) });
  }
  return served;
};

export type Row = {
  readonly state: string;
  readonly status: number | null;
  readonly body: string | null;
  readonly amount: number;
  readonly reason: string | null;
};

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** What the gateway has written down, by client and key. */
export type ReadPurchases = () => Promise<ReadonlyMap<string, Row>>;

const byKey = (rows: readonly unknown[]): Map<string, Row> =>
  new Map(
    rows.map((row) => [
      `${String(at(row, 'client_id'))} ${String(at(row, 'idempotency_key'))}`,
      {
        state: String(at(row, 'state')),
        status: at(row, 'answer_status') === null ? null : Number(at(row, 'answer_status')),
        body: text(at(row, 'answer_body')),
        amount: Number(at(row, 'amount')),
        reason: text(at(row, 'reason')),
      },
    ]),
  );

const all = 'select * from purchases';

export const purchasesOfFile =
  (file: string): ReadPurchases =>
  async () => {
    const database = new DatabaseSync(file, { readOnly: true });
    const rows = database.prepare(all).all();
    database.close();
    return byKey(rows);
  };

export const purchasesOfPostgres =
  (url: string): ReadPurchases =>
  async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      const { rows } = await client.query<object>(all);
      return byKey(rows);
    } finally {
      await client.end();
    }
  };

const sold = new Set(['succeeded', 'reversed']);
const unsold = new Set(['failed', 'refused']);

export const judge = (
  wanted: readonly Wanted[],
  book: string,
  purchases: ReadonlyMap<string, Row>,
): Verdict => {
  const served = readBook(book);
  const verdict: Verdict = {
    deliveries: 0,
    doubles: [],
    lost: [],
    contradictions: [],
    open: [],
    review: [],
  };
  for (const { client, key, mobile, answer } of wanted) {
    const row = purchases.get(`${client.id} ${key}`);
    const { times = 0, amount = 0 } = served.get(mobile) ?? {};
    verdict.deliveries += times;
    const state = row?.state ?? 'not recorded';
    const told = `${key}: ${state}, answered ${answer?.status ?? 'nothing final'}, delivered ${times} times`;
    if (times > 1) verdict.doubles.push(told);
    if (times > 0 && (row === undefined || unsold.has(state))) verdict.lost.push(told);
    if (times === 0 && (sold.has(state) || answer?.status === 200)) verdict.lost.push(told);
    if (times > 0 && row !== undefined && row.amount !== amount) {
      verdict.contradictions.push(`${told} of ${amount}, sold for ${row.amount}`);
    }
    if (answer !== undefined && (answer.status !== row?.status || answer.body !== row.body)) {
      verdict.contradictions.push(`${told}, recorded ${row?.status ?? 'nothing'}`);
    }
    if (state === 'review') verdict.review.push(`${told} (${row?.reason ?? 'no reason'})`);
    else if (answer === undefined) verdict.open.push(told);
    served.delete(mobile);
  }
  for (const mobile of served.keys()) verdict.lost.push(`${mobile} was served, and nobody asked`);
  return verdict;
};
