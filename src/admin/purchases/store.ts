/** Holds the SQL of the purchase search; each query uses an index that exists anyway. */
import { perEngine } from '../../db/engine.ts';
import { runText } from '../../db/statement.ts';
import type { Db } from '../../db/types.ts';
import { type PurchaseRow, purchaseColumns } from '../../purchases/rows.ts';
import type { MessageRow } from '../../webhooks/store.ts';
import type { Filter } from './filter.ts';

const columns = [
  'client_id',
  'id',
  'idempotency_key',
  'state',
  'product_id',
  'operator_id',
  'mobile',
  'amount',
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

/** Ids from the first on, and before the second. */
export type Ids = { readonly from: string; readonly before: string };

/**
 * All that a filter may ask for. A condition that is not asked for is there and always true: so there is one
 * text for each way, however many filters there are, and a connection keeps few plans.
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
  ...twice(filter.unseen?.text),
  filter.unseen?.from ?? null,
  filter.unseen?.text ?? null,
];

/** How many rows a statement gives: those of a page and one more, or a piece of a file. */
export const pieces = { page: 101, file: 501 } as const;
export type Piece = keyof typeof pieces;

const all = columns.join(', ');

/** How much of the table one page may look at. */
export type Bounds = {
  /** More than this many with one value are not sorted: they are walked through in their order. */
  readonly sorted: number;
  /** How many are walked past at a time, and how many times. */
  readonly walked: number;
  readonly steps: number;
};

const theClients = 'select id from clients where cast(? as text) is null or id = ?';

/**
 * Those of every client, or of one, with one value. Clients are few, and indexes begin with them: each is looked
 * up, and PostgreSQL is told so by an array, for it would rather join both tables.
 */
const ofClients = perEngine(({ name }) => {
  const among = name === 'postgres' ? `= any(array(${theClients}))` : `in (${theClients})`;
  return (column: string): string => `client_id ${among} and ${column} = ?`;
});

/** What is found by an index that has no order of use, and sorted where it is little. */
const sortedWays = {
  id: () => 'id = ?',
  key: (db) => ofClients(db)('idempotency_key'),
  number: (db) => ofClients(db)('mobile'),
  code: (db) => ofClients(db)('webservice_code'),
  open: () => 'due_at is not null',
} as const satisfies Record<string, (db: Db) => string>;

// As the indexes have it: a list costs SQLite a table at each write, and without one PostgreSQL sorts.
const seldom = {
  sqlite: `(state = 'refused' or state = 'unknown' or state = 'failed' or state = 'reversed')`,
  postgres: `state in ('refused', 'unknown', 'failed', 'reversed')`,
} as const;
const forPerson = `(state = 'review' or disputed is not null)`;

/** What an index has in the order that is wanted. */
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

/** What is at last shown, with the names of its clients. */
const named = (found: string): string =>
  `select ${all}, (select name from clients where clients.id = found.client_id) as client_name
  from (${found}) as found order by id desc`;

// The limits stand in the texts: SQLite would plan a statement anew whenever a limit is bound to it. And each
// part has its own, so that no guess of the planner's how many will match leads it away from the index.

/** Those that match among what an index gives, the newest first. */
export const readSorted = (
  db: Db,
  way: SortedWay,
  filter: Filter,
  { ids, piece, sorted }: { ids: Ids; piece: Piece; sorted: number },
): Promise<FoundRow[]> => {
  const some = `select ${all} from purchases where ${sortedWays[way](db)} limit ${sorted}`;
  const text = named(`select ${all} from (${some}) as some_of_them
    where id >= ? and id < ? and ${matches} order by id desc limit ${pieces[piece]}`);
  const values = [...leading(way, filter), ids.from, ids.before, ...matchValues(filter)];
  return runText<FoundRow>(db, text, values);
};

// Without figures of the table SQLite takes the index by state alone, and passes by all other clients' rows.
const hinted: Partial<Record<OrderedWay, string>> = {
  clientState: ' indexed by purchases_by_client_state',
};

const inOrder = perEngine(({ name }) => {
  const ways = orderedWays(name);
  return (columns: string, way: OrderedWay): string =>
    `select ${columns} from purchases${name === 'sqlite' ? (hinted[way] ?? '') : ''}
    where ${ways[way]}id >= ? and id < ? order by id desc`;
});

/** The newest of what an index has in order, whatever else is asked for. */
export const readOrdered = (
  db: Db,
  way: OrderedWay,
  filter: Filter,
  { ids, piece }: { ids: Ids; piece: Piece },
): Promise<FoundRow[]> =>
  runText<FoundRow>(db, named(`${inOrder(db)(all, way)} limit ${pieces[piece]}`), [
    ...leading(way, filter),
    ids.from,
    ids.before,
  ]);

/** Those that match among the newest of what an index has in order. */
export const readWalked = (
  db: Db,
  way: OrderedWay,
  filter: Filter,
  { ids, piece, walked }: { ids: Ids; piece: Piece; walked: number },
): Promise<FoundRow[]> => {
  // Twice as many as were counted a moment ago: some may have been sold since.
  const text = named(`select ${all} from (${inOrder(db)(all, way)} limit ${2 * walked}) as walked
    where ${matches} order by id desc limit ${pieces[piece]}`);
  const values = [...leading(way, filter), ids.from, ids.before, ...matchValues(filter)];
  return runText<FoundRow>(db, text, values);
};

/** The last id of so many that an index has in order; undefined where fewer are left. */
export const markOfWalk = async (
  db: Db,
  way: OrderedWay,
  filter: Filter,
  { ids, walked }: { ids: Ids; walked: number },
): Promise<string | undefined> => {
  const text = `${inOrder(db)('id', way)} limit 1 offset ${walked - 1}`;
  const values = [...leading(way, filter), ids.from, ids.before];
  const [row] = await runText<{ id: string }>(db, text, values);
  return row?.id;
};

/** How many there are that way, whatever else is asked for, up to `most`. */
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

/** One purchase as a whole, with the name of its client. */
export const readOne = (
  db: Db,
  id: string,
): Promise<(PurchaseRow & { readonly client_name: string | null }) | undefined> =>
  db
    .selectFrom('purchases')
    .leftJoin('clients', 'clients.id', 'purchases.client_id')
    .select(purchaseColumns.map((column) => `purchases.${column}` as const))
    .select('clients.name as client_name')
    .where('purchases.id', '=', id)
    .executeTakeFirst();

export type SentMessageRow = Pick<
  MessageRow,
  'id' | 'type' | 'endpoint_id' | 'state' | 'attempts' | 'created_at' | 'ended_at'
> & { readonly url: string };

const messagesText = `select m.id, m.type, m.endpoint_id, e.url, m.state, m.attempts, m.created_at, m.ended_at
  from webhook_endpoints as e join webhook_messages as m on m.endpoint_id = e.id
  where e.client_id = ? and m.id >= ? and m.id < ? and m.created_at = ? and m.payload like ?
  order by m.id, m.endpoint_id limit 100`;

/**
 * What was told of a purchase by a step at that moment, to any endpoint of its client. Only messages with ids
 * between the two are looked at.
 */
export const readSentMessages = (
  db: Db,
  { clientId, id }: { readonly clientId: string; readonly id: string },
  step: { readonly at: number; readonly ids: Ids },
): Promise<SentMessageRow[]> =>
  runText<SentMessageRow>(db, messagesText, [
    clientId,
    step.ids.from,
    step.ids.before,
    step.at,
    `%"id":"${id}"%`,
  ]);
