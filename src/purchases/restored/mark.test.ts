/** Tests marking a database as moved as a whole: what it does, and when it is refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onSqlite } from '../../../test/support/database.ts';
import { examineDeps, nothingYet, seenBy } from '../../../test/support/database-place.ts';
import {
  createWorld,
  requestOf,
  termsOfWorld,
  type World,
} from '../../../test/support/purchase-world.ts';
import { declareMoved, type Moved, markRestored } from './mark.ts';
import { examine } from './place/examine.ts';
import { saveVouch } from './place/store.ts';
import { findRestore, insertForgotten, type Restore } from './store.ts';

type Moving = World & {
  readonly restore: () => Promise<Restore>;
  readonly moved: () => Promise<Moved>;
};

/** A database that a first start found in another place; `unnoticed`: before any start. */
const inAnotherPlace = async (unnoticed = false): Promise<Moving> => {
  const world = await createWorld();
  const where = { timeline: 1, started: 1 };
  const deps = examineDeps(world, seenBy(world, where));
  await examine(deps, nothingYet);
  where.timeline = 2;
  if (!unnoticed) await examine(deps, nothingYet);
  return {
    ...world,
    restore: async () => (await findRestore(world.deps.db)) ?? assert.fail('never restored'),
    moved: () => declareMoved(deps, { actor: 'manager', reason: 'a larger machine' }),
  };
};

const incomplete = /^UsageError: This database lacks something that was sold from it, so/;

test('a database with reports of unknown sales is not declared complete', async () => {
  const world = await inAnotherPlace();
  const { id } = await world.restore();
  const sold = { ref: 'sold', kind: 'delivered', at: 1, found_at: 2 } as const;
  const unknown = { mobile: null, amount: null, client_id: null, idempotency_key: null };
  await insertForgotten(world.deps.db, [{ restore_id: id, operator_id: 1, ...sold, ...unknown }]);
  await assert.rejects(world.moved(), incomplete);
  assert.equal((await world.restore()).opened_at, null);
  await world.end();
});

test('nor is one that an instance contradicts', async () => {
  const world = await inAnotherPlace();
  const name = { restoreId: (await world.restore()).id, instanceId: 'other' };
  await saveVouch(world.deps.db, name, { result: 'contradicted', at: 1 });
  await assert.rejects(world.moved(), incomplete);
  assert.equal((await world.restore()).opened_at, null);
  await world.end();
});

test('a noticed change of place is recorded as a move, and opened', async () => {
  const world = await inAnotherPlace();
  assert.deepEqual(await world.moved(), { opened: true, changed: true });
  assert.equal((await world.restore()).opened_by, 'manager');
  assert.deepEqual(await world.moved(), { opened: false, changed: false });
  await world.end();
});

test('the quiet time of open purchases restarts by the clock of the new place', async () => {
  const world = await inAnotherPlace(true);
  await world.client('a');
  world.say({ buy: async () => ({ kind: 'unknown', detail: 'silence' }) });
  void world.buying.buy(requestOf('a', 'key'));
  await world.clock.advance(50_000);
  const now = world.clock.now();
  assert.deepEqual(await world.moved(), { opened: false, changed: true });
  const after = await world.find('a', 'key');
  assert.equal(after?.sendBefore, now + termsOfWorld.sendWithinMs);
  assert.ok((after.quietAt ?? 0) > after.sendBefore);
  await world.end();
});

onSqlite(() => {
  test('a command whose clock is behind leaves the times of a running server alone', async () => {
    const world = await createWorld();
    await world.client('a');
    world.say({ buy: async () => ({ kind: 'unknown', detail: 'silence' }) });
    void world.buying.buy(requestOf('a', 'key'));
    await world.clock.advance(0);
    const before = await world.find('a', 'key');
    const deps = examineDeps(world, seenBy(world, { timeline: 1, started: 1 }));
    const databaseTime = async (): Promise<number> => world.clock.now() - 3_600_000;
    await markRestored({ ...deps, databaseTime }, { actor: 'operations', reason: 'a snapshot' });
    const after = await world.find('a', 'key');
    assert.deepEqual(
      [after?.sendBefore, after?.quietAt, after?.dueAt],
      [before?.sendBefore, before?.quietAt, before?.dueAt],
    );
    assert.equal((await findRestore(world.deps.db))?.cause, 'marked');
    await world.clock.advance(60_000);
    await world.end();
  });
});
