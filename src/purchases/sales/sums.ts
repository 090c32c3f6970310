/** Adds up what was sold: turns postings into rows of sums by day, client, product, operator and supplier. Pure. */
import type { Tables } from '../../db/tables/tables.ts';
import { type Day, monthOf } from '../../lib/calendar-day.ts';
import { keysOf } from '../../lib/record.ts';
import type { Delivery } from '../floats/chain.ts';

export type SalesRow = Readonly<Tables['sales']>;
export type SalesKind = SalesRow['kind'];

/** What is added up: see the table. */
export type Sums = {
  -readonly [Name in Exclude<
    keyof SalesRow,
    'kind' | 'day' | 'client_id' | 'product_id' | 'operator_id' | 'supplier_id'
  >]: SalesRow[Name];
};

export const noSums = (): Sums => ({
  sold: 0,
  sold_price: 0,
  sold_amount: 0,
  sold_cost: 0,
  sold_uncosted: 0,
  sold_uncosted_amount: 0,
  reversed: 0,
  reversed_price: 0,
  reversed_amount: 0,
  reversed_cost: 0,
  reversed_uncosted: 0,
  reversed_uncosted_amount: 0,
  failed: 0,
});

export const sumKinds = keysOf(noSums());

export const addSums = (to: Sums, more: Readonly<Sums>): void => {
  for (const kind of sumKinds) to[kind] += more[kind];
};

/** A posting that counts, with what was bought. */
export type SalePosting = Delivery & {
  readonly kind: 'capture' | 'reverse' | 'release';
  readonly price: number;
  /** What was charged, given back or released. */
  readonly amount: number;
  readonly product_id: number;
  readonly operator_id: number;
};

type Place = Omit<SalesRow, keyof Sums>;

/** A reversal counts on its own day, with the amount and the cost that it reverses. */
const addPosting = (to: Sums, { kind, price, amount, cost }: SalePosting): void => {
  if (kind === 'release') {
    to.failed += 1;
    return;
  }
  const side = kind === 'capture' ? 'sold' : 'reversed';
  to[side] += 1;
  to[`${side}_price`] += price;
  to[`${side}_amount`] += amount;
  if (cost === null) {
    to[`${side}_uncosted`] += 1;
    to[`${side}_uncosted_amount`] += amount;
  } else {
    to[`${side}_cost`] += Math.abs(cost);
  }
};

/** Rows by their place: one that is there, or a new one without sums. */
const createRows = () => {
  const rows = new Map<string, Place & Sums>();
  return {
    rows,
    at: (place: Place): Place & Sums => {
      const { kind, day, client_id, product_id, operator_id, supplier_id } = place;
      const key = `${kind} ${day} ${product_id} ${operator_id} ${supplier_id} ${client_id}`;
      const found = rows.get(key);
      if (found !== undefined) return found;
      const row = { kind, day, client_id, product_id, operator_id, supplier_id, ...noSums() };
      rows.set(key, row);
      return row;
    },
  };
};

/** The places of the other kinds that a full row belongs to. */
const placesOf = (full: Place): Place[] => [
  { ...full, kind: 'month', day: monthOf(full.day).first },
  { ...full, kind: 'client', product_id: 0 },
  { ...full, kind: 'product', client_id: '' },
];

export const byText = (one: string, other: string): number => {
  if (one === other) return 0;
  return one < other ? -1 : 1;
};

// All writers use one order, which prevents deadlocks.
const byPlace = (one: Place, other: Place): number =>
  byText(one.kind, other.kind) ||
  one.day - other.day ||
  byText(one.client_id, other.client_id) ||
  one.product_id - other.product_id ||
  one.operator_id - other.operator_id ||
  one.supplier_id - other.supplier_id;

/** The sums to add, in the order in which they are written. */
export const rowsOf = (
  postings: readonly SalePosting[],
  dayOf: (moment: number) => Day,
): SalesRow[] => {
  const full = createRows();
  for (const posting of postings) {
    const { client_id, product_id, operator_id, supplier_id } = posting;
    const place = {
      kind: 'full',
      day: dayOf(posting.at),
      client_id,
      product_id,
      operator_id,
      supplier_id,
    } as const;
    addPosting(full.at(place), posting);
  }
  const others = createRows();
  for (const row of full.rows.values()) {
    for (const place of placesOf(row)) addSums(others.at(place), row);
  }
  return [...full.rows.values(), ...others.rows.values()].sort(byPlace);
};
