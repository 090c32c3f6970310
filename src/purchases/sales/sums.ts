/** Adds up what was sold: turns postings into rows of sums by day, client, product and operator. Pure. */
import type { Tables } from '../../db/tables/tables.ts';
import { type Day, monthOf } from '../../lib/calendar-day.ts';
import { keysOf } from '../../lib/record.ts';

export type SalesRow = Readonly<Tables['sales']>;
export type SalesKind = SalesRow['kind'];

/** What is added up. */
export type Sums = {
  sold: number;
  sold_amount: number;
  reversed: number;
  reversed_amount: number;
};

export const noSums = (): Sums => ({ sold: 0, sold_amount: 0, reversed: 0, reversed_amount: 0 });

export const sumKinds = keysOf(noSums());

export const addSums = (to: Sums, more: Readonly<Sums>): void => {
  for (const kind of sumKinds) to[kind] += more[kind];
};

/** A posting that counts, with what was bought. */
export type SalePosting = {
  readonly client_id: string;
  readonly kind: 'capture' | 'reverse';
  readonly amount: number;
  readonly at: number;
  readonly product_id: number;
  readonly operator_id: number;
};

/** A reversal counts on its own day, with the amount that it gives back. */
const sumsOf = ({ kind, amount }: SalePosting): Sums =>
  kind === 'capture'
    ? { ...noSums(), sold: 1, sold_amount: amount }
    : { ...noSums(), reversed: 1, reversed_amount: amount };

type Place = Omit<SalesRow, keyof Sums>;

/** The rows that a sale belongs to: one of each kind. */
const placesOf = (day: Day, posting: SalePosting): Place[] => {
  const { client_id, product_id, operator_id } = posting;
  const place = { day, client_id, product_id, operator_id };
  return [
    { ...place, kind: 'full' },
    { ...place, kind: 'month', day: monthOf(day).first },
    { ...place, kind: 'client', product_id: 0 },
    { ...place, kind: 'product', client_id: '' },
  ];
};

const byText = (one: string, other: string): number => {
  if (one === other) return 0;
  return one < other ? -1 : 1;
};

// All writers use one order, which prevents deadlocks.
const byPlace = (one: Place, other: Place): number =>
  byText(one.kind, other.kind) ||
  one.day - other.day ||
  byText(one.client_id, other.client_id) ||
  one.product_id - other.product_id ||
  one.operator_id - other.operator_id;

/** The sums to add, in the order in which they are written. */
export const rowsOf = (
  postings: readonly SalePosting[],
  dayOf: (moment: number) => Day,
): SalesRow[] => {
  const rows = new Map<string, Place & Sums>();
  for (const posting of postings) {
    for (const place of placesOf(dayOf(posting.at), posting)) {
      const { kind, day, client_id, product_id, operator_id } = place;
      const key = `${kind} ${day} ${client_id} ${product_id} ${operator_id}`;
      const row = rows.get(key) ?? { ...place, ...noSums() };
      rows.set(key, row);
      addSums(row, sumsOf(posting));
    }
  }
  return [...rows.values()].sort(byPlace);
};
