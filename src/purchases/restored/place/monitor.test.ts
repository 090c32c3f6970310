/** Tests what instances vouch for when the place changes, and what their heartbeats show. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  examineDeps,
  type MovedByHand,
  monitorOf,
  nothingYet,
  seenBy,
} from '../../../../test/support/database-place.ts';
import { createWorld, type World } from '../../../../test/support/purchase-world.ts';
import { findRestore, type Restore } from '../store.ts';
import { examine, settleVouches } from './examine.ts';
import type { PlaceMonitor } from './monitor.ts';
import type { VouchAnswer } from './place.ts';
import { deleteInstance, listInstances, listVouches, saveVouch } from './store.ts';
import { createWitness } from './witness.ts';

const atFirst = (): MovedByHand => ({ timeline: 1, started: 1 });

const restoreOf = async ({ deps }: World): Promise<Restore> =>
  (await findRestore(deps.db)) ?? assert.fail('never restored');

const causeOf = async (world: World): Promise<Restore['cause'] | undefined> =>
  (await findRestore(world.deps.db))?.cause;

const saidIn = async (world: World): Promise<Record<string, string>> => {
  const { id } = await restoreOf(world);
  const vouches = await listVouches(world.deps.db, id);
  return Object.fromEntries(vouches.map(({ instance_id, result }) => [instance_id, result]));
};

/** An instance that has examined its place, and sells. */
const selling = async (
  world: World,
  where: MovedByHand,
  more?: Parameters<typeof monitorOf>[2],
): Promise<PlaceMonitor> => {
  const monitor = monitorOf(world, where, more);
  await monitor.examine();
  monitor.opened();
  return monitor;
};

test('a contradiction stands if the same place is examined again', async () => {
  const world = await createWorld();
  const where = atFirst();
  const deps = examineDeps(world, seenBy(world, where));
  await examine(deps, nothingYet);
  where.timeline = 2;
  // The standby lacks its registration.
  await deleteInstance(world.deps.db, 'one');
  const standing = { ...nothingYet, fresh: false, registered: true, beat: 1 };
  await examine(deps, standing);
  assert.equal(await causeOf(world), 'witness_contradicted', 'at once');
  // The acknowledgement was lost, or the server was restarted.
  await examine(deps, standing);
  await settleVouches(deps, await restoreOf(world), true);
  assert.deepEqual(await saidIn(world), { one: 'contradicted' });
  assert.equal((await restoreOf(world)).opened_at, null);
  await world.end();
});

test('a vouch may only get worse', async () => {
  const world = await createWorld();
  const where = atFirst();
  const deps = examineDeps(world, seenBy(world, where));
  await examine(deps, nothingYet);
  where.timeline = 2;
  await examine(deps, nothingYet);
  const name = { restoreId: (await restoreOf(world)).id, instanceId: 'one' };
  const say = async (result: VouchAnswer): Promise<string | undefined> => {
    await saveVouch(world.deps.db, name, { result, at: 1 });
    return (await saidIn(world))['one'];
  };
  assert.equal(await say('confirmed'), 'confirmed');
  assert.equal(await say('absent'), 'absent');
  assert.equal(await say('confirmed'), 'absent');
  assert.equal(await say('contradicted'), 'contradicted');
  assert.equal(await say('confirmed'), 'contradicted');
  await world.end();
});

test('an instance that started in a closed place does not vouch for it after a restart', async () => {
  const world = await createWorld();
  const where = atFirst();
  await monitorOf(world, where, { instanceId: 'before' }).examine();
  await deleteInstance(world.deps.db, 'before');
  where.timeline = 2;
  const fresh = monitorOf(world, where, { instanceId: 'fresh' });
  await fresh.examine();
  where.started = 2;
  await fresh.examine();
  await fresh.settle(await restoreOf(world));
  assert.deepEqual(
    [await causeOf(world), (await restoreOf(world)).opened_at],
    ['witness_missing', null],
  );
  await world.end();
});

