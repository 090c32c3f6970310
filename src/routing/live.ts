/** Keeps the routes in memory, compiled, so that a choice needs no query. */
import { readVersion } from '../db/changes/versions.ts';
import type { Db } from '../db/types.ts';
import type { Clock } from '../lib/clock.ts';
import type { Route } from './route.ts';
import { listRoutes } from './store.ts';
import { suppliersOf } from './suppliers.ts';
import { compileRoutes, type RouteTable } from './table.ts';

export type LiveRoutes = {
  readonly table: () => RouteTable;
  /** By their ids. */
  readonly all: () => readonly Route[];
  /** The version of the routes that the table has. */
  readonly version: () => string;
  /** The suppliers that an operator's products can be ordered from now. */
  readonly suppliersOf: (operatorId: number) => readonly number[];
  /** Reads them from the database; also when their version moves. */
  readonly reload: () => Promise<void>;
};

type Loaded = {
  readonly version: string;
  readonly routes: readonly Route[];
  readonly table: RouteTable;
};

const load = async (db: Db): Promise<Loaded> => {
  for (;;) {
    const version = await readVersion(db, 'routes');
    const routes = await listRoutes(db);
    // Otherwise a change came in between, and the routes may be newer than the version.
    if ((await readVersion(db, 'routes')) === version) {
      return { version, routes, table: compileRoutes(routes) };
    }
  }
};

export const createLiveRoutes = (db: Db, clock: Pick<Clock, 'now'>): LiveRoutes => {
  let loaded: Loaded = { version: '', routes: [], table: compileRoutes([]) };
  return {
    table: () => loaded.table,
    all: () => loaded.routes,
    version: () => loaded.version,
    suppliersOf: (operatorId) => suppliersOf(loaded.routes, operatorId, clock.now()),
    reload: async () => {
      loaded = await load(db);
    },
  };
};
