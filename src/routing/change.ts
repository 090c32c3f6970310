/** Changes routes: compares what is wanted with what is in force, closes the old rows and adds new ones. */

import type { FileProblem } from '../catalogue/file/lines.ts';
import { aboutField, type Fault } from '../catalogue/file/texts.ts';
import { bumpVersion, lockVersion } from '../db/changes/versions.ts';
import type { DatabaseTime, Db } from '../db/types.ts';
import type { NewId } from '../lib/random.ts';
import { printTerms, type ReadRoute } from './csv.ts';
import type { Route, RouteTerms } from './route.ts';
import {
  closeRoutes,
  insertRoutes,
  type KnownParts,
  lastRouteId,
  listRoutes,
  type RouteVersion,
  readKnownParts,
} from './store.ts';
import { routeFaults, routeTexts } from './texts.ts';

/** Within a transaction. */
export type RouteDeps = {
  readonly db: Db;
  readonly newId: NewId;
  readonly databaseTime: DatabaseTime;
  /** Of those in the configuration file; the others are in the database. */
  readonly knowsSupplier: (supplierId: number) => boolean;
};

/** What differs between the routes in force and those that are wanted. */
export type RouteDiff = {
  readonly added: readonly ReadRoute[];
  readonly changed: readonly { readonly before: RouteVersion; readonly after: ReadRoute }[];
  readonly removed: readonly RouteVersion[];
  readonly unchanged: number;
};

const keyOf = (terms: RouteTerms): string => JSON.stringify(printTerms(terms));

/** Compares purely. A row without an id is the route that says the same, or a new one. */
export const diffRoutes = (
  stored: readonly RouteVersion[],
  rows: readonly ReadRoute[],
  removeMissing: boolean,
): RouteDiff & { readonly problems: readonly FileProblem[] } => {
  const byId = new Map(stored.map((route) => [route.id, route]));
  const named = new Set(rows.map(({ id }) => id));
  const unnamed = Map.groupBy(
    stored.filter(({ id }) => !named.has(id)),
    keyOf,
  );
  const added: ReadRoute[] = [];
  const changed: { before: RouteVersion; after: ReadRoute }[] = [];
  const problems: FileProblem[] = [];
  const kept = new Set<number>();
  for (const row of rows) {
    const { id, line, terms } = row;
    const before = id === null ? unnamed.get(keyOf(terms))?.shift() : byId.get(id);
    if (before !== undefined) kept.add(before.id);
    if (before === undefined && id !== null) {
      problems.push({ line, field: 'id', message: routeTexts.unknownRoute(id) });
    } else if (before === undefined) added.push(row);
    else if (keyOf(before) !== keyOf(terms)) changed.push({ before, after: row });
  }
  const missing = stored.filter(({ id }) => !kept.has(id));
  return {
    added,
    changed,
    removed: removeMissing ? missing : [],
    unchanged: kept.size - changed.length,
    problems,
  };
};

const faultsOf = (
  terms: RouteTerms,
  known: KnownParts,
  knowsSupplier: RouteDeps['knowsSupplier'],
): readonly (readonly [field: string, fault: Fault])[] => {
  const { operatorId, productId, categoryId, clientId, supplierId } = terms;
  const faults: (readonly [string, Fault])[] = [];
  const owner = productId === null ? operatorId : known.products.get(productId);
  if (productId !== null && owner === undefined) {
    faults.push(['product_id', routeFaults.unknown(productId)]);
  } else if (productId !== null && owner !== undefined && owner !== operatorId) {
    faults.push(['product_id', routeFaults.otherOperator(productId, owner)]);
  }
  if (categoryId !== null && !known.categories.has(categoryId)) {
    faults.push(['category_id', routeFaults.unknown(categoryId)]);
  }
  if (clientId !== null && !known.clients.has(clientId)) {
    faults.push(['client_id', routeFaults.unknown(clientId)]);
  }
  if (!known.suppliers.has(supplierId) && !knowsSupplier(supplierId))
    faults.push(['supplier_id', routeFaults.unknown(supplierId)]);
  return faults;
};

