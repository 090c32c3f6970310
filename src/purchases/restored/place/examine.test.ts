/** Tests what an examination of the database's place does to open purchases. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  examineDeps as depsOf,
  nothingYet,
  placeAt,
} from '../../../../test/support/database-place.ts';
import {
  createWorld,
  requestOf,
  termsOfWorld,
  type World,
} from '../../../../test/support/purchase-world.ts';
import { type ExamineDeps, examine } from './examine.ts';
import type { SeenPlace } from './store.ts';

const silence = (): Promise<never> => new Promise(() => {});

const examineDeps = (world: World, seen: SeenPlace): ExamineDeps => depsOf(world, async () => seen);

const standing = { ...nothingYet, fresh: false, registered: true };
const quietMs = termsOfWorld.deadlineMs + (termsOfWorld.settlesWithinMs ?? 0);

test('a restart whose clock is an hour ahead restarts the quiet times and closes nothing', async () => {
  const world = await createWorld();
  try {
    await world.client('a');
    world.say({ buy: silence });
    void world.buying.buy(requestOf('a', 'key'));
    await world.clock.advance(0);
    const now = world.clock.now();
    const before = await world.find('a', 'key');
    await examine(examineDeps(world, placeAt(now, 'first start')), nothingYet);
    await examine(examineDeps(world, placeAt(now, 'first start')), standing);
    assert.deepEqual(await world.find('a', 'key'), before, 'nothing has changed');

    const ahead = now + 3_600_000;
    const examined = await examine(examineDeps(world, placeAt(ahead, 'second start')), standing);
    const after = await world.find('a', 'key');
    assert.equal(after?.sendBefore, ahead + termsOfWorld.sendWithinMs);
    assert.equal(after.quietAt, after.sendBefore + quietMs);
    assert.equal(examined?.restore, undefined);
  } finally {
    await world.clock.advance(60_000);
    await world.end();
  }
});
