/** Changes price lists: creates and removes them, dates their versions, and puts clients into them. */
import type { FileProblem } from '../catalogue/file/lines.ts';
import { aboutField, type Fault, fieldFaults } from '../catalogue/file/texts.ts';
import { bumpVersion, lockVersion } from '../db/changes/versions.ts';
import type { DatabaseTime, Db } from '../db/types.ts';
import type { NewId } from '../lib/random.ts';
import type { Text } from '../lib/text.ts';
import { type ReadEntry, repeatedScopes } from './csv.ts';
import { unknownParts } from './known.ts';
import { defaultListId, type ListTerms, type PriceList } from './price-list.ts';
import {
  insertList,
  insertVersion,
  markListRemoved,
  readAssignments,
  readListId,
  readLists,
  type StoredList,
  type StoredVersion,
  updateList,
  withdrawVersion,
  writeAssignment,
  writeDefaultList,
} from './store.ts';
import { priceFaults, priceTexts } from './texts.ts';
import { diffEntries, type VersionDiff, versionAt } from './version.ts';

/** Within a transaction. */
export type PriceDeps = {
  readonly db: Db;
  readonly newId: NewId;
  readonly databaseTime: DatabaseTime;
};

export type Problems = { readonly problems: readonly FileProblem[] };

const problem = (message: Text, field?: string): Problems => ({
  problems: [{ line: 1, ...(field === undefined ? {} : { field }), message }],
});

const faulty = (field: string, fault: Fault): Problems => problem(aboutField(field, fault), field);

const unknownList = (id: number): Problems => problem(priceTexts.unknownList(id), 'list_id');

/** The price lists, which no other transaction changes until this one ends. */
const lockedLists = async (db: Db): Promise<readonly StoredList[]> => {
  await lockVersion(db, 'prices');
  await writeDefaultList(db);
  return readLists(db);
};

const isBelow = (lists: readonly PriceList[], id: number, parentId: number | null): boolean => {
  let at = parentId;
  for (let steps = 0; at !== null && steps <= lists.length; steps += 1) {
    if (at === id) return true;
    at = lists.find((list) => list.id === at)?.parentId ?? null;
  }
  return false;
};

const faultsIn = (
  lists: readonly PriceList[],
  id: number | null,
  { name, parentId }: ListTerms,
): Problems | undefined => {
  if (name.trim() === '') return faulty('name', fieldFaults.blank);
  const same = lists.find((list) => list.name === name);
  if (same !== undefined && same.id !== id) return faulty('name', priceFaults.taken(name));
  if (parentId === null) return undefined;
  if (!lists.some((list) => list.id === parentId)) {
    return faulty('parent_id', priceFaults.unknown(parentId));
  }
  return id !== null && isBelow(lists, id, parentId)
    ? faulty('parent_id', priceFaults.circle)
    : undefined;
};

export const termsOf = ({ name, parentId, allowBelowCost }: ListTerms): ListTerms => ({
  name,
  parentId,
  allowBelowCost,
});

const isSame = (one: ListTerms, other: ListTerms): boolean =>
  JSON.stringify(termsOf(one)) === JSON.stringify(termsOf(other));

export type ListChange =
  | Problems
  | { readonly before: StoredList | undefined; readonly after: StoredList };

/** Creates a price list, or changes the one with an id. */
export const setList = async (
  { db, newId, databaseTime }: PriceDeps,
  id: number | null,
  terms: ListTerms,
): Promise<ListChange> => {
  const lists = await lockedLists(db);
  const before = lists.find((list) => list.id === id);
  if (id !== null && before === undefined) return unknownList(id);
  const faults = faultsIn(lists, id, terms);
  if (faults !== undefined) return faults;
  if (before !== undefined && isSame(before, terms)) return { before, after: before };
  const createdAt = before?.createdAt ?? (await databaseTime(db));
  if (before !== undefined) await updateList(db, before.id, terms);
  const listId = before?.id ?? (await insertList(db, terms, createdAt));
  await bumpVersion(db, 'prices', newId);
  const versions = before?.versions ?? [];
  return { before, after: { id: listId, ...terms, createdAt, versions } };
};

/** Removes a price list that no client and no other list uses. */
export const removeList = async (
  { db, newId, databaseTime }: PriceDeps,
  id: number,
): Promise<Problems | { readonly removed: StoredList }> => {
  const lists = await lockedLists(db);
  const removed = lists.find((list) => list.id === id);
  if (removed === undefined) return unknownList(id);
  if (id === defaultListId) return problem(priceTexts.isDefault);
  const child = lists.find(({ parentId }) => parentId === id);
  if (child !== undefined) return problem(priceTexts.isParent(child.id));
  const clients = [...(await readAssignments(db)).values()].filter((one) => one === id);
  if (clients.length > 0) return problem(priceTexts.hasClients(clients.length));
  await markListRemoved(db, id, await databaseTime(db));
  await bumpVersion(db, 'prices', newId);
  return { removed };
};

