/** Tests migration 0016 on a database that an older version restored. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Kysely, sql } from 'kysely';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { migrate } from '../../db/migrate/migrate.ts';
import { readMigrations } from '../../db/migrate/migrations.ts';
import { openSqlite } from '../../db/sqlite/sqlite.ts';
import type { Tables } from '../../db/tables/tables.ts';
import type { Db } from '../../db/types.ts';
import { restoreStatus } from './accept.ts';

const clock = manualClock();

/** Upgrades a file of the previous version, with restores in order. */
const withUpgraded = async (
  restores: readonly (readonly [id: string, openedBy: string | null])[],
  work: (db: Db) => Promise<void>,
): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'simgate-test-'));
  const db = new Kysely<Tables>({ dialect: openSqlite(join(folder, 'old.db')).dialect });
  try {
    const all = readMigrations();
    await migrate(db, clock, { known: all.filter(({ number }) => number < 16) });
    for (const [id, by] of restores) {
      const at = by === null ? null : 7;
      await sql`insert into restores (id, at, opened_at, opened_by) values (${id}, 1, ${at}, ${by})`.execute(
        db,
      );
      await sql`insert into forgotten (restore_id, operator_id, ref, kind, at, found_at)
        values (${id}, 1, ${`ref of ${id}`}, 'delivered', 5, 6)`.execute(db);
    }
    await migrate(db, clock, { known: all });
    await work(db);
  } finally {
    await db.destroy();
    rmSync(folder, { recursive: true, force: true });
  }
};

test('a restore with an earlier time than its predecessor is still the last one', () =>
  withUpgraded(
    [
      ['2', 'manager'],
      ['1', null],
    ],
    async (db) => {
      const { restore, count } = (await restoreStatus(db)) ?? assert.fail('not restored');
      assert.deepEqual([restore.id, restore.opened_at, restore.cause], ['1', null, 'backup']);
      assert.equal(count, 1);
    },
  ));

test('a restore replaced by an open one does not close the gateway', () =>
  withUpgraded(
    [
      ['1', null],
      ['2', 'manager'],
    ],
    async (db) => {
      const open = await db.selectFrom('restores').select('opened_by').orderBy('seq').execute();
      assert.deepEqual(open, [{ opened_by: 'manager' }, { opened_by: 'manager' }]);
      const status = await restoreStatus(db);
      assert.deepEqual(
        status?.forgotten.map(({ ref }) => ref),
        ['ref of 1', 'ref of 2'],
      );
    },
  ));
