/** Reports what was sold in a period by up to two dimensions, from the sums alone. */
import { perEngine } from '../../../db/engine.ts';
import type { Db } from '../../../db/types.ts';
import { nextTurn } from '../../../lib/clock.ts';
import { GatewayError } from '../../../lib/errors.ts';
import type { Text } from '../../../lib/text.ts';
import { addSums, noSums, type Sums } from '../sums.ts';
import {
  type GroupKey,
  lengthOf,
  mostDays,
  type Period,
  type Piece,
  periodBefore,
  piecesFor,
  type SalesQuery,
} from './query.ts';
import { type Group, readSums } from './store.ts';

/** More groups than this are no report; they would fill the memory. */
export const mostGroups = 100_000;

const tooManyGroups: Text = {
  en: 'by gives too many groups. Choose a shorter period, one client or one product.',
  fa: 'تعداد گروه‌های by بیش از حد است. دورهٔ کوتاه‌تر، یک مشتری یا یک محصول را انتخاب کنید.',
};

/**
 * How many days one statement reads. A file is read by the thread that sells: it gets its turn in between.
 * A server adds up faster than it sends.
 */
const daysAtOnce = perEngine(({ name }) =>
  name === 'sqlite'
    ? { full: 1, month: 31, client: 7, product: 31 }
    : { full: mostDays, month: mostDays, client: mostDays, product: mostDays },
);

const slicesOf = (db: Db, piece: Piece): Piece[] => {
  const most = daysAtOnce(db)[piece.kind];
  return Array.from({ length: Math.ceil(lengthOf(piece) / most) }, (_, index) => {
    const from = piece.from + index * most;
    return { kind: piece.kind, from, to: Math.min(from + most - 1, piece.to) };
  });
};

/** All groups by their key as text, in no order. */
export type Groups = ReadonlyMap<string, Group>;

/** The same whatever the order of the dimensions. */
export const textOfKey = ({ day, client, product, operator, supplier }: GroupKey): string =>
  [day, product, operator, supplier, client].join(' ');

export const readGroups = async (db: Db, query: SalesQuery): Promise<Groups> => {
  const { by, filter = {} } = query;
  const groups = new Map<string, Group>();
  for (const slice of piecesFor(query).flatMap((piece) => slicesOf(db, piece))) {
    for (const read of await readSums(db, slice, { by, filter, limit: mostGroups + 1 })) {
      const text = textOfKey(read.key);
      const group = groups.get(text);
      if (group === undefined) groups.set(text, read);
      else addSums(group.sums, read.sums);
    }
    if (groups.size > mostGroups) {
      throw new GatewayError('VALIDATION_FAILED', { errors: { by: [tooManyGroups] } });
    }
    await nextTurn();
  }
  return groups;
};

export const totalOf = (groups: Iterable<Group>): Sums => {
  const total = noSums();
  for (const { sums } of groups) addSums(total, sums);
  return total;
};

/** What was charged, less what was given back. */
export const amountOf = ({ sold_amount, reversed_amount }: Readonly<Sums>): number =>
  sold_amount - reversed_amount;

/** What sales cost and earn, and of how many sales and reversals the cost is not known. */
export type Earned = {
  readonly cost: number;
  readonly margin: number;
  readonly uncosted: number;
};

/** Counts only those whose cost is known; undefined if there is none. */
export const earnedOf = (sums: Readonly<Sums>): Earned | undefined => {
  const uncosted = sums.sold_uncosted + sums.reversed_uncosted;
  if (uncosted > 0 && uncosted === sums.sold + sums.reversed) return undefined;
  const cost = sums.sold_cost - sums.reversed_cost;
  const charged = amountOf(sums) - sums.sold_uncosted_amount + sums.reversed_uncosted_amount;
  return { cost, margin: charged - cost, uncosted };
};

const byAmount = (one: Group, other: Group): number =>
  amountOf(other.sums) - amountOf(one.sums) ||
  other.sums.sold - one.sums.sold ||
  (textOfKey(one.key) < textOfKey(other.key) ? -1 : 1);

const byDay = (one: Group, other: Group): number => (one.key.day ?? 0) - (other.key.day ?? 0);

export type ReportRow = Group & {
  /** The same in the period before; undefined unless asked for. */
  readonly before: Sums | undefined;
};

export type SalesReport = {
  readonly period: Period;
  /** The largest by amount, by day where they have one. */
  readonly rows: readonly ReportRow[];
  readonly totals: Sums;
  /** How many groups are not among the rows, and their sums. */
  readonly left: { readonly groups: number; readonly sums: Sums };
  readonly before: { readonly period: Period; readonly totals: Sums } | undefined;
};

type Shown = { readonly limit: number; readonly compare: boolean };

/** The key of the same group in a period that begins some days later. */
const keyLater = ({ day, ...key }: GroupKey, days: number): GroupKey =>
  day === undefined ? key : { day: day + days, ...key };

/** Those that sold in the period before only, with their days in this one. */
const soldNoMore = (groups: Groups, past: Groups, days: number): Group[] =>
  [...past.values()]
    .map(({ key }) => ({ key: keyLater(key, days), sums: noSums() }))
    .filter(({ key }) => !groups.has(textOfKey(key)));

export const readReport = async (
  db: Db,
  query: SalesQuery,
  { limit, compare }: Shown,
): Promise<SalesReport> => {
  const { period } = query;
  const earlier = periodBefore(period);
  const groups = await readGroups(db, query);
  const past = compare ? await readGroups(db, { ...query, period: earlier }) : undefined;
  const days = lengthOf(period);
  const more = past === undefined ? [] : soldNoMore(groups, past, days);
  const sorted = [...groups.values(), ...more].sort(byAmount);
  const rows = sorted.slice(0, limit).sort(byDay);
  const left = sorted.slice(limit);
  const beforeOf = (key: GroupKey): Sums | undefined =>
    past && (past.get(textOfKey(keyLater(key, -days)))?.sums ?? noSums());
  return {
    period,
    rows: rows.map((group) => ({ ...group, before: beforeOf(group.key) })),
    totals: totalOf(groups.values()),
    left: { groups: left.length, sums: totalOf(left) },
    before: past && { period: earlier, totals: totalOf(past.values()) },
  };
};
