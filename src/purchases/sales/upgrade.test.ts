/** Tests a database of the version before reports: its past is counted again, with costs that are not known. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { emptyDatabase, postInOld } from '../../../test/support/old-database.ts';
import { migrate } from '../../db/migrate/migrate.ts';
import { oldestProgram, readMigrations } from '../../db/migrate/migrations.ts';
import { readDay } from '../../lib/calendar-day.ts';
import { systemClock } from '../../lib/clock.ts';
import { countRound } from './count.ts';
import { readGroups } from './report/report.ts';
import { noSums } from './sums.ts';
import { verifySales } from './verify/verify.ts';

const all = readMigrations();
const reports = all.find(({ name }) => name.endsWith('-reports')) ?? assert.fail();

test('after the upgrade the past is counted again, its costs are not known, and older programs stop', async () => {
  assert.equal(oldestProgram(reports), reports.number);
  const db = await emptyDatabase();
  await migrate(db, systemClock, { known: all.filter(({ number }) => number < reports.number) });
  await sql`insert into clients (id, name, status, created_at) values ('a', 'a', 'active', 0)`.execute(
    db,
  );
  await postInOld(db, 'a', [{ kind: 'deposit', amount: 1000 }], 0);
  await sql`insert into purchases (client_id, id, idempotency_key, fingerprint, state, product_id,
      operator_id, mobile, amount, charged_amount, webservice_code, request_id, fence, attempts, inquiries,
      notes, began_at, send_before, quiet_at, settled_at, answer_status, answer_body, supplier_id)
    values ('a', 'sold', 'key', '1:0', 'succeeded', 1, 1, '989120000000', 500, 480, 'code', 'request', 1, 1,
      0, 0, 0, 0, 0, 9, 200, '{}', 101)`.execute(db);
  const of = { amount: 480, purchaseId: 'sold' };
  const at = Date.UTC(2026, 0, 31, 12);
  await postInOld(
    db,
    'a',
    [
      { kind: 'hold', ...of },
      { kind: 'capture', ...of },
    ],
    at,
  );
  const day = readDay('2026-01-31') ?? assert.fail();
  await sql`insert into sales (kind, day, client_id, product_id, operator_id, sold, sold_amount, reversed,
    reversed_amount) values ('full', ${day}, 'a', 1, 1, 1, 480, 0, 0)`.execute(db);
  await sql`insert into sales_cursors (client_id, seq, time_zone) values ('a', 3, 'UTC 1')`.execute(
    db,
  );
  await sql`insert into sales_zones (client_id, after_seq, time_zone) values ('a', 0, 'UTC 1')`.execute(
    db,
  );
  await sql`insert into supplier_costs (supplier_id, hour, cost, losses) values (101, 0, 450, 0)`.execute(
    db,
  );

  await migrate(db, systemClock, { known: all });
  const { left } = await countRound({
    db,
    clock: manualClock(),
    retryLocked: (work) => work(),
    log: { error: () => {} },
    timeZone: async () => 'UTC',
  });
  assert.equal(left, 0);
  const groups = await readGroups(db, { period: { from: day, to: day }, by: ['supplier'] });
  assert.deepEqual(
    [...groups.values()],
    [
      {
        key: { supplier: 101 },
        sums: {
          ...noSums(),
          sold: 1,
          sold_price: 500,
          sold_amount: 480,
          sold_uncosted: 1,
          sold_uncosted_amount: 480,
        },
      },
    ],
  );
  assert.deepEqual((await verifySales(db)).problems, []);
  assert.deepEqual(await db.selectFrom('supplier_costs').selectAll().execute(), []);
});
