/** Tests the backfill of `sent_to`: only purchases that surely went to the system in use are filled in. */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { after, before, test } from 'node:test';
import { changeSchema } from '../../../test/support/database.ts';
import { manualClock } from '../../../test/support/manual-clock.ts';
import {
  createWorld,
  purchaseRequestOf,
  type World,
} from '../../../test/support/purchase-world.ts';
import { readConfig } from '../../config/config.ts';
import { callWithin } from '../../connector/call.ts';
import { readMigrations } from '../../db/migrate/migrations.ts';
import { systemRandom, uuidV7 } from '../../lib/random.ts';
import { http } from '../../operators/http/index.ts';
import { type LiveRegistry, openRegistry } from '../../operators/registry.ts';
import { saveSettings } from '../../operators/settings/store.ts';
import { begin, type Purchase, refuse } from '../purchase.ts';
import { findByIds, insertPurchases } from '../store.ts';
import { fillSentTo } from './sent-to.ts';

const hour = 3_600_000;
const start = 1_700_000_000_000;
const settings = { baseUrl: 'https://operator.example/v1', token: 'secret' };
// As the server before the upgrade recorded it: the file's text, secrets masked.
const digest = hash('sha256', JSON.stringify(['http', { ...settings, token: '***' }]), 'hex');

const clock = manualClock();
const operators = readConfig({})
  .operators.slice(0, 4)
  .map((operator) => ({ ...operator, connector: 'http', settings }));
const newId = uuidV7(clock, systemRandom);
const context = { clock, random: systemRandom, newId, call: callWithin(clock) };

let world: World;
let registry: LiveRegistry;
before(async () => {
  world = await createWorld();
  await world.client('a');
  registry = openRegistry(operators, [http], (operatorId) => ({ operatorId, ...context }));
});
after(async () => {
  await registry.close();
  await world.end();
});

const oldAt = (operatorId: number, beganAt: number): Purchase =>
  begin(
    purchaseRequestOf({
      clientId: 'a',
      id: `${operatorId} at ${beganAt}`,
      operatorId,
      sentTo: null,
    }),
    beganAt,
    { sendBefore: beganAt, quietAt: beganAt, dueAt: beganAt },
  ).after;

const sentTo = async (purchase: Purchase): Promise<string | null | undefined> =>
  (await findByIds(world.deps.db, [purchase]))[0]?.sentTo;

const fileOf = (operatorId: number, changedAt: number | null, said = digest) =>
  world.deps.db
    .insertInto('operator_files')
    .values({ operator_id: operatorId, digest: said, changed_at: changedAt })
    .execute();

const fill = (): Promise<void> => fillSentTo({ db: world.deps.db, operators, registry });
const systemOf = (id: number): string | null | undefined => registry.byId(id)?.system;

test('orders of an operator whose settings never changed went to the system in use', async () => {
  const [open, ended] = [
    oldAt(1, start),
    refuse(purchaseRequestOf({ clientId: 'a', id: 'ended' }), 1, { status: 422, body: '' }, 'no')
      .after,
  ];
  const { db } = world.deps;
  await insertPurchases(db, [open, ended]);
  await fileOf(1, null);
  // The database as it was before the upgrade, then upgraded.
  await changeSchema(db, 'alter table purchases drop column sent_to');
  await changeSchema(db, readMigrations().find(({ number }) => number === 17)?.text ?? '');
  assert.equal(await sentTo(open), null);
  await fill();
  assert.equal(await sentTo(open), systemOf(1));
  assert.equal(await sentTo(ended), null);
});

test('after a change of settings, only purchases that began well after it are filled in', async () => {
  const { db } = world.deps;
  const all = [start, start + hour + 1, start + 2 * hour].map((at) => oldAt(2, at));
  await insertPurchases(db, all);
  await fileOf(2, start);
  const row = { operator_id: 2, connector: '', sealed: '', version: 'v', changed_at: start + 1 };
  await saveSettings(db, { ...row, chosen_over: null });
  await fill();
  const filled = [];
  for (const one of all) filled.push(await sentTo(one));
  assert.deepEqual(filled, [null, systemOf(2), systemOf(2)]);
});

test('if the file changed with the upgrade, nothing is filled in', async () => {
  const open = oldAt(3, start);
  await insertPurchases(world.deps.db, [open]);
  await fileOf(3, null, 'another');
  await fill();
  assert.equal(await sentTo(open), null);
});

test('it runs once: what is unknown by then stays unknown', async () => {
  const open = oldAt(1, start + 1);
  await insertPurchases(world.deps.db, [open]);
  await fill();
  assert.equal(await sentTo(open), null);
});

test('an operator that cannot be used now is left to a server that can use it', async () => {
  const open = oldAt(4, start);
  await insertPurchases(world.deps.db, [open]);
  await fileOf(4, null);
  const { connection } = registry.byId(4) ?? assert.fail();
  registry.cutOff(4);
  await fill();
  assert.equal(await sentTo(open), null);
  registry.prepare(4, settings).use();
  await fill();
  assert.equal(await sentTo(open), systemOf(4));
  await connection.close();
});
