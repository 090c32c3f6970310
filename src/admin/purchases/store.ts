/** Holds the SQL of the purchase search; each query uses an index that exists anyway. */
import { perEngine } from '../../db/engine.ts';
import { runText } from '../../db/statement.ts';
import type { Db } from '../../db/types.ts';
import type { PurchaseRow } from '../../purchases/rows.ts';
import type { Filter } from './filter.ts';

const columns = [
  'client_id',
  'id',
  'idempotency_key',
  'state',
  'product_id',
  'operator_id',
  'supplier_id',
  'mobile',
  'amount',
  'charged_amount',
  'webservice_code',
  'began_at',
  'settled_at',
  'answer_status',
  'reason',
  'reason_values',
  'disputed',
  'disputed_values',
] as const satisfies readonly (keyof PurchaseRow)[];

export type FoundRow = Pick<PurchaseRow, (typeof columns)[number]> & {
  readonly client_name: string | null;
};

/** Ids between the two: without the second if the newest come first, without the first if the oldest do. */
export type Ids = { readonly from: string; readonly before: string };

export type Order = 'newest' | 'oldest';
const orders = {
  newest: { between: 'id >= ? and id < ?', by: 'id desc' },
  oldest: { between: 'id > ? and id <= ?', by: 'id' },
} as const satisfies Record<Order, unknown>;

/**
 * Every possible filter. Unused conditions are present and always true: each index has one text, however many
 * filters there are, so a connection keeps few plans.
 */
const matches = `(cast(? as text) is null or client_id = ?)
  and (cast(? as text) is null or state = ?)
  and (0 = cast(? as bigint) or state in ('submitted', 'unknown'))
  and (0 = cast(? as bigint) or state = 'review' or disputed is not null)
  and (cast(? as text) is null or idempotency_key = ?)
  and (cast(? as text) is null or mobile = ?)
  and (cast(? as text) is null or webservice_code = ?)
  and (cast(? as bigint) is null or began_at >= ?)
  and (cast(? as bigint) is null or began_at < ?)
  and (0 = cast(? as bigint) or disputed is not null)
  and (cast(? as bigint) is null or operator_id = ?)
  and (cast(? as bigint) is null or product_id = ?)
  and (cast(? as text) is null or (select type from products where products.id = product_id) = ?)
  and (cast(? as text) is null or reason = ?)
  and (cast(? as bigint) is null or amount >= ?)
  and (cast(? as bigint) is null or amount <= ?)
  and (cast(? as bigint) is null or case when coalesce(supplier_id, 1) > 0 then 0 else 1 end = ?)
  and (cast(? as text) is null or replace(cast(? as text), substr(mobile, cast(? as integer)), '') = ?)`;

const twice = (value: string | number | undefined): unknown[] => [value ?? null, value ?? null];

const matchValues = (filter: Filter): unknown[] => [
  ...twice(filter.clientId),
  ...twice(filter.state === 'open' ? undefined : filter.state),
  filter.state === 'open' ? 1 : 0,
  filter.needsReview ? 1 : 0,
  ...twice(filter.key),
  ...twice(filter.number),
  ...twice(filter.code),
  ...twice(filter.from),
  ...twice(filter.to),
  filter.disputed === true ? 1 : 0,
  ...twice(filter.operatorId),
  ...twice(filter.productId),
  ...twice(filter.type),
  ...twice(filter.reason),
  ...twice(filter.minAmount),
  ...twice(filter.maxAmount),
  ...twice(filter.test === undefined ? undefined : Number(filter.test === 'only')),
  ...twice(filter.unseen?.text),
  filter.unseen?.from ?? null,
  filter.unseen?.text ?? null,
];

/** How many rows a statement returns: a page and one more, or a piece of a file. */
export const pieces = { page: 101, file: 501 } as const;
export type Piece = keyof typeof pieces;

const all = columns.join(', ');

