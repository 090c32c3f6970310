/** Owns what a listing selects: filters, the matching of names, the order. Pure. */
import { latinDigits } from '../lib/digits.ts';
import type { Product } from './product.ts';

export type Filter = {
  readonly name?: string;
  readonly simCardType?: Product['sim_card_type'];
  readonly type?: Product['type'];
  readonly operatorId?: number;
};

export type Order = {
  readonly by: 'position' | 'id';
  readonly direction: 'asc' | 'desc';
};

const halfSpace = /\u200C/g;

const fold = (text: string): string =>
  latinDigits(text.normalize('NFKC').toLowerCase())
    .replace(/[\u064A\u0649]/g, '\u06CC')
    .replace(/\u0643/g, '\u06A9');

/**
 * A text as names are compared: letters and digits of one form. People write a half-space as one, as
 * a space, or not at all, so each text has both forms and two texts match in either.
 */
export type Folded = { readonly joined: string; readonly spaced: string };

export const foldName = (text: string): Folded => {
  const folded = fold(text);
  return { joined: folded.replace(halfSpace, ''), spaced: folded.replace(halfSpace, ' ') };
};

export const nameContains = (name: Folded, part: Folded): boolean =>
  name.joined.includes(part.joined) || name.spaced.includes(part.spaced);

/** A product with its names ready to be searched. */
export type Searchable = { readonly product: Product; readonly names: readonly Folded[] };

export const searchable = (product: Product): Searchable => ({
  product,
  names: [product.name, product.name_en ?? ''].map(foldName),
});

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
