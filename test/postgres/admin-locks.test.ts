/** Tests that recovery codes are locked after their account on PostgreSQL, like everything that changes an account. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import { createRecoveryCodes } from '../../src/admin/access/own/recovery-codes.ts';
import { actorOf, sendCode } from '../../src/admin/access/sign-in.ts';
import { type Office, openOffice, visitor } from '../support/back-office.ts';
import { eventually } from '../support/live.ts';

describe('recovery codes', { concurrency: false, timeout: 60_000 }, () => {
  let office: Office;
  beforeEach(async () => {
    office = await openOffice();
  });
  afterEach(() => office.close());

  const untilOneWaits = (): Promise<void> =>
    eventually('a transaction waits for a lock', async () => {
      const { rows } = await sql`select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(office.deps.db);
      return rows.length > 0;
    });

  /** Whether the codes are unlocked while `work` waits for the account. */
  const areFreeDuring = async (id: string, work: () => Promise<unknown>): Promise<boolean> => {
    const holder = await office.deps.db.startTransaction().execute();
    await sql`select 1 from admin_accounts where id = ${id} for update`.execute(holder);
    const waiting = work();
    try {
      await untilOneWaits();
      const codes = sql`select 1 from admin_recovery_codes for update nowait`;
      return await codes.execute(holder).then(
        () => true,
        () => false,
      );
    } finally {
      await holder.rollback().execute();
      await waiting;
    }
  };

  test('are locked after their account when one is used, and when new ones are created', async () => {
    const { id } = await office.make('clerk');
    const code = await office.withFactor('clerk');
    const visit = await office.inside(await office.enter('clerk'));
    const entered = await sendCode(office.deps, visit, await code());
    const { account } = await office.inside(entered);
    const create = () =>
      createRecoveryCodes(office.deps, actorOf(account, visitor.address), account);
    const [first = ''] = await create();
    const half = await office.inside(await office.enter('clerk'));
    assert.ok(await areFreeDuring(id, () => sendCode(office.deps, half, first)), 'used');
    assert.ok(await areFreeDuring(id, create), 'created');
  });
});
