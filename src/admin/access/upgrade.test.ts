/** Tests migration 0021 on accounts and sessions of an older version. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Kysely, sql } from 'kysely';
import { freshPostgres, openBesideTest, testEngine } from '../../../test/support/database.ts';
import { migrate } from '../../db/migrate/migrate.ts';
import { readMigrations } from '../../db/migrate/migrations.ts';
import { openSqlite } from '../../db/sqlite/sqlite.ts';
import type { Tables } from '../../db/tables/tables.ts';
import type { Db } from '../../db/types.ts';
import { systemClock } from '../../lib/clock.ts';
import { listNotices } from './own/notices.ts';
import { countRecoveryCodes } from './own/store.ts';
import { hashSecret } from './session.ts';
import { currentVisit } from './sign-in.ts';

/** An empty database of the engine of the run, without any migration. */
const withEmpty = async (work: (db: Db) => Promise<void>): Promise<void> => {
  if (testEngine === 'postgres') {
    const { url, remove } = await freshPostgres('empty');
    const { db, close } = openBesideTest(url);
    try {
      await work(db);
    } finally {
      await close();
      await remove();
    }
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'simgate-test-'));
  const db = new Kysely<Tables>({ dialect: openSqlite(join(folder, 'old.db')).dialect });
  try {
    await work(db);
  } finally {
    await db.destroy();
    rmSync(folder, { recursive: true, force: true });
  }
};

test('a session of the previous version continues, and must confirm first', () =>
  withEmpty(async (db) => {
    const now = 1_800_000_000_000;
    const clock = { ...systemClock, now: () => now };
    const all = readMigrations();
    await migrate(db, clock, { known: all.filter(({ number }) => number < 21) });
    await sql`insert into admin_accounts (id, name, role, status, totp_step, created_at)
      values ('account', 'clerk', 'owner', 'active', -1, 1)`.execute(db);
    await sql`insert into admin_sessions
      (hash, account_id, stage, created_at, seen_at, address, agent)
      values (${hashSecret('token')}, 'account', 'full', ${now - 1}, ${now - 1}, '', '')`.execute(
      db,
    );
    await sql`insert into admin_audit (id, at, actor, action, subject, before_it, after_it)
      values ('0190', 1, 'clerk', 'password change', 'account', '{}', '{}')`.execute(db);
    await migrate(db, clock, { known: all });
    const limits = { idleMs: 1000, absoluteMs: 1000 };
    const { session, account } =
      (await currentVisit({ db, clock, limits }, hashSecret('token'))) ??
      assert.fail('it has ended');
    assert.equal(session.proved_at, 0);
    assert.deepEqual(
      (await listNotices({ db }, account)).map(({ seen }) => seen),
      [true],
      'what was changed before is not announced',
    );
    assert.equal(await countRecoveryCodes(db, account.id), 0);
  }));