/** Names of things that do not exist, in routes that are new or change. */
const unknownNames = async (
  { db, knowsSupplier }: RouteDeps,
  { added, changed }: RouteDiff,
): Promise<FileProblem[]> => {
  const rows = [...added, ...changed.map(({ after }) => after)];
  const known = await readKnownParts(
    db,
    rows.map(({ terms }) => terms),
  );
  return rows.flatMap(({ line, terms }) =>
    faultsOf(terms, known, knowsSupplier).map(([field, fault]) => ({
      line,
      field,
      message: aboutField(field, fault),
    })),
  );
};

/** Writes a difference; returns the ids of the routes that were added, in their order. */
const writeDiff = async (
  { db, newId, databaseTime }: RouteDeps,
  { added, changed, removed }: RouteDiff,
): Promise<readonly number[]> => {
  if (added.length + changed.length + removed.length === 0) return [];
  const now = await databaseTime(db);
  const last = await lastRouteId(db);
  const ids = added.map((_, index) => last + index + 1);
  await closeRoutes(
    db,
    [...changed.map(({ before }) => before.id), ...removed.map(({ id }) => id)],
    now,
  );
  await insertRoutes(db, [
    ...changed.map(({ before: { id, version }, after: { terms } }) => ({
      terms,
      key: { id, version: version + 1, created_at: now },
    })),
    ...added.map(({ terms }, index) => ({
      terms,
      key: { id: last + index + 1, version: 1, created_at: now },
    })),
  ]);
  await bumpVersion(db, 'routes', newId);
  return ids;
};

export type RouteImport = {
  readonly diff: RouteDiff;
  readonly problems: readonly FileProblem[];
  /** Of the routes that were added, in the order of the file. */
  readonly ids: readonly number[];
};

/** What an import would change, and what is wrong with it. Changes nothing. */
export const previewRoutes = async (
  deps: RouteDeps,
  rows: readonly ReadRoute[],
  removeMissing: boolean,
): Promise<Omit<RouteImport, 'ids'>> => {
  const { problems, ...diff } = diffRoutes(await listRoutes(deps.db), rows, removeMissing);
  const unknown = await unknownNames(deps, diff);
  return {
    diff,
    problems: [...problems, ...unknown].sort((one, other) => one.line - other.line),
  };
};

/** Imports rows: all of them, or none if there are problems. */
export const importRoutes = async (
  deps: RouteDeps,
  rows: readonly ReadRoute[],
  removeMissing: boolean,
): Promise<RouteImport> => {
  await lockVersion(deps.db, 'routes');
  const found = await previewRoutes(deps, rows, removeMissing);
  const ids = found.problems.length > 0 ? [] : await writeDiff(deps, found.diff);
  return { ...found, ids };
};

/** What became of one route: its problems, or how it was before and is now. */
export type RouteChange =
  | { readonly problems: readonly FileProblem[] }
  | { readonly before: Route | undefined; readonly after: Route };

/** Creates a route, or changes the one with an id. */
export const setRoute = async (
  deps: RouteDeps,
  id: number | null,
  terms: RouteTerms,
): Promise<RouteChange> => {
  await lockVersion(deps.db, 'routes');
  const stored = (await listRoutes(deps.db)).find((route) => route.id === id);
  if (id !== null && stored === undefined) {
    return { problems: [{ line: 1, field: 'id', message: routeTexts.unknownRoute(id) }] };
  }
  const row = { line: 1, id, terms };
  const isSame = stored !== undefined && keyOf(stored) === keyOf(terms);
  if (isSame) return { before: stored, after: stored };
  const diff: RouteDiff = {
    added: stored === undefined ? [row] : [],
    changed: stored === undefined ? [] : [{ before: stored, after: row }],
    removed: [],
    unchanged: 0,
  };
  const problems = await unknownNames(deps, diff);
  if (problems.length > 0) return { problems };
  const [added] = await writeDiff(deps, diff);
  return { before: stored, after: { ...terms, id: id ?? added ?? 0 } };
};

/** Removes a route; returns it as it was, or undefined if there is none. */
export const removeRoute = async (deps: RouteDeps, id: number): Promise<Route | undefined> => {
  await lockVersion(deps.db, 'routes');
  const stored = (await listRoutes(deps.db)).find((route) => route.id === id);
  if (stored === undefined) return undefined;
  await writeDiff(deps, { added: [], changed: [], removed: [stored], unchanged: 0 });
  return stored;
};
