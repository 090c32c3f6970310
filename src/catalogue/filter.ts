/** Filters and orders products, and matches their names. Pure. */
import { latinDigits } from '../lib/digits.ts';
import { perKey } from '../lib/memo.ts';
import type { Product } from './product.ts';

export type Filter = {
  readonly name?: string | undefined;
  readonly simCardType?: Product['sim_card_type'] | undefined;
  readonly type?: Product['type'] | undefined;
  readonly operatorId?: number | undefined;
};

export type Order = {
  readonly by: 'position' | 'id' | 'change';
  readonly direction: 'asc' | 'desc';
};

const fold = (text: string): string =>
  latinDigits(text.normalize('NFKC').toLowerCase())
    .replace(/[\u064A\u0649]/g, '\u06CC')
    .replace(/\u0643/g, '\u06A9');

/**
 * A text for comparing names: its letters and digits in one form without spaces, and a character for each gap
 * before, between and after them: '.' for none, '-' for a half-space, ' ' for a space.
 */
export type Folded = { readonly letters: string; readonly gaps: string };

export const foldName = (text: string): Folded => {
  const folded = fold(text);
  // Joined at the end: a text that grows by single letters is stored in as many pieces.
  const letters: string[] = [];
  const gaps: string[] = [];
  let gap = '.';
  for (let index = 0; index < folded.length; index += 1) {
    const sign = folded.charAt(index);
    if (sign === '\u200C') {
      if (gap === '.') gap = '-';
    } else if (sign.trim() === '') {
      gap = ' ';
    } else {
      letters.push(sign);
      gaps.push(gap);
      gap = '.';
    }
  }
  return { letters: letters.join(''), gaps: [...gaps, gap].join('') };
};

/** People write a half-space as one, as a space, or not at all, so it matches all three. */
const gapsFit = (name: string, part: string, at: number): boolean => {
  for (let index = 0; index < part.length; index += 1) {
    const [own, asked] = [name.charAt(at + index), part.charAt(index)];
    const atEdge = index === 0 || index === part.length - 1;
    const fits = own === asked || own === '-' || asked === '-' || (atEdge && asked === '.');
    if (!fits) return false;
  }
  return true;
};

export const nameContains = (name: Folded, part: Folded): boolean => {
  if (part.letters === '') return true;
  let at = name.letters.indexOf(part.letters);
  while (at !== -1 && !gapsFit(name.gaps, part.gaps, at)) {
    at = name.letters.indexOf(part.letters, at + 1);
  }
  return at !== -1;
};

/** A product with its names prepared for search, and its last change. */
export type Searchable = {
  readonly product: Product;
  readonly names: readonly Folded[];
  readonly changedAt: number;
};

/** Prepares products; equal names share their form. */
export const createSearchables = (
  changedAt: readonly number[] = [],
): ((product: Product, index: number) => Searchable) => {
  const foldOnce = perKey(foldName);
  return (product, index) => ({
    product,
    names: [product.name, product.name_en ?? ''].map(foldOnce),
    changedAt: changedAt[index] ?? 0,
  });
};

export const matcher = (filter: Filter): ((candidate: Searchable) => boolean) => {
  const part = filter.name === undefined ? undefined : foldName(filter.name);
  return ({ product, names }) =>
    (filter.simCardType === undefined || product.sim_card_type === filter.simCardType) &&
    (filter.type === undefined || product.type === filter.type) &&
    (filter.operatorId === undefined || product.operator_id === filter.operatorId) &&
    (part === undefined || names.some((name) => nameContains(name, part)));
};

export const compareById = (a: Searchable, b: Searchable): number => a.product.id - b.product.id;

export const compareByPosition = (a: Searchable, b: Searchable): number =>
  a.product.order - b.product.order || compareById(a, b);

export const compareByChange = (a: Searchable, b: Searchable): number => a.changedAt - b.changedAt;

export type ListingQuery = {
  readonly filter: Filter;
  readonly order: Order;
  readonly withCategories: boolean;
};

export type Listing = {
  readonly total: number;
  /** The beginning of an answer: the products from `start` to before `end` as its `data`. */
  readonly data: (start: number, end: number) => Buffer;
};
