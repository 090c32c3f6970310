/** Links the balances that a supplier tells after its deliveries, and finds the gaps between them. Pure. */
import type { Tables } from '../../db/tables/tables.ts';

export type ChainEnd = Readonly<Tables['chain_ends']>;
export type ChainMove = Readonly<Tables['chain_moves']>;

/** A counted posting of a delivery or a reversal. */
export type Delivery = {
  readonly client_id: string;
  readonly purchase_id: string | null;
  /** 0 if it is not known. */
  readonly supplier_id: number;
  /** Negative for a reversal. */
  readonly cost: number | null;
  /** What lay at the supplier after it, if the supplier said so. */
  readonly balance: number | null;
  readonly at: number;
};

type Costed = Delivery & { readonly cost: number };

const isCosted = (delivery: Delivery): delivery is Costed =>
  delivery.supplier_id > 0 && delivery.cost !== null;

const bySupplier = (one: { supplier_id: number }, other: { supplier_id: number }): number =>
  one.supplier_id - other.supplier_id;

/** The ends that deliveries add, sorted, without those that they join themselves. */
export const endsOf = (deliveries: readonly Delivery[]): ChainEnd[] => {
  const ends = new Map<string, ChainEnd>();
  const add = (
    { supplier_id, client_id, purchase_id, at }: Costed,
    balance: number,
    by: 1 | -1,
  ) => {
    const key = `${supplier_id} ${balance}`;
    const deliveries = (ends.get(key)?.deliveries ?? 0) + by;
    ends.set(key, {
      supplier_id,
      balance,
      deliveries,
      client_id,
      purchase_id: purchase_id ?? '',
      at,
    });
  };
  for (const delivery of deliveries.filter(isCosted)) {
    const { balance, cost } = delivery;
    if (balance === null || !Number.isSafeInteger(balance + cost)) continue;
    add(delivery, balance + cost, -1);
    add(delivery, balance, 1);
  }
  return [...ends.values()]
    .filter(({ deliveries }) => deliveries !== 0)
    .sort((one, other) => bySupplier(one, other) || one.balance - other.balance);
};

/** The moves of deliveries without a balance, sorted. */
export const movesOf = (deliveries: readonly Delivery[]): ChainMove[] => {
  const moves = new Map<string, ChainMove>();
  for (const { supplier_id, cost, balance } of deliveries.filter(isCosted)) {
    if (balance !== null || cost === 0) continue;
    const key = `${supplier_id} ${cost}`;
    moves.set(key, { supplier_id, amount: -cost, moves: (moves.get(key)?.moves ?? 0) + 1 });
  }
  return [...moves.values()].sort(
    (one, other) => bySupplier(one, other) || one.amount - other.amount,
  );
};

/** How many loose ends there are, of which each may stand for several. */
export const sizeOf = (ends: readonly Pick<ChainEnd, 'deliveries'>[]): number =>
  ends.reduce((sum, { deliveries }) => sum + Math.abs(deliveries), 0);

/** Between a delivery that no other follows, and one that follows none. */
export type Gap = {
  readonly from: ChainEnd;
  readonly to: ChainEnd;
  /** How the float changed in between by what is known. */
  readonly known: readonly number[];
  /** What is missing after that: negative if money left the supplier. */
  readonly missing: number;
};

const changeOf = ({ from, to }: Pick<Gap, 'from' | 'to'>): number => to.balance - from.balance;

const repeated = (ends: readonly ChainEnd[], sign: 1 | -1): ChainEnd[] =>
  ends.flatMap((end) => Array.from({ length: Math.max(0, end.deliveries * sign) }, () => end));

// Deliveries are booked in about their order: answers overtake each other by some seconds.
const orderMs = 60_000;

type Pair = { readonly from: ChainEnd; readonly to: ChainEnd };

/** How likely two ends belong together: the lower rank first, then the shorter way. */
type Likelihood = { readonly rank: number; readonly distance: number };

