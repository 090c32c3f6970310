/** Versions parts of the data, so that other servers notice a change. */
import type { Clock } from '../../lib/clock.ts';
import { repeat } from '../../lib/clock.ts';
import type { NewId } from '../../lib/random.ts';
import { sqlOf } from '../engine.ts';
import { runText } from '../statement.ts';
import type { Tables } from '../tables/tables.ts';
import type { Db } from '../types.ts';

export type VersionName = Tables['versions']['name'];

/** Marks a part as changed; belongs in the transaction that changes it. */
export const bumpVersion = async (db: Db, name: VersionName, newId: NewId): Promise<void> => {
  await db.updateTable('versions').set({ version: newId() }).where('name', '=', name).execute();
  const { notify } = sqlOf(db);
  if (notify !== undefined) await runText(db, notify, [name]);
};

/** Within a transaction: other changes of this part wait until it ends. */
export const lockVersion = async (db: Db, name: VersionName): Promise<void> => {
  const text = `select version from versions where name = ?${sqlOf(db).lockRows}`;
  await runText(db, text, [name]);
};

export const readVersion = async (db: Db, name: VersionName): Promise<string> => {
  const row = await db
    .selectFrom('versions')
    .select('version')
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  return row.version;
};

export const readVersions = async (db: Db): Promise<ReadonlyMap<VersionName, string>> => {
  const rows = await db.selectFrom('versions').select(['name', 'version']).execute();
  return new Map(rows.map((row) => [row.name, row.version]));
};

// A revoked token must stop within a second: half of it for polling, the rest for the machine.
const checkEveryMs = 500;

export type WatchDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly failed: (error: unknown) => void;
  /** Notifications, if the database sends them; it polls either way. */
  readonly listen?: (onChange: () => void) => () => Promise<void>;
};

/** Calls `changed` for each part whose version changed; failures are retried at the next poll. */
export const watchVersions = async (
  deps: WatchDeps,
  changed: (name: VersionName) => Promise<void>,
): Promise<() => Promise<void>> => {
  const seen = new Map(await readVersions(deps.db));
  const follow = async (name: VersionName, version: string): Promise<void> => {
    if (seen.get(name) === version) return;
    await changed(name);
    seen.set(name, version);
  };
  const check = async (): Promise<void> => {
    try {
      const now = [...(await readVersions(deps.db))];
      // Concurrently: a catalogue that is slow or broken must not keep a revoked token alive.
      const ends = await Promise.allSettled(now.map(([name, version]) => follow(name, version)));
      for (const end of ends) if (end.status === 'rejected') deps.failed(end.reason);
    } catch (error) {
      deps.failed(error);
    }
  };
  const stopChecking = repeat(deps.clock, checkEveryMs, check);
  let stopped = false;
  let told: Promise<unknown> = Promise.resolve();
  const stopListening = deps.listen?.(() => {
    if (!stopped) told = Promise.all([told, check()]);
  });
  return async () => {
    stopped = true;
    await stopListening?.();
    await stopChecking();
    await told;
  };
};