test('statements about one change of place stand at the next, except confirmations', async () => {
  const world = await createWorld();
  const where = atFirst();
  const said = { one: 'confirmed', two: 'absent', three: 'contradicted', four: undefined } as const;
  for (const instanceId of Object.keys(said))
    await monitorOf(world, where, { instanceId }).examine();
  where.timeline = 2;
  await monitorOf(world, where, { instanceId: 'fresh' }).examine();
  const { id: restoreId } = await restoreOf(world);
  for (const [instanceId, result] of Object.entries(said)) {
    if (result === undefined) continue;
    await saveVouch(world.deps.db, { restoreId, instanceId }, { result, at: 1 });
  }
  where.timeline = 3;
  await monitorOf(world, where, { instanceId: 'fresh' }).examine();
  assert.notEqual((await restoreOf(world)).id, restoreId);
  const waiting = { fresh: 'waiting', four: 'waiting', one: 'waiting' };
  assert.deepEqual(await saidIn(world), { ...waiting, three: 'contradicted', two: 'absent' });
  await world.end();
});

for (const [what, restarts] of [
  ['a volume that is put back beneath an idle gateway', true],
  ['a memory snapshot, in which the server was not restarted,', false],
] as const) {
  test(`${what} is contradicted by the missing heartbeats`, async () => {
    const world = await createWorld();
    const where = atFirst();
    const monitor = await selling(world, where);
    monitor.start();
    const { db } = world.deps;
    const copied = await listInstances(db);
    await world.clock.advance(2000);
    assert.equal(await causeOf(world), undefined);
    await db
      .updateTable('instances')
      .set({ beat: copied[0]?.beat ?? 0 })
      .execute();
    if (restarts) where.started = 2;
    await world.clock.advance(2000);
    assert.equal(monitor.needsExamination(undefined), true);
    await monitor.examine();
    assert.equal(await causeOf(world), 'witness_contradicted');
    await monitor.stop();
    await world.end();
  });
}

test('an instance whose row vanishes soon after a heartbeat contradicts, and a suspended one beats again', async () => {
  const world = await createWorld();
  const monitor = await selling(world, atFirst());
  const { db } = world.deps;
  await world.clock.advance(61_000);
  await deleteInstance(db, 'one');
  monitor.start();
  await world.clock.advance(2000);
  assert.equal((await listInstances(db)).length, 1, 'it was considered dead');
  assert.equal(monitor.needsExamination(undefined), false);
  await deleteInstance(db, 'one');
  await world.clock.advance(2000);
  assert.equal(monitor.needsExamination(undefined), true);
  await monitor.examine();
  assert.equal(await causeOf(world), 'witness_contradicted');
  await monitor.stop();
  await world.end();
});

test('an examination counts as a heartbeat, for the others too', async () => {
  const world = await createWorld();
  const monitor = await selling(world, atFirst());
  const [before] = await listInstances(world.deps.db);
  await monitor.examine();
  const [after] = await listInstances(world.deps.db);
  assert.ok((after?.beat ?? 0) > (before?.beat ?? 0));
  await world.end();
});

test('a shutdown in an unexamined place records its testimony, and keeps the row', async () => {
  const world = await createWorld();
  const where = atFirst();
  const monitor = await selling(world, where);
  where.timeline = 2;
  await monitor.stop();
  assert.deepEqual(await saidIn(world), { one: 'confirmed' });
  assert.equal((await listInstances(world.deps.db)).length, 1);
  await monitor.stop();
  assert.equal((await listInstances(world.deps.db)).length, 0, 'it may leave an examined one');
  await world.end();
});

test('a suspicion during an examination causes another one', async () => {
  const world = await createWorld();
  const where = atFirst();
  const witness = createWitness({ clients: 10, held: 10 });
  const monitor = await selling(world, where, { witness });
  const examining = monitor.examine();
  monitor.suspect();
  witness.recorded({ clientId: 'a', id: 'lost' });
  await examining;
  assert.equal(await causeOf(world), undefined);
  assert.equal(monitor.needsExamination(undefined), true);
  await monitor.examine();
  assert.equal(await causeOf(world), 'witness_contradicted');
  assert.equal(monitor.needsExamination(await restoreOf(world)), false);
  await world.end();
});

test('a witness forgets what was examined, and nothing newer', () => {
  const witness = createWitness({ clients: 10, held: 10 });
  witness.recorded({ clientId: 'a', id: 'one' });
  witness.recorded({ clientId: 'b', id: 'two' });
  const known = witness.known();
  witness.recorded({ clientId: 'b', id: 'three' });
  witness.forget(known);
  assert.deepEqual(witness.claims().recorded, [{ clientId: 'b', id: 'three' }]);
});
