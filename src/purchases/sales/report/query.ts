/** Describes a report of what was sold, and which rows of sums it needs. Pure. */
import { type Day, monthOf } from '../../../lib/calendar-day.ts';
import type { SalesKind } from '../sums.ts';

export const dimensions = ['day', 'client', 'product', 'operator', 'supplier'] as const;
export type Dimension = (typeof dimensions)[number];

/** Both days are in it. */
export type Period = { readonly from: Day; readonly to: Day };

/** What a report is limited to. */
export type SalesFilter = {
  readonly client?: string;
  readonly product?: number;
  readonly operator?: number;
  readonly supplier?: number;
};

export type SalesQuery = {
  readonly period: Period;
  readonly by: readonly Dimension[];
  readonly filter?: SalesFilter;
};

/** Those of the dimensions that the report is by. */
export type GroupKey = {
  readonly day?: Day;
  readonly client?: string;
  readonly product?: number;
  readonly operator?: number;
  readonly supplier?: number;
};

/** As many days as a period may have. */
export const mostDays = 366;

export const lengthOf = ({ from, to }: Period): number => to - from + 1;

/** The period of the same length that ends where this one begins. */
export const periodBefore = (period: Period): Period => ({
  from: period.from - lengthOf(period),
  to: period.from - 1,
});

/** Which rows to read: of a kind, from a day to another. */
export type Piece = Period & { readonly kind: SalesKind };

/** The whole months of a period, and the days before and after them. */
const byMonths = ({ from, to }: Period): Piece[] => {
  const start = monthOf(from);
  const first = start.first === from ? from : start.next;
  const end = monthOf(to + 1).first;
  if (first >= end) return [{ kind: 'full', from, to }];
  const pieces: Piece[] = [
    { kind: 'full', from, to: first - 1 },
    { kind: 'month', from: first, to: end - 1 },
    { kind: 'full', from: end, to },
  ];
  return pieces.filter((piece) => lengthOf(piece) > 0);
};

/** The fewest rows that know all the dimensions. */
export const piecesFor = ({ period, by, filter = {} }: SalesQuery): Piece[] => {
  const needs = (dimension: 'client' | 'product' | 'day'): boolean =>
    by.includes(dimension) || (dimension !== 'day' && filter[dimension] !== undefined);
  if (!needs('client')) return [{ kind: 'product', ...period }];
  if (!needs('product')) return [{ kind: 'client', ...period }];
  return needs('day') ? [{ kind: 'full', ...period }] : byMonths(period);
};