/** A version that is wanted. */
export type WantedVersion = {
  /** From when; null is now. */
  readonly from: number | null;
  readonly entries: readonly ReadEntry[];
};

export type VersionPreview = {
  readonly list: StoredList;
  /** What differs from the version that would otherwise be in force then. */
  readonly diff: VersionDiff;
  /** From when it would be in force. */
  readonly from: number;
  readonly problems: readonly FileProblem[];
};

/** What a version would change, and what is wrong with it. Changes nothing. */
export const previewVersion = async (
  { db, databaseTime }: Pick<PriceDeps, 'db' | 'databaseTime'>,
  listId: number,
  { from: wanted, entries }: WantedVersion,
): Promise<Problems | VersionPreview> => {
  const list = (await readLists(db)).find(({ id }) => id === listId);
  if (list === undefined) return unknownList(listId);
  const now = await databaseTime(db);
  const latest = Math.max(0, ...list.versions.map(({ from }) => from).filter((at) => at <= now));
  // Two changes of one millisecond are two versions.
  const from = wanted ?? Math.max(now, latest + 1);
  if (from <= latest || from < now) return faulty('from', priceFaults.past);
  const problems = [...repeatedScopes(entries), ...(await unknownParts(db, entries))];
  return {
    list,
    from,
    diff: diffEntries(
      versionAt(list, from)?.entries ?? [],
      entries.map(({ terms }) => terms),
    ),
    problems: problems.sort((one, other) => one.line - other.line),
  };
};

export type VersionChange =
  | Problems
  | (Omit<VersionPreview, 'problems'> & {
      /** Of the version that was written; null if nothing differs. */
      readonly number: number | null;
    });

/** Writes what a list says from a moment on. A version that begins at the same moment is withdrawn. */
export const setVersion = async (
  deps: PriceDeps,
  listId: number,
  wanted: WantedVersion,
): Promise<VersionChange> => {
  const { db, newId, databaseTime } = deps;
  await lockedLists(db);
  const found = await previewVersion(deps, listId, wanted);
  if (!('diff' in found) || found.problems.length > 0) return { problems: found.problems };
  const { list, diff, from } = found;
  const { added, changed, removed } = diff;
  if (added.length + changed.length + removed.length === 0)
    return { list, diff, from, number: null };
  const now = await databaseTime(db);
  const replaced = list.versions.find((version) => version.from === from);
  if (replaced !== undefined) await withdrawVersion(db, { listId, number: replaced.number }, now);
  const entries = wanted.entries.map(({ terms }) => terms);
  const number = await insertVersion(db, listId, { from, entries }, now);
  await bumpVersion(db, 'prices', newId);
  return { list, diff, from, number };
};

/** Withdraws a version that has not begun. */
export const removeVersion = async (
  { db, newId, databaseTime }: PriceDeps,
  listId: number,
  number: number,
): Promise<Problems | { readonly list: StoredList; readonly removed: StoredVersion }> => {
  const list = (await lockedLists(db)).find(({ id }) => id === listId);
  if (list === undefined) return unknownList(listId);
  const now = await databaseTime(db);
  const removed = list.versions.find((version) => version.number === number);
  if (removed === undefined || removed.from <= now) return problem(priceTexts.hasBegun);
  await withdrawVersion(db, { listId, number }, now);
  await bumpVersion(db, 'prices', newId);
  return { list, removed };
};

/** Puts a client into a price list; undefined if there is no such client. */
export const assignClient = async (
  { db, newId }: Omit<PriceDeps, 'databaseTime'>,
  clientId: string,
  listId: number,
): Promise<Problems | { readonly before: PriceList; readonly after: PriceList } | undefined> => {
  const lists = await lockedLists(db);
  const client = await db
    .selectFrom('clients')
    .select('id')
    .where('id', '=', clientId)
    .executeTakeFirst();
  if (client === undefined) return undefined;
  const after = lists.find(({ id }) => id === listId);
  if (after === undefined) return unknownList(listId);
  const current = await readListId(db, clientId);
  const before = lists.find(({ id }) => id === current);
  if (before === undefined) return unknownList(current);
  if (before.id === after.id) return { before: after, after };
  await writeAssignment(db, clientId, listId);
  await bumpVersion(db, 'prices', newId);
  return { before, after };
};