/** How many rows one page may read. */
export type Bounds = {
  /** More rows than this with one value are not sorted, but walked in order. */
  readonly sorted: number;
  /** How many rows one step skips, and how many steps there are. */
  readonly walked: number;
  readonly steps: number;
};

const theClients = 'select id from clients where cast(? as text) is null or id = ?';

/**
 * The rows of every client, or of one, with one value. Clients are few, and the indexes begin with them, so
 * each is looked up. The array makes PostgreSQL do so; otherwise it joins both tables.
 */
const ofClients = perEngine(({ name }) => {
  const among = name === 'postgres' ? `= any(array(${theClients}))` : `in (${theClients})`;
  return (column: string): string => `client_id ${among} and ${column} = ?`;
});

/** Rows of an index without a useful order, sorted if they are few. */
const sortedWays = {
  id: () => 'id = ?',
  key: (db) => ofClients(db)('idempotency_key'),
  number: (db) => ofClients(db)('mobile'),
  code: (db) => ofClients(db)('webservice_code'),
  open: () => 'due_at is not null',
} as const satisfies Record<string, (db: Db) => string>;

// In the index's own form: a list costs SQLite a table at each write, and without one PostgreSQL sorts.
const seldom = {
  sqlite: `(state = 'refused' or state = 'unknown' or state = 'failed' or state = 'reversed')`,
  postgres: `state in ('refused', 'unknown', 'failed', 'reversed')`,
} as const;
const forPerson = `(state = 'review' or disputed is not null)`;

/** Rows that an index has in the right order. */
const orderedWays = (engine: keyof typeof seldom) =>
  ({
    all: '',
    client: 'client_id = ? and ',
    state: `state = ? and ${seldom[engine]} and `,
    clientState: `client_id = ? and state = ? and ${seldom[engine]} and `,
    person: `${forPerson} and `,
    clientPerson: `client_id = ? and ${forPerson} and `,
  }) as const;

export type SortedWay = keyof typeof sortedWays;
export type OrderedWay = keyof ReturnType<typeof orderedWays>;

const leading = (way: SortedWay | OrderedWay, filter: Filter): unknown[] => {
  switch (way) {
    case 'key':
    case 'number':
    case 'code':
      return [...twice(filter.clientId), filter[way]];
    case 'id':
      return [filter.id];
    case 'state':
      return [filter.state];
    case 'clientState':
      return [filter.clientId, filter.state];
    case 'client':
    case 'clientPerson':
      return [filter.clientId];
    case 'open':
    case 'person':
    case 'all':
      return [];
  }
};

/** The rows shown, with the names of their clients. */
const named = (found: string, order: Order): string =>
  `select ${all}, (select name from clients where clients.id = found.client_id) as client_name
  from (${found}) as found order by ${orders[order].by}`;

// The limits are literals: SQLite would replan a statement whenever a limit is bound to it. Each part has its
// own, so that no wrong estimate leads the planner away from the index.
/** Which rows are read, and how many. */
type Part = { readonly ids: Ids; readonly order: Order };
type Read = Part & { readonly piece: Piece };

/** Some of an index's rows that match, without an order. */
const matchingSome = (db: Db, way: SortedWay, order: Order, sorted: number): string =>
  `from (select ${all} from purchases where ${sortedWays[way](db)} limit ${sorted}) as some_of_them
    where ${orders[order].between} and ${matches}`;

const valuesOf = (way: SortedWay | OrderedWay, filter: Filter, ids: Ids): unknown[] => [
  ...leading(way, filter),
  ids.from,
  ids.before,
  ...matchValues(filter),
];

/** The matches among an index's rows, in order. */
export const readSorted = (
  db: Db,
  way: SortedWay,
  filter: Filter,
  { ids, order, piece, sorted }: Read & { readonly sorted: number },
): Promise<FoundRow[]> => {
  const text = named(
    `select ${all} ${matchingSome(db, way, order, sorted)}
    order by ${orders[order].by} limit ${pieces[piece]}`,
    order,
  );
  return runText<FoundRow>(db, text, valuesOf(way, filter, ids));
};

