/** Holds the SQL of floats: what people recorded, what our books say, and what suppliers say. */
import { inSnapshot } from '../../db/engine.ts';
import { insertRows, runText, writeRows } from '../../db/statement.ts';
import { columnsOf, type Tables } from '../../db/tables/tables.ts';
import type { Db } from '../../db/types.ts';
import { addMoves } from './chain-store.ts';
import { allHours, hourOf } from './costs.ts';
import { type FloatBooks, recentHours, type SaidBalance } from './float.ts';

export type FloatEntry = Tables['float_entries'];

const entryColumns = columnsOf('float_entries');

const lockText = `insert into supplier_balances (supplier_id, asked_at) values (?, 0)
  on conflict (supplier_id) do update set supplier_id = excluded.supplier_id`;

const lastText = `select coalesce(max(number), 0) as last from float_entries where supplier_id = ?`;

const insertText = insertRows('float_entries');

/** Within a transaction: one entry of a supplier after another. */
export const insertEntry = async (
  db: Db,
  entry: Omit<FloatEntry, 'number'>,
): Promise<FloatEntry> => {
  await runText(db, lockText, [entry.supplier_id]);
  const [row] = await runText<{ last: number }>(db, lastText, [entry.supplier_id]);
  const numbered = { ...entry, number: (row?.last ?? 0) + 1 };
  await writeRows(db, insertText, [entryColumns.map((column) => numbered[column])]);
  await addMoves(db, [{ supplier_id: entry.supplier_id, amount: entry.amount, moves: 1 }]);
  return numbered;
};

/** The newest first, before a number if one is given. */
export const listEntries = (
  db: Db,
  supplierId: number,
  { before, limit }: { readonly before: number; readonly limit: number },
): Promise<FloatEntry[]> =>
  db
    .selectFrom('float_entries')
    .select(entryColumns)
    .where('supplier_id', '=', supplierId)
    .where('number', '<', before)
    .orderBy('number', 'desc')
    .limit(limit)
    .execute();

type Sum = { readonly supplierId: number; readonly sum: number };

const sumText = (from: string, amount: string): string =>
  `select supplier_id as "supplierId", cast(sum(${amount}) as bigint) as sum from ${from}
    group by supplier_id`;

const entriesText = sumText('float_entries', 'amount');
const capturedText = `select supplier_id as "supplierId", cost as sum from supplier_costs where hour = ${allHours}`;
const recentText = sumText('supplier_costs where hour > ?', 'cost');
const lossesText = sumText('supplier_costs where hour > ?', 'losses');
const learntText = sumText('supplier_ledger where cost is not null', 'cost');
const inFlightText = sumText(
  `(select supplier_id, cost from purchases where due_at is not null
      union all select supplier_id, cost from purchases where state = 'review') as open_ones
    where cost is not null`,
  'cost',
);

const withCursors = `accounts left join sales_cursors as cursors on cursors.client_id = accounts.client_id`;
const laggingText = `select coalesce(cast(sum(accounts.seq - coalesce(cursors.seq, 0)) as bigint), 0) as lag
  from ${withCursors}`;
const uncountedText = sumText(
  `(select postings.supplier_id as supplier_id, postings.cost as cost
      from ${withCursors} join postings on postings.client_id = accounts.client_id
        and postings.seq > coalesce(cursors.seq, 0)
      where accounts.seq > coalesce(cursors.seq, 0) and postings.cost is not null) as uncounted`,
  'cost',
);

// Some seconds of sales. More are the past before an upgrade, which has no costs.
const mostUncounted = 50_000;

const readUncounted = async (db: Db): Promise<Sum[]> => {
  const [row] = await runText<{ lag: number }>(db, laggingText, []);
  return (row?.lag ?? 0) > mostUncounted ? [] : runText<Sum>(db, uncountedText, []);
};

// A loss is news for an hour or two.
const lossHours = 2;

/** Within a transaction: what our books say of every supplier that they know. */
export const readBooks = async (db: Db, now: number): Promise<ReadonlyMap<number, FloatBooks>> => {
  const sums = {
    entries: await runText<Sum>(db, entriesText, []),
    counted: await runText<Sum>(db, capturedText, []),
    uncounted: await readUncounted(db),
    learnt: await runText<Sum>(db, learntText, []),
    inFlight: await runText<Sum>(db, inFlightText, []),
    recent: await runText<Sum>(db, recentText, [hourOf(now) - recentHours]),
    losses: await runText<Sum>(db, lossesText, [hourOf(now) - lossHours]),
  };
  const of = (rows: readonly Sum[], id: number): number =>
    rows.find(({ supplierId }) => supplierId === id)?.sum ?? 0;
  const ids = new Set(Object.values(sums).flatMap((rows) => rows.map((row) => row.supplierId)));
  return new Map(
    [...ids]
      .filter((id) => id > 0)
      .map((supplierId) => {
        const hasEntries = sums.entries.some((row) => row.supplierId === supplierId);
        const books: FloatBooks = {
          supplierId,
          entries: hasEntries ? of(sums.entries, supplierId) : null,
          captured: of(sums.counted, supplierId) + of(sums.uncounted, supplierId),
          learnt: of(sums.learnt, supplierId),
          inFlight: of(sums.inFlight, supplierId),
          recent: of(sums.recent, supplierId),
          losses: of(sums.losses, supplierId),
        };
        return [supplierId, books];
      }),
  );
};

/** The same on one snapshot: what is counted in between would be in neither sum. */
export const readBooksAtOnce = (db: Db, now: number): Promise<ReadonlyMap<number, FloatBooks>> =>
  inSnapshot(db, (inside) => readBooks(inside, now));

/** The books of a supplier of which they know nothing. */
export const emptyBooks = (supplierId: number): FloatBooks => ({
  supplierId,
  entries: null,
  captured: 0,
  learnt: 0,
  inFlight: 0,
  recent: 0,
  losses: 0,
});

const claimText = `insert into supplier_balances (supplier_id, asked_at) values (?, ?)
  on conflict (supplier_id) do update set asked_at = excluded.asked_at
  where supplier_balances.asked_at <= ? or supplier_balances.asked_at > excluded.asked_at
  returning supplier_id`;

/** Whether this instance is to ask the supplier now: no other one has since a time. */
export const claimToAsk = async (
  db: Db,
  supplierId: number,
  { now, since }: { readonly now: number; readonly since: number },
): Promise<boolean> => (await runText(db, claimText, [supplierId, now, since])).length > 0;

const saveText = `update supplier_balances set balance = ?, balance_at = ?, drift = ?
  where supplier_id = ?`;

export const saveBalance = async (
  db: Db,
  supplierId: number,
  { balance, at, drift }: SaidBalance,
): Promise<void> => {
  await runText(db, saveText, [balance, at, drift, supplierId]);
};

/** What each supplier said last, by its ID. */
export const readBalances = async (db: Db): Promise<ReadonlyMap<number, SaidBalance>> => {
  const rows = await db
    .selectFrom('supplier_balances')
    .select(['supplier_id', 'balance', 'balance_at', 'drift'])
    .execute();
  return new Map(
    rows.flatMap(({ supplier_id: id, balance, balance_at: at, drift }) =>
      balance === null || at === null || drift === null
        ? []
        : [[id, { balance, at, drift }] as const],
    ),
  );
};
