/** Calculates price changes: exact integers, rounded half up, skipping what cannot change. Pure. */
import { hash } from 'node:crypto';
import type { PriceField } from '../../catalogue/prices/moves.ts';
import type { Product } from '../../catalogue/product.ts';
import { type Decimal, readDecimal } from '../../lib/money.ts';

export { priceFields } from '../../catalogue/prices/moves.ts';

export const roundings = [1, 10, 100, 1000, 10_000] as const;

/** A percentage, positive or negative. */
export type Percent = { readonly isLess: boolean; readonly by: Decimal };

export type PriceChange =
  | { readonly percent: Percent }
  | { readonly amount: number }
  | { readonly price: number };

export type PriceUpdate = {
  readonly change: PriceChange;
  readonly fields: readonly PriceField[];
  readonly roundTo: number;
};

/** A plain decimal with or without a sign; undefined for anything else. */
export const readPercent = (text: string): Percent | undefined => {
  const trimmed = text.trim();
  const isLess = /^[-\u2212]/.test(trimmed);
  const by = readDecimal(trimmed.replace(/^[-\u2212+]/, ''));
  return by === undefined ? undefined : { isLess, by };
};

/** A price before it is rounded: one whole number divided by another, which is positive. */
type Ratio = { readonly over: bigint; readonly under: bigint };

const exactly = (before: number, change: PriceChange): Ratio => {
  if ('price' in change) return { over: BigInt(change.price), under: 1n };
  if ('amount' in change) return { over: BigInt(before) + BigInt(change.amount), under: 1n };
  const { isLess, by } = change.percent;
  const under = 100n * 10n ** BigInt(by.scale);
  return { over: BigInt(before) * (isLess ? under - by.digits : under + by.digits), under };
};

/** Why a product cannot have a new price. `too_large`: it could not be stored exactly. */
export const priceRefusals = [
  'below_zero',
  'too_large',
  'wrong_range',
  'set_by_operator',
  'not_found',
] as const;
export type PriceRefusal = (typeof priceRefusals)[number];

/** The new price, or why there is none. */
export const priceAfter = (
  before: number,
  { change, roundTo }: Pick<PriceUpdate, 'change' | 'roundTo'>,
): number | PriceRefusal => {
  const { over, under } = exactly(before, change);
  if (over < 0n) return 'below_zero';
  const step = BigInt(roundTo);
  const after = ((2n * over + under * step) / (2n * under * step)) * step;
  return after > BigInt(Number.MAX_SAFE_INTEGER) ? 'too_large' : Number(after);
};

/** One price of one product. */
export type PriceMove = {
  readonly id: number;
  readonly name: string;
  readonly name_en: string | null;
  readonly field: PriceField;
  readonly before: number;
  readonly after: number;
};

export type Refused = { readonly id: number; readonly code: PriceRefusal };

export type PricePlan = {
  /** The products after the change, without their times. */
  readonly products: readonly Product[];
  readonly moves: readonly PriceMove[];
  readonly unchanged: number;
  readonly refused: readonly Refused[];
};

type Judged =
  | { readonly code: PriceRefusal }
  | { readonly product: Product; readonly moves: readonly PriceMove[] };

const judge = (product: Product, update: PriceUpdate): Judged => {
  const { id, name, name_en } = product;
  const moves: PriceMove[] = [];
  for (const field of update.fields) {
    const before = product[field];
    if (before === null) continue;
    const after = priceAfter(before, update);
    if (typeof after === 'string') return { code: after };
    if (after === before) continue;
    moves.push({ id, name, name_en, field, before, after });
  }
  const afterOf = (field: PriceField): number | undefined =>
    moves.find((move) => move.field === field)?.after;
  const next: Product = {
    ...product,
    price: afterOf('price') ?? product.price,
    second_price: afterOf('second_price') ?? product.second_price,
    showable_price: afterOf('showable_price') ?? product.showable_price,
  };
  if (next.second_price !== null && next.second_price < next.price) return { code: 'wrong_range' };
  return { product: next, moves };
};

/** What a change does to products. Personal offers use the operator's prices, so theirs stay. */
export const planPrices = (
  products: readonly Product[],
  update: PriceUpdate,
  personalOffers: readonly number[],
): PricePlan => {
  const changed: Product[] = [];
  const moves: PriceMove[] = [];
  const refused: Refused[] = [];
  let unchanged = 0;
  for (const one of products) {
    const judged: Judged = personalOffers.includes(one.id)
      ? { code: 'set_by_operator' }
      : judge(one, update);
    if ('code' in judged) refused.push({ id: one.id, code: judged.code });
    else if (judged.moves.length === 0) unchanged += 1;
    else {
      changed.push(judged.product);
      moves.push(...judged.moves);
    }
  }
  return { products: changed, moves, unchanged, refused };
};

/** The effect of a change on prices, in percent. */
export type Effect = {
  readonly least: number;
  readonly most: number;
  /** Of the percentages of all prices. */
  readonly average: number;
};

export type PriceSummary = {
  /** The sums of the prices that change. */
  readonly before: number;
  readonly after: number;
  /** How many prices differ from the exact result because they were rounded. */
  readonly rounded: number;
  /** Null if every price was zero before. */
  readonly percent: Effect | null;
};

const toHundredths = (value: number): number => Math.round(value * 100) / 100;

const effectOf = (percents: readonly number[]): Effect | null => {
  if (percents.length === 0) return null;
  let [least, most, sum] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  for (const percent of percents) {
    least = Math.min(least, percent);
    most = Math.max(most, percent);
    sum += percent;
  }
  const average = sum / percents.length;
  return {
    least: toHundredths(least),
    most: toHundredths(most),
    average: toHundredths(average),
  };
};

/** What the prices become as a whole: rounding may change them by another percentage than the requested one. */
export const summarise = (
  moves: readonly PriceMove[],
  { change }: Pick<PriceUpdate, 'change'>,
): PriceSummary => {
  let [before, after, rounded] = [0, 0, 0];
  const percents: number[] = [];
  for (const move of moves) {
    before += move.before;
    after += move.after;
    const { over, under } = exactly(move.before, change);
    if (over !== BigInt(move.after) * under) rounded += 1;
    if (move.before > 0) percents.push((100 * (move.after - move.before)) / move.before);
  }
  return { before, after, rounded, percent: effectOf(percents) };
};

/** Changes whenever the catalogue or the planned change does. */
export const digestOfPrices = (version: string, moves: readonly PriceMove[]): string =>
  hash(
    'sha256',
    JSON.stringify([version, moves.map((one) => [one.id, one.field, one.before, one.after])]),
    'base64url',
  );
