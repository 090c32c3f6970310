/** Changes price lists with an entry in the audit log. */
import {
  assignClient as assign,
  type ListChange,
  type PriceDeps,
  type Problems,
  removeList as removeOne,
  setVersion as setDated,
  setList as setOne,
  termsOf,
  type VersionChange,
  type WantedVersion,
  removeVersion as withdraw,
} from '../../pricing/change.ts';
import { printCommission, printEntry } from '../../pricing/csv.ts';
import type { EntryTerms, ListTerms, PriceList } from '../../pricing/price-list.ts';
import type { StoredList, StoredVersion } from '../../pricing/store.ts';
import type { VersionDiff } from '../../pricing/version.ts';
import { type AuditContext, auditChange } from '../audit/audit.ts';

/** Within a transaction, by an actor. */
export type PriceActing = AuditContext & Pick<PriceDeps, 'databaseTime'>;

const subjectOf = (id: number): string => `price list ${id}`;

const noted = (terms: ListTerms) => ({
  name: terms.name,
  parent_id: terms.parentId,
  allow_below_cost: terms.allowBelowCost,
});

const differing = (terms: ListTerms, other: ListTerms) => {
  const others = new Map<string, unknown>(Object.entries(noted(other)));
  return Object.fromEntries(
    Object.entries(noted(terms)).filter(([name, value]) => value !== others.get(name)),
  );
};

export const setList = async (
  acting: PriceActing,
  id: number | null,
  terms: ListTerms,
): Promise<ListChange> => {
  const change = await setOne(acting, id, termsOf(terms));
  if ('problems' in change || change.before === change.after) return change;
  const { before, after } = change;
  await auditChange(acting, {
    action: before === undefined ? 'price list create' : 'price list change',
    subject: subjectOf(after.id),
    ...(before === undefined
      ? { after: noted(after) }
      : { before: differing(before, after), after: differing(after, before) }),
  });
  return change;
};

export const removeList = async (
  acting: PriceActing,
  id: number,
): Promise<Problems | { readonly removed: StoredList }> => {
  const done = await removeOne(acting, id);
  if ('problems' in done) return done;
  await auditChange(acting, {
    action: 'price list remove',
    subject: subjectOf(id),
    before: noted(done.removed),
  });
  return done;
};

/** An entry in the words of its cells: `operator_id 2, product_type cell_internet`. */
const scopeOf = (terms: EntryTerms): string => {
  const { commission: _, ...scope } = printEntry(terms);
  const parts = Object.entries(scope).filter(([, cell]) => cell !== '');
  return parts.map(([name, cell]) => `${name} ${cell}`).join(', ') || '*';
};

// The audit log names what changed; a large import is known by its counts.
const mostNamed = 20;

/** The entries as text; nothing for none. */
const named = (entries: readonly EntryTerms[]): { readonly entries?: string } =>
  entries.length === 0
    ? {}
    : {
        entries: entries
          .slice(0, mostNamed)
          .map((terms) => `${scopeOf(terms)}: ${printCommission(terms.commission)}`)
          .join('; '),
      };

/** How many entries a version adds, changes, removes and leaves. */
export const countsOf = ({ added, changed, removed, unchanged }: VersionDiff) => ({
  added: added.length,
  changed: changed.length,
  removed: removed.length,
  unchanged,
});

export const setVersion = async (
  acting: PriceActing,
  listId: number,
  wanted: WantedVersion,
): Promise<VersionChange> => {
  const done = await setDated(acting, listId, wanted);
  if ('problems' in done || done.number === null) return done;
  const { diff, from } = done;
  const counts = countsOf(diff);
  await auditChange(acting, {
    action: 'price list version',
    subject: subjectOf(listId),
    before: named([...diff.changed.map(({ before }) => before), ...diff.removed]),
    after: {
      valid_from: new Date(from).toISOString(),
      entries_added: counts.added,
      entries_changed: counts.changed,
      entries_removed: counts.removed,
      ...named([...diff.added, ...diff.changed.map(({ after }) => after)]),
    },
  });
  return done;
};

export const removeVersion = async (
  acting: PriceActing,
  listId: number,
  number: number,
): Promise<Problems | { readonly list: StoredList; readonly removed: StoredVersion }> => {
  const done = await withdraw(acting, listId, number);
  if ('problems' in done) return done;
  await auditChange(acting, {
    action: 'price list version remove',
    subject: subjectOf(listId),
    before: {
      valid_from: new Date(done.removed.from).toISOString(),
      ...named(done.removed.entries),
    },
  });
  return done;
};

export const assignClient = async (
  acting: PriceActing,
  clientId: string,
  listId: number,
): Promise<Problems | { readonly before: PriceList; readonly after: PriceList } | undefined> => {
  const done = await assign(acting, clientId, listId);
  if (done === undefined || 'problems' in done || done.before === done.after) return done;
  await auditChange(acting, {
    action: 'client price list',
    subject: clientId,
    before: { price_list: done.before.name },
    after: { price_list: done.after.name },
  });
  return done;
};