// Without statistics SQLite takes the index by state alone, and reads all other clients' rows.
const hinted: Partial<Record<OrderedWay, string>> = {
  clientState: ' indexed by purchases_by_client_state',
};

const inOrder = perEngine(({ name }) => {
  const ways = orderedWays(name);
  return (columns: string, way: OrderedWay, order: Order): string =>
    `select ${columns} from purchases${name === 'sqlite' ? (hinted[way] ?? '') : ''}
    where ${ways[way]}${orders[order].between} order by ${orders[order].by}`;
});

/** The first rows of an ordered index, without other filters. */
export const readOrdered = (
  db: Db,
  way: OrderedWay,
  filter: Filter,
  { ids, order, piece }: Read,
): Promise<FoundRow[]> =>
  runText<FoundRow>(db, named(`${inOrder(db)(all, way, order)} limit ${pieces[piece]}`, order), [
    ...leading(way, filter),
    ids.from,
    ids.before,
  ]);

/** The matches among the first rows of an ordered index. */
const matchingWalked = (db: Db, way: OrderedWay, order: Order, walked: number): string =>
  // Twice as many as were just counted: some may have been sold since.
  `from (${inOrder(db)(all, way, order)} limit ${2 * walked}) as walked where ${matches}`;

export const readWalked = (
  db: Db,
  way: OrderedWay,
  filter: Filter,
  { ids, order, piece, walked }: Read & { readonly walked: number },
): Promise<FoundRow[]> => {
  const text = named(
    `select ${all} ${matchingWalked(db, way, order, walked)}
    order by ${orders[order].by} limit ${pieces[piece]}`,
    order,
  );
  return runText<FoundRow>(db, text, valuesOf(way, filter, ids));
};

/** The last id of this many rows of an ordered index; undefined if fewer are left. */
export const markOfWalk = async (
  db: Db,
  way: OrderedWay,
  filter: Filter,
  { ids, order, walked }: Part & { readonly walked: number },
): Promise<string | undefined> => {
  const text = `${inOrder(db)('id', way, order)} limit 1 offset ${walked - 1}`;
  const values = [...leading(way, filter), ids.from, ids.before];
  const [row] = await runText<{ id: string }>(db, text, values);
  return row?.id;
};

/** How many purchases, and their amounts together. */
export type Sum = { readonly count: number; readonly amount: number };

const sumOf = 'select count(*) as count, cast(coalesce(sum(amount), 0) as bigint) as amount';

const add = async (db: Db, matching: string, values: readonly unknown[]): Promise<Sum> => {
  const [sum] = await runText<Sum>(db, `${sumOf} ${matching}`, values);
  return sum ?? { count: 0, amount: 0 };
};

/** The matches among an index's rows, added up. */
export const sumSorted = (
  db: Db,
  way: SortedWay,
  filter: Filter,
  { ids, sorted }: { readonly ids: Ids; readonly sorted: number },
): Promise<Sum> => add(db, matchingSome(db, way, 'newest', sorted), valuesOf(way, filter, ids));

/** The matches among the newest rows of an ordered index, added up. */
export const sumWalked = (
  db: Db,
  way: OrderedWay,
  filter: Filter,
  { ids, walked }: { readonly ids: Ids; readonly walked: number },
): Promise<Sum> => add(db, matchingWalked(db, way, 'newest', walked), valuesOf(way, filter, ids));

/** How many rows the index has, without other filters, up to `most`. */
export const countUpTo = async (
  db: Db,
  way: SortedWay,
  filter: Filter,
  most: number,
): Promise<number> => {
  const text = `select count(*) as found from (
    select 1 as one from purchases where ${sortedWays[way](db)} limit ${most}) as some_of_them`;
  const [row] = await runText<{ found: number }>(db, text, leading(way, filter));
  return row?.found ?? 0;
};
