/** Holds the SQL of counting: cursors on clients' postings, the sums, and how far they are. */
import { perEngine } from '../../db/engine.ts';
import {
  addTo,
  insertRows,
  type RowsText,
  readRows,
  runText,
  tableOf,
  writeRows,
} from '../../db/statement.ts';
import { columnsOf } from '../../db/tables/tables.ts';
import type { Db } from '../../db/types.ts';
import { addToChains } from '../floats/chain-store.ts';
import { addCosts, costRowsOf } from '../floats/costs.ts';
import { notTest } from '../rows.ts';
import { type SalePosting, type SalesRow, sumKinds } from './sums.ts';

/** A client with postings that are not counted. */
export type Lagging = {
  readonly client_id: string;
  /** The number of its last posting. */
  readonly last: number;
  /** The number of the last one counted; null if it has no cursor yet. */
  readonly counted: number | null;
};

const withCursors = `from accounts left join sales_cursors as cursors on cursors.client_id = accounts.client_id`;
const uncounted = `accounts.seq > coalesce(cursors.seq, 0)`;

/** A posting is numbered under the account's lock: up to the account's number, all are committed. */
export const listLagging = (db: Db): Promise<Lagging[]> =>
  runText<Lagging>(
    db,
    `select accounts.client_id as client_id, accounts.seq as last, cursors.seq as counted
      ${withCursors} where ${uncounted} order by accounts.client_id`,
    [],
  );

const openText = insertRows('sales_cursors', ' on conflict (client_id) do nothing');

/** Creates cursors before the first posting, unless there are any. */
export const openCursors = async (db: Db, clientIds: readonly string[]): Promise<void> => {
  if (clientIds.length > 0) {
    await writeRows(
      db,
      openText,
      clientIds.toSorted().map((id) => [id, 0, '']),
    );
  }
};

export type Cursor = {
  readonly client_id: string;
  readonly seq: number;
  /** By which the last was counted, with the version of its rules; empty before the first. */
  readonly time_zone: string;
  /** The client's last posting now: after a restore there may be fewer than before it. */
  readonly last: number;
};

const lockTexts = perEngine(({ lockFreeRows }): RowsText => {
  const select = `select client_id, seq, time_zone,
    (select seq from accounts where accounts.client_id = sales_cursors.client_id) as last
    from sales_cursors`;
  return {
    one: `${select} where client_id = ?${lockFreeRows}`,
    many: `${select} where client_id = any(cast(? as text[])) order by client_id${lockFreeRows}`,
  };
});

/** Within a transaction: the cursors that no other instance has locked, locked until it ends. */
export const lockCursors = (db: Db, clientIds: readonly string[]): Promise<Cursor[]> =>
  readRows<Cursor>(
    db,
    lockTexts(db),
    clientIds.map((id) => [id]),
  );

const saveText = insertRows(
  'sales_cursors',
  ' on conflict (client_id) do update set seq = excluded.seq, time_zone = excluded.time_zone',
);

const zoneText = insertRows('sales_zones');

/** A client's postings after one number, up to another. */
export type Range = { readonly clientId: string; readonly after: number; readonly upTo: number };

const sold = [
  'postings.client_id as client_id',
  'postings.kind as kind',
  'coalesce(purchases.amount, postings.amount) as price',
  'postings.amount as amount',
  'postings.cost as cost',
  'postings.purchase_id as purchase_id',
  'postings.supplier_balance as balance',
  'postings.at as at',
  'coalesce(purchases.product_id, 0) as product_id',
  'coalesce(purchases.operator_id, 0) as operator_id',
  'coalesce(postings.supplier_id, purchases.supplier_id, 0) as supplier_id',
].join(', ');
const bought = `left join purchases on purchases.client_id = postings.client_id
      and purchases.id = postings.purchase_id`;
const counts = `postings.kind in ('capture', 'reverse', 'release') and ${notTest}`;

const soldText: RowsText = {
  one: `select ${sold} from postings ${bought}
    where postings.client_id = ? and postings.seq > ? and postings.seq <= ? and ${counts}`,
  // "offset 0" keeps the planner from reading all postings instead of each range by its index.
  many: `select found.client_id, found.kind, found.price, found.amount, found.cost, found.purchase_id,
      found.balance, found.at, found.product_id, found.operator_id, found.supplier_id
    from ${tableOf({ client_id: 'text', after_seq: 'bigint', up_to: 'bigint' })}
    cross join lateral (select ${sold} from postings ${bought}
      where postings.client_id = next.client_id and postings.seq > next.after_seq
        and postings.seq <= next.up_to and ${counts} offset 0) as found`,
};

/** The captures, reversals and releases of some ranges. */
export const readSold = (db: Db, ranges: readonly Range[]): Promise<SalePosting[]> =>
  readRows<SalePosting>(
    db,
    soldText,
    ranges.map(({ clientId, after, upTo }) => [clientId, after, upTo]),
  );

const columns = columnsOf('sales');
const addText = insertRows(
  'sales',
  addTo('sales', 'kind, day, client_id, product_id, operator_id, supplier_id', sumKinds),
);

/** Within a transaction: adds to the sums, and moves the cursors over what was added. */
export const saveCounted = async (
  db: Db,
  rows: readonly SalesRow[],
  {
    ranges,
    rezoned,
    zone,
    sold,
  }: {
    readonly ranges: readonly Range[];
    /** Those of which the last posting was counted by another time zone, or by other rules. */
    readonly rezoned: readonly Range[];
    readonly zone: string;
    /** The postings of the ranges that are counted. */
    readonly sold: readonly SalePosting[];
  },
): Promise<void> => {
  await addCosts(db, costRowsOf(sold));
  await addToChains(db, sold);
  if (rows.length > 0) {
    await writeRows(
      db,
      addText,
      rows.map((row) => columns.map((column) => row[column])),
    );
  }
  if (rezoned.length > 0) {
    await writeRows(
      db,
      zoneText,
      rezoned.map(({ clientId, after }) => [clientId, after, zone]),
    );
  }
  await writeRows(
    db,
    saveText,
    ranges.map(({ clientId, upTo }) => [clientId, upTo, zone]),
  );
};

export type Progress = {
  /** How many postings there are, and how many of them are counted. */
  readonly postings: number;
  readonly counted: number;
  /** When the first was written that is not counted; null if all are. */
  readonly firstUncountedAt: number | null;
};

const progressText = `select coalesce(cast(sum(accounts.seq) as bigint), 0) as postings,
    coalesce(cast(sum(coalesce(cursors.seq, 0)) as bigint), 0) as counted ${withCursors}`;

const firstText = `select min(postings.at) as first ${withCursors}
    join postings on postings.client_id = accounts.client_id
      and postings.seq = coalesce(cursors.seq, 0) + 1
    where ${uncounted}`;

export const readProgress = async (db: Db): Promise<Progress> => {
  const [first] = await runText<{ first: number | null }>(db, firstText, []);
  const [all] = await runText<Omit<Progress, 'firstUncountedAt'>>(db, progressText, []);
  return {
    postings: all?.postings ?? 0,
    counted: all?.counted ?? 0,
    firstUncountedAt: first?.first ?? null,
  };
};
