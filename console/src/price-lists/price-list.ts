/** Tells the versions of a price list apart by what is in force, and writes entries as a file. Pure. */
import type { Operations } from '../api/types.ts';
import { type Format, readWhole, toLatinDigits } from '../writing.ts';

export type PriceList = Operations['listPriceLists']['answer']['data'][number];
export type Version = PriceList['versions'][number];
export type Entry = Operations['getPriceList']['answer']['entries'][number];

/** The list of every client that is in no other. */
export const defaultId = 1;

/** Queries that a change of price lists may answer differently. */
export const priceReads = [
  'listPriceLists',
  'getPriceList',
  'getClientPriceList',
  'explainPrice',
] as const;

/** By when they begin, the last one first. */
export const byBeginning = (versions: readonly Version[]): readonly Version[] =>
  versions.toSorted((one, other) => Date.parse(other.valid_from) - Date.parse(one.valid_from));

/** The version in force at a moment; undefined before the first. */
export const inForce = (
  { versions }: Pick<PriceList, 'versions'>,
  at: number,
): Version | undefined =>
  byBeginning(versions).find(({ valid_from: from }) => Date.parse(from) <= at);

/** The next version that begins. */
export const nextOf = (
  { versions }: Pick<PriceList, 'versions'>,
  at: number,
): Version | undefined =>
  byBeginning(versions).findLast(({ valid_from: from }) => Date.parse(from) > at);

export type VersionState = 'planned' | 'current' | 'past';

export const stateOf = (list: PriceList, version: Version, at: number): VersionState => {
  if (Date.parse(version.valid_from) > at) return 'planned';
  return inForce(list, at)?.number === version.number ? 'current' : 'past';
};

/** An entry as it is typed: IDs, empty for any. */
export type Draft = Readonly<
  Record<'product_id' | 'category_id' | 'operator_id' | 'product_type' | 'commission', string>
>;

export const emptyDraft: Draft = {
  product_id: '',
  category_id: '',
  operator_id: '',
  product_type: '',
  commission: '',
};

const textOf = (value: string | number | null): string => (value === null ? '' : String(value));

/** A commission as people of the language type it. */
const commissionText = (commission: string, { decimal, count, locale }: Format): string =>
  commission.endsWith('%')
    ? `${decimal(commission.slice(0, -1))}${locale === 'fa' ? '٪' : '%'}`
    : count(Number(commission));

export const draftOf = (entry: Entry, format: Format): Draft => ({
  product_id: textOf(entry.product_id),
  category_id: textOf(entry.category_id),
  operator_id: textOf(entry.operator_id),
  product_type: textOf(entry.product_type),
  commission: commissionText(entry.commission, format),
});

/** A typed commission as the API takes it: `2.5%` or `500`; undefined if it is neither. */
export const commissionIn = (typed: string): string | undefined => {
  const amount = readWhole(typed);
  if (amount !== undefined) return amount < 0 ? undefined : String(amount);
  const latin = toLatinDigits(typed).replace('٪', '%').replace('٫', '.').replaceAll(/\s/g, '');
  return /^\d{1,3}(\.\d{1,4})?%$/.test(latin) ? latin : undefined;
};

/** The products that an entry is for. A product stands alone. */
const scopeOf = (draft: Draft): readonly string[] =>
  draft.product_id === ''
    ? ['', draft.category_id, draft.operator_id, draft.product_type]
    : [draft.product_id, '', '', ''];

export type DraftFault = { readonly fault: 'commission' } | { readonly sameAs: number };

/** What is wrong with each entry; undefined if nothing is. `sameAs` counts from 1. */
export const faultsIn = (drafts: readonly Draft[]): readonly (DraftFault | undefined)[] => {
  const scopes = drafts.map((draft) => scopeOf(draft).join(' '));
  return drafts.map(({ commission }, index) => {
    if (commissionIn(commission) === undefined) return { fault: 'commission' };
    const first = scopes.indexOf(scopes[index] ?? '');
    return first < index ? { sameAs: first + 1 } : undefined;
  });
};

/** The entries as the file of an import. */
export const fileOf = (drafts: readonly Draft[]): string =>
  [
    'product_id,category_id,operator_id,product_type,commission',
    ...drafts.map((draft) => [...scopeOf(draft), commissionIn(draft.commission) ?? ''].join(',')),
    '',
  ].join('\n');
