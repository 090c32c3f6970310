/** Changes routes with an entry in the audit log. */
import {
  importRoutes as importInto,
  type RouteChange,
  type RouteDeps,
  type RouteImport,
  removeRoute as remove,
  setRoute as set,
} from '../../routing/change.ts';
import { printTerms, type ReadRoute } from '../../routing/csv.ts';
import type { Route, RouteTerms } from '../../routing/route.ts';
import { type AuditContext, auditChange } from '../audit/audit.ts';

/** Within a transaction, by an actor. */
export type RouteActing = AuditContext & Pick<RouteDeps, 'databaseTime' | 'knowsSupplier'>;

const subjectOf = (id: number): string => `route ${id}`;

/** The terms that say something. */
const noted = (terms: RouteTerms): Record<string, string> =>
  Object.fromEntries(Object.entries(printTerms(terms)).filter(([, cell]) => cell !== ''));

/** The terms that differ from others. */
const differing = (terms: RouteTerms, other: RouteTerms): Record<string, string> => {
  const others = new Map(Object.entries(printTerms(other)));
  return Object.fromEntries(
    Object.entries(printTerms(terms)).filter(([name, cell]) => cell !== others.get(name)),
  );
};

export const setRoute = async (
  acting: RouteActing,
  id: number | null,
  terms: RouteTerms,
): Promise<RouteChange> => {
  const change = await set(acting, id, terms);
  if ('problems' in change || change.before === change.after) return change;
  const { before, after } = change;
  await auditChange(acting, {
    action: before === undefined ? 'route create' : 'route change',
    subject: subjectOf(after.id),
    ...(before === undefined
      ? { after: noted(after) }
      : { before: differing(before, after), after: differing(after, before) }),
  });
  return change;
};

export const removeRoute = async (acting: RouteActing, id: number): Promise<Route | undefined> => {
  const removed = await remove(acting, id);
  if (removed === undefined) return undefined;
  await auditChange(acting, {
    action: 'route remove',
    subject: subjectOf(id),
    before: noted(removed),
  });
  return removed;
};

/** How many routes an import adds, changes, removes and leaves. */
export const countsOf = ({ diff }: Pick<RouteImport, 'diff'>) => ({
  added: diff.added.length,
  changed: diff.changed.length,
  removed: diff.removed.length,
  unchanged: diff.unchanged,
});

export const importRoutes = async (
  acting: RouteActing,
  rows: readonly ReadRoute[],
  { removeMissing, sha256 }: { readonly removeMissing: boolean; readonly sha256: string },
): Promise<RouteImport> => {
  const done = await importInto(acting, rows, removeMissing);
  const counts = countsOf(done);
  const isChange = counts.added + counts.changed + counts.removed > 0;
  if (done.problems.length > 0 || !isChange) return done;
  await auditChange(acting, {
    action: 'route import',
    subject: 'routes',
    after: {
      routes_added: counts.added,
      routes_changed: counts.changed,
      routes_removed: counts.removed,
      routes_unchanged: counts.unchanged,
      remove_missing_routes: removeMissing,
      sha256,
    },
  });
  return done;
};
