/** Explains what a client pays without buying: each entry that fits, and which one decides. */
import { chargeOf, explainEntries, type PriceBook, type PriceRequest } from './choose.ts';
import type { Entry, ListVersion, PriceList } from './price-list.ts';

/** What becomes of an entry that fits; `nothing` stands for a list without any. */
export const stepCodes = ['decides', 'less_specific', 'parent', 'nothing'] as const;

export type ExplainedStep = {
  readonly list: PriceList;
  /** Undefined before the first version of the list. */
  readonly version: ListVersion | undefined;
  readonly entry: Entry | undefined;
  readonly code: (typeof stepCodes)[number];
};

export type ExplainedCharge = {
  readonly charged: number;
  readonly commission: number;
  /** In the order in which they are tried. */
  readonly steps: readonly ExplainedStep[];
};

export const explainCharge = (
  book: PriceBook,
  request: PriceRequest & { readonly price: number; readonly cost: number | undefined },
): ExplainedCharge => {
  const { charged, priceEntryId } = chargeOf(book, request);
  const found = explainEntries(book, request);
  const deciding = found.findIndex(({ entries }) => entries.length > 0);
  const steps = found.flatMap(({ list, version, entries }, index): ExplainedStep[] => {
    if (entries.length === 0) return [{ list, version, entry: undefined, code: 'nothing' }];
    return entries.map((entry) => {
      const code = index === deciding ? 'less_specific' : 'parent';
      return { list, version, entry, code: entry.id === priceEntryId ? 'decides' : code };
    });
  });
  return { charged, commission: request.price - charged, steps };
};
