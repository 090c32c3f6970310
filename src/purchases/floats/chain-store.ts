/** Holds the SQL of chains of balances: their loose ends, and what else changed a float. */
import { inSnapshot } from '../../db/engine.ts';
import { addTo, insertRows, runText, writeRows } from '../../db/statement.ts';
import { columnsOf } from '../../db/tables/tables.ts';
import type { Db } from '../../db/types.ts';
import {
  type ChainEnd,
  type ChainMove,
  type Delivery,
  eachOf,
  endsOf,
  type Gap,
  gapsOf,
  movesOf,
  sizeOf,
} from './chain.ts';

const endColumns = columnsOf('chain_ends');
const addEndsText = insertRows(
  'chain_ends',
  `${addTo('chain_ends', 'supplier_id, balance', ['deliveries'])}, client_id = excluded.client_id,
    purchase_id = excluded.purchase_id, at = excluded.at`,
);

const addMovesText = insertRows(
  'chain_moves',
  addTo('chain_moves', 'supplier_id, amount', ['moves']),
);

const joinedText = 'delete from chain_ends where supplier_id = ? and deliveries = 0';
const usedText = 'delete from chain_moves where supplier_id = ? and moves <= 0';

const addEnds = async (db: Db, ends: readonly ChainEnd[]): Promise<void> => {
  if (ends.length === 0) return;
  const rows = ends.map((end) => endColumns.map((column) => end[column]));
  await writeRows(db, addEndsText, rows);
  for (const supplier of new Set(ends.map((end) => end.supplier_id))) {
    await runText(db, joinedText, [supplier]);
  }
};

/** Within a transaction. */
export const addMoves = async (db: Db, moves: readonly ChainMove[]): Promise<void> => {
  if (moves.length === 0) return;
  const rows = moves.map(({ supplier_id, amount, moves }) => [supplier_id, amount, moves]);
  await writeRows(db, addMovesText, rows);
};

const endsText = `select ${endColumns.join(', ')} from chain_ends where supplier_id = ? order by balance`;
const movesText = `select supplier_id, amount, moves from chain_moves where supplier_id = ?
  order by amount limit ?`;

// Far more than there are while balances follow our costs.
const mostEnds = 400;
const mostMoves = 400;
// Those, and what one batch of counting may add.
const mostRead = 2000;

const readEnds = (db: Db, supplierId: number): Promise<ChainEnd[]> =>
  runText<ChainEnd>(db, endsText, [supplierId]);

const readMoves = (db: Db, supplierId: number): Promise<ChainMove[]> =>
  runText<ChainMove>(db, movesText, [supplierId, mostMoves]);

// Until then a delivery in between may be booked.
const explainedAfterMs = 3_600_000;

/** Joins the ends of old gaps that are explained, and forgets the moves that explain them. */
const joinExplained = async (db: Db, supplierId: number, now: number): Promise<number> => {
  const ends = await readEnds(db, supplierId);
  const moves = eachOf(await readMoves(db, supplierId));
  const before = now - explainedAfterMs;
  const explained = gapsOf(ends, moves).filter(
    ({ from, to, missing }) => missing === 0 && from.at < before && to.at < before,
  );
  for (const { from, to, known } of explained) {
    const joined = [
      { ...from, deliveries: -1 },
      { ...to, deliveries: 1 },
    ];
    for (const end of joined) await addEnds(db, [end]);
    for (const amount of known) {
      await addMoves(db, [{ supplier_id: supplierId, amount, moves: -1 }]);
    }
  }
  await runText(db, usedText, [supplierId]);
  return sizeOf(ends) - 2 * explained.length;
};

const breakTexts = [
  'delete from chain_ends where supplier_id = ?',
  'delete from chain_moves where supplier_id = ?',
] as const;
const brokenText = `insert into chain_breaks (supplier_id, at) values (?, ?)
  on conflict (supplier_id) do update set at = excluded.at`;

/** The next delivery begins a new chain. */
const giveUp = async (db: Db, supplierId: number, now: number): Promise<void> => {
  for (const text of breakTexts) await runText(db, text, [supplierId]);
  await runText(db, brokenText, [supplierId, now]);
};

const sizesText = `select supplier_id, cast(sum(abs(deliveries)) as bigint) as size from chain_ends
  group by supplier_id`;

/**
 * Within the transaction that counts deliveries, after their costs: those lock the rows of their suppliers, so
 * one transaction at a time adds to a chain.
 */
export const addToChains = async (db: Db, sold: readonly Delivery[]): Promise<void> => {
  const sizes = await runText<{ supplier_id: number; size: number }>(db, sizesText, []);
  const ends = endsOf(sold);
  const chained = new Set([...sizes, ...ends].map(({ supplier_id }) => supplier_id));
  if (chained.size === 0) return;
  const now = Math.max(...sold.map(({ at }) => at));
  const suppliers = new Set(sold.map(({ supplier_id }) => supplier_id));
  for (const { supplier_id, size } of sizes) {
    if (size < mostEnds / 2 || !suppliers.has(supplier_id)) continue;
    const left = await joinExplained(db, supplier_id, now);
    if (left >= mostEnds) await giveUp(db, supplier_id, now);
  }
  await addEnds(db, ends);
  await addMoves(
    db,
    movesOf(sold).filter(({ supplier_id }) => chained.has(supplier_id)),
  );
};

/** A supplier's chain of balances. */
export type Chain =
  /** It tells no balances. */
  | { readonly kind: 'none' }
  /** They did not follow our costs, a day ago or less. */
  | { readonly kind: 'broken' }
  | { readonly kind: 'followed'; readonly gaps: readonly Gap[] };

const breakText = 'select supplier_id from chain_breaks where supplier_id = ? and at > ?';
const brokenForMs = 86_400_000;

const mostAmounts = 400;
const learntText = `select -cost as amount from supplier_ledger
  where supplier_id = ? and cost is not null and cost <> 0 order by at desc limit ${mostAmounts}`;
const inFlightText = `select -cost as amount from (
    select supplier_id, cost from purchases where due_at is not null
    union all select supplier_id, cost from purchases where state = 'review') as open_ones
  where supplier_id = ? and cost is not null and cost <> 0 limit ${mostAmounts}`;

// By then what lies between two counted deliveries is counted too.
const countedAfterMs = 10_000;

/** Within a transaction: what is missing between the deliveries of a supplier. */
export const readChain = async (db: Db, supplierId: number, now: number): Promise<Chain> => {
  const since = now - brokenForMs;
  const [broken] = await runText(db, breakText, [supplierId, since]);
  if (broken !== undefined) return { kind: 'broken' };
  const ends = await readEnds(db, supplierId);
  if (ends.length === 0) return { kind: 'none' };
  if (sizeOf(ends) > mostRead) return { kind: 'broken' };
  const counted = eachOf(await readMoves(db, supplierId));
  const learnt = await runText<{ amount: number }>(db, learntText, [supplierId]);
  const inFlight = await runText<{ amount: number }>(db, inFlightText, [supplierId]);
  const others = [...learnt, ...inFlight].map(({ amount }) => amount);
  const before = now - countedAfterMs;
  const gaps = gapsOf(ends, [...counted, ...others]).filter(
    ({ from, to, missing }) => missing !== 0 && from.at < before && to.at < before,
  );
  return { kind: 'followed', gaps };
};

/** The same on one snapshot. */
export const readChainAtOnce = (db: Db, supplierId: number, now: number): Promise<Chain> =>
  inSnapshot(db, (inside) => readChain(inside, supplierId, now));