type Moves = {
  readonly all: ReadonlySet<number>;
  /** The smallest first. */
  readonly additions: readonly number[];
};

const likelihoodOf = (pair: Pair, moves: Moves): Likelihood => {
  const change = changeOf(pair);
  const distance = Math.abs(change);
  // What a move explains needs no proof by the time: that may have been set back, and an end of several
  // deliveries keeps the time of one.
  const isExplained = moves.all.has(change);
  if (change <= 0) {
    const isLikely = isExplained || pair.from.at <= pair.to.at + orderMs;
    return { rank: isLikely ? 1 : 3, distance };
  }
  // Money comes by itself seldom enough to go by the time.
  if (pair.from.at >= pair.to.at) return { rank: isExplained ? 1 : 3, distance };
  const addition = moves.additions.find((amount) => amount >= change);
  return addition === undefined ? { rank: 2, distance } : { rank: 0, distance: addition - change };
};

/** Pairs loose ends. The first balance and the last one have no partner. */
const pairsOf = (ends: readonly ChainEnd[], moves: readonly number[]): Pair[] => {
  const known: Moves = {
    all: new Set(moves),
    additions: moves.filter((amount) => amount > 0).sort((one, other) => one - other),
  };
  const last = repeated(ends, 1).map((end) => ({ end, free: true }));
  const first = repeated(ends, -1).map((end) => ({ end, free: true }));
  const candidates = last
    .flatMap((from) => first.map((to) => ({ from, to })))
    .map(({ from, to }) => {
      const pair = { from: from.end, to: to.end };
      return { from, to, pair, ...likelihoodOf(pair, known) };
    })
    .sort((one, other) => one.rank - other.rank || one.distance - other.distance);
  const pairs: Pair[] = [];
  for (const { from, to, pair } of candidates) {
    if (pairs.length >= last.length - 1) break;
    if (!from.free || !to.free) continue;
    from.free = false;
    to.free = false;
    pairs.push(pair);
  }
  return pairs;
};

/** Takes the largest moves of a change's sign that fit into it. */
const fitted = (change: number, largestFirst: readonly number[]): number[] => {
  const fit: number[] = [];
  let rest = change;
  for (const amount of largestFirst) {
    if (Math.sign(amount) !== Math.sign(rest) || Math.abs(amount) > Math.abs(rest)) continue;
    fit.push(amount);
    rest -= amount;
  }
  return fit;
};

const sumOf = (amounts: readonly number[]): number =>
  amounts.reduce((sum, amount) => sum + amount, 0);

/** The moves that explain a change, or as much of it as they can. */
const explain = (change: number, largestFirst: readonly number[]): number[] => {
  const plain = fitted(change, largestFirst);
  if (sumOf(plain) === change) return plain;
  // Money was added and taken between the same two deliveries.
  const mixed = largestFirst
    .filter((amount) => amount > Math.max(0, change))
    .map((addition) => [addition, ...fitted(change - addition, largestFirst)]);
  return mixed.find((amounts) => sumOf(amounts) === change) ?? plain;
};

/** The gaps of one supplier's chain, the smallest first. Each move explains one gap, or a part of it. */
export const gapsOf = (ends: readonly ChainEnd[], moves: readonly number[]): Gap[] => {
  const left = moves.toSorted((one, other) => Math.abs(other) - Math.abs(one));
  return pairsOf(ends, moves)
    .sort((one, other) => Math.abs(changeOf(one)) - Math.abs(changeOf(other)))
    .map((pair) => {
      const known = explain(changeOf(pair), left);
      for (const amount of known) left.splice(left.indexOf(amount), 1);
      return { ...pair, known, missing: changeOf(pair) - sumOf(known) };
    });
};

// More of the same amount explain no more gaps than there may be.
const mostAlike = 400;

/** The same moves one by one. */
export const eachOf = (moves: readonly ChainMove[]): number[] =>
  moves.flatMap(({ amount, moves: count }) =>
    Array.from({ length: Math.min(count, mostAlike) }, () => amount),
  );
