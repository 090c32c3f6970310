/** Finds the version of a price list in force at a moment, and compares entries. Pure. */
import { printEntry, scopeKey } from './csv.ts';
import type { EntryTerms, ListVersion, PriceList } from './price-list.ts';

/** The version in force at a moment; undefined before the first. */
export const versionAt = <Version extends Pick<ListVersion, 'from'>>(
  { versions }: { readonly versions: readonly Version[] },
  moment: number,
): Version | undefined =>
  versions
    .filter(({ from }) => from <= moment)
    .reduce<Version | undefined>(
      (latest, one) => (latest === undefined || one.from > latest.from ? one : latest),
      undefined,
    );

/** What differs between the entries of two versions. */
export type VersionDiff = {
  readonly added: readonly EntryTerms[];
  readonly changed: readonly { readonly before: EntryTerms; readonly after: EntryTerms }[];
  readonly removed: readonly EntryTerms[];
  readonly unchanged: number;
};

const says = (terms: EntryTerms): string => JSON.stringify(printEntry(terms));

/** By the products that the entries are for. */
export const diffEntries = (
  before: readonly EntryTerms[],
  after: readonly EntryTerms[],
): VersionDiff => {
  const wanted = new Set(after.map(scopeKey));
  const known = new Map(before.map((terms) => [scopeKey(terms), terms]));
  const added: EntryTerms[] = [];
  const changed: { before: EntryTerms; after: EntryTerms }[] = [];
  for (const terms of after) {
    const was = known.get(scopeKey(terms));
    if (was === undefined) added.push(terms);
    else if (says(was) !== says(terms)) changed.push({ before: was, after: terms });
  }
  return {
    added,
    changed,
    removed: before.filter((terms) => !wanted.has(scopeKey(terms))),
    unchanged: after.length - added.length - changed.length,
  };
};

/** The lists as they would be with another version. */
export const withVersion = (
  lists: readonly PriceList[],
  listId: number,
  { from, entries }: { readonly from: number; readonly entries: readonly EntryTerms[] },
): readonly PriceList[] =>
  lists.map((list) => {
    if (list.id !== listId) return list;
    const others = list.versions.filter((version) => version.from !== from);
    const added = entries.map((terms, index) => ({ ...terms, id: index + 1 }));
    return { ...list, versions: [...others, { number: 0, from, entries: added }] };
  });
