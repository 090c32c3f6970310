/** Tests a database of the version before alarms: nothing is sent until it is set, and states begin as they are. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { alarmInstance, sourcesOf } from '../../../test/support/alarms.ts';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { emptyDatabase, postInOld } from '../../../test/support/old-database.ts';
import { migrate } from '../../db/migrate/migrate.ts';
import { oldestProgram, readMigrations } from '../../db/migrate/migrations.ts';
import { systemClock } from '../../lib/clock.ts';
import { readSettings } from '../../settings/settings.ts';
import { evaluate } from './evaluate.ts';
import { defaultAlarmSettings, readAlarmSettings } from './settings/settings.ts';
import { readAlarms, readChannels } from './store.ts';

test('an upgraded database has the default settings, no channel, and the alarms of now', async () => {
  const db = await emptyDatabase();
  const all = readMigrations();
  const own = all.find(({ name }) => name.endsWith('-alarms')) ?? assert.fail();
  await migrate(db, systemClock, { known: all.filter(({ number }) => number < own.number) });
  await sql`insert into clients (id, name, status, created_at, test)
    values ('a', 'Shop', 'active', 0, 0)`.execute(db);
  await postInOld(db, 'a', [{ kind: 'deposit', amount: 10 }], 0);
  await sql`insert into settings (name, value) values ('low_balance_below', '50')`.execute(db);
  await migrate(db, systemClock, { known: all });

  // Instances of the version before may run beside it.
  assert.ok(oldestProgram(own) < own.number);
  assert.deepEqual(await readAlarmSettings(db), {
    ...defaultAlarmSettings,
    sealed: { webhook: null, mail: null },
  });
  assert.equal((await readSettings(db)).lowBalanceBelow, 50);
  await evaluate(alarmInstance(db, manualClock(), { sources: sourcesOf({}) }));
  assert.deepEqual(
    (await readAlarms(db)).map(({ kind, subject, facts }) => [kind, subject, facts.available]),
    [['low_balance', 'a', 10]],
  );
  const channels = await readChannels(db);
  assert.deepEqual(
    channels.map(({ channel, message_id: id, told }) => [channel, id, told]),
    [
      ['mail', null, 1],
      ['webhook', null, 1],
    ],
  );
});
