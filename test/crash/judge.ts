/** Judges a crash test: checks every key against the operators' records and the gateway's database. */
import { readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { at, listOf } from '../support/answers.ts';
import { parsed } from '../support/live.ts';
import type { Wanted } from './shop.ts';

export type CrashResult = {
  readonly deliveries: number;
  readonly doubles: string[];
  readonly lost: string[];
  readonly contradictions: string[];
  /** Neither final nor in review. */
  readonly open: string[];
  /** In review, with the reason. */
  readonly review: string[];
  /** Unknown to the restored database, and on the list that a person was shown. */
  readonly forgotten: string[];
};

export type Delivery = {
  /** The purchase's id, under which it was ordered. */
  readonly ref: string;
  readonly mobile: string;
  readonly amount: number;
};

/** The deliveries, by all suppliers' books; copies that the network made do not count. */
export const readBooks = (files: readonly string[]): Delivery[] => files.flatMap(readBook);

const readBook = (file: string): Delivery[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    // The last line may be incomplete.
    .slice(0, -1)
    .map(parsed)
    // A line without a kind is a delivery.
    .filter(
      (line) => (at(line, 'kind') ?? 'delivered') === 'delivered' && at(line, 'copy') !== true,
    )
    .map((line) => ({
      ref: String(at(line, 'ref')),
      mobile: String(at(line, 'mobile')),
      amount: Number(at(line, 'amount')),
    }));

export type Row = {
  readonly id: string;
  readonly state: string;
  readonly status: number | null;
  readonly body: string | null;
  readonly amount: number;
  readonly reason: string | null;
  /** The suppliers that had its order: the current one, and those that were left. */
  readonly suppliers: readonly number[];
};

const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** The gateway's records, by client and key. */
export type ReadPurchases = () => Promise<ReadonlyMap<string, Row>>;

const suppliersIn = (row: unknown): number[] => [
  Number(at(row, 'supplier_id')),
  // A supplier whose cost is known stands in a list with that.
  ...listOf(parsed(text(at(row, 'left_suppliers')) ?? '[]')).map((one) => Number([one].flat()[0])),
];

const byKey = (rows: readonly unknown[]): Map<string, Row> =>
  new Map(
    rows.map((row) => [
      `${String(at(row, 'client_id'))} ${String(at(row, 'idempotency_key'))}`,
      {
        id: String(at(row, 'id')),
        state: String(at(row, 'state')),
        status: at(row, 'answer_status') === null ? null : Number(at(row, 'answer_status')),
        body: text(at(row, 'answer_body')),
        amount: Number(at(row, 'amount')),
        reason: text(at(row, 'reason')),
        suppliers: suppliersIn(row),
      },
    ]),
  );

/** The recorded end of a key, if it has one. */
export const endOf = (
  purchases: ReadonlyMap<string, Row>,
  { client, key }: Wanted,
): { readonly status: number; readonly body: string | null } | undefined => {
  const { status = null, body = null } = purchases.get(`${client.id} ${key}`) ?? {};
  return status === null ? undefined : { status, body };
};

/** Reads rows of the database under test, beside the gateway. */
export type Query = (text: string) => Promise<readonly object[]>;

export const queryFile =
  (file: string): Query =>
  async (text) => {
    const database = new DatabaseSync(file, { readOnly: true });
    const rows = database.prepare(text).all();
    database.close();
    return rows;
  };

export const queryPostgres =
  (url: () => string): Query =>
  async (text) => {
    const client = new pg.Client({ connectionString: url() });
    client.on('error', () => {});
    await client.connect();
    try {
      return (await client.query<object>(text)).rows;
    } finally {
      await client.end();
    }
  };

export const purchasesBy =
  (query: Query): ReadPurchases =>
  async () =>
    byKey(await query('select * from purchases'));

/** An order on the list of forgotten ones: its supplier has reported it. */
export type Listed = { readonly ref: string; readonly supplierId: number };

/**
 * The orders on that list which the restored database held, or which began in it. It may hold a purchase and
 * lack the order at a further supplier.
 */
export const wronglyListed = (
  listed: readonly Listed[],
  held: ReadonlyMap<string, Row>,
  now: ReadonlyMap<string, Row>,
): Listed[] => {
  const rows = new Map([...now.values(), ...held.values()].map((row) => [row.id, row]));
  return listed.filter(({ ref, supplierId }) => rows.get(ref)?.suppliers.includes(supplierId));
};

const sold = new Set(['succeeded', 'reversed']);
const unsold = new Set(['failed', 'refused']);

/** Compares the answers to one key with its deliveries and its record. */
const judgeKey = (
  verdict: CrashResult,
  { client, key, answer, forgotten, settled }: Wanted,
  row: Row | undefined,
  deliveries: readonly Delivery[],
  told: ReadonlySet<string>,
): void => {
  const times = deliveries.length;
  const state = row?.state ?? 'not recorded';
  const answers = [...forgotten, ...(answer === undefined ? [] : [answer])];
  const said = answers.map(({ status }) => status).join(', then ') || 'nothing final';
  const line = `${key} of ${client.id}: ${state}, answered ${said}, delivered ${times} times`;
  if (times > 1) verdict.doubles.push(line);
  if (times === 0 && (sold.has(state) || answers.some(({ status }) => status === 200))) {
    verdict.lost.push(line);
  }
  if (row === undefined && times > 0) {
    const known = deliveries.every(({ ref }) => told.has(ref));
    (known ? verdict.forgotten : verdict.lost).push(line);
    if (known && answer === undefined) return;
  } else if (times > 0 && unsold.has(state)) verdict.lost.push(line);
  // An instance remembered it, and a person was shown its key.
  if (settled && row === undefined && times === 0) {
    verdict.forgotten.push(line);
    return;
  }
  const [delivery] = deliveries;
  if (delivery !== undefined && row !== undefined && row.amount !== delivery.amount) {
    verdict.contradictions.push(`${line} of ${delivery.amount}, sold for ${row.amount}`);
  }
  if (answer !== undefined && (answer.status !== row?.status || answer.body !== row.body)) {
    verdict.contradictions.push(`${line}, recorded ${row?.status ?? 'nothing'}`);
  }
  if (state === 'review') verdict.review.push(`${line} (${row?.reason ?? 'no reason'})`);
  else if (answer === undefined) verdict.open.push(line);
};

/** Judges every key. `told` holds the references that a person was shown as missing. */
export const judge = (
  wanted: readonly Wanted[],
  books: readonly string[],
  purchases: ReadonlyMap<string, Row>,
  told: ReadonlySet<string> = new Set(),
): CrashResult => {
  const deliveries = readBooks(books);
  const served = Map.groupBy(deliveries, ({ mobile }) => mobile);
  const verdict: CrashResult = {
    deliveries: deliveries.length,
    doubles: [],
    lost: [],
    contradictions: [],
    open: [],
    review: [],
    forgotten: [],
  };
  for (const one of wanted) {
    const row = purchases.get(`${one.client.id} ${one.key}`);
    judgeKey(verdict, one, row, served.get(one.mobile) ?? [], told);
    served.delete(one.mobile);
  }
  for (const mobile of served.keys()) verdict.lost.push(`${mobile} was served without an order`);
  return verdict;
};
