/** Tests that a purchase that waited past its time to send is not begun, and a lost commit is never denied. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import {
  createWorld,
  price,
  purchaseRequestOf,
  requestOf,
  termsOfWorld,
  type World,
} from '../../../test/support/purchase-world.ts';
import { recordProof } from '../../db/postgres/errors.ts';
import { createBatch } from '../../lib/batch.ts';
import { GatewayError } from '../../lib/errors.ts';
import type { MakeBatch } from '../../metrics/batch.ts';
import { createBuying } from '../buy.ts';
import type { PurchaseDeps } from '../deps.ts';
import { type BeginItem, beginAll } from './begin.ts';
import { createTransact } from './transact.ts';

let world: World;
describe('A late purchase', () => {
  beforeEach(async () => {
    world = await createWorld();
    await world.client('a');
  });
  afterEach(() => world.end());

  const { sendWithinMs } = termsOfWorld;

  /** Monotonic time that the test advances instantly. */
  const movedClock = () => {
    let moved = 0;
    const clock = { ...world.clock, monotonic: () => world.clock.monotonic() + moved };
    return { clock, pass: (ms: number) => void (moved += ms) };
  };

  const itemOf = (id: string, more: Partial<BeginItem> = {}): BeginItem => ({
    requested: purchaseRequestOf({ clientId: 'a', id }),
    decision: { kind: 'order', terms: termsOfWorld },
    ...more,
  });

  const rejectedWith = (code: string) => (error: unknown) =>
    error instanceof GatewayError && error.code === code;

  const untouched = { available: 10 * price, held: 0 };

  test('a purchase that waited too long for its batch gets an unrecorded 503, and the same key then sells', async () => {
    const { clock, pass } = movedClock();
    const waits = [sendWithinMs, 0];
    const gather = async (): Promise<void> => pass(waits.shift() ?? 0);
    const transact = createTransact({ ...world.deps, clock, makePause: () => gather });
    const deps: PurchaseDeps = { ...world.deps, clock, transact };
    const buying = createBuying(deps);
    const late = assert.rejects(buying.buy(requestOf('a', 'key')), rejectedWith('OVERLOADED'));
    // The longest time to wait for an answer.
    await Promise.all([late, world.clock.advance(deps.config.pendingAfterMs)]);
    assert.equal(await world.find('a', 'key'), undefined);
    assert.deepEqual([await world.accountOf('a'), world.orders.length], [untouched, 0]);
    const result = await buying.buy(requestOf('a', 'key'));
    assert.ok(result.kind === 'answer' && result.answer.status === 200);
    assert.equal(world.orders.length, 1);
  });

  test('a purchase that becomes late while locking is turned away too, and its neighbours are not', async () => {
    const { clock, pass } = movedClock();
    // Read under the locks.
    const databaseTime = async (): Promise<number> => {
      pass(sendWithinMs / 2);
      return world.clock.now();
    };
    const items = [itemOf('old', { started: -sendWithinMs / 2 }), itemOf('new', { started: 0 })];
    const results = await beginAll({ ...world.deps, clock, databaseTime }, items);
    assert.deepEqual(
      results.map(({ rejection, ours }) => [rejection?.code, ours]),
      [
        ['OVERLOADED', false],
        [undefined, true],
      ],
    );
    assert.equal(await world.find('a', 'key of old'), undefined);
    assert.equal((await world.find('a', 'key of new'))?.state, 'submitted');
    assert.deepEqual(await world.problems(), []);
  });

  test('a refusal is recorded however long it waited: it sends nothing', async () => {
    const { clock, pass } = movedClock();
    pass(10 * sendWithinMs);
    const decision = { kind: 'refuse', refusal: { code: 'PRODUCT_INACTIVE' } } as const;
    const [result] = await beginAll({ ...world.deps, clock }, [
      itemOf('refused', { decision, started: 0 }),
    ]);
    assert.deepEqual([result?.purchase.state, result?.rejection], ['refused', undefined]);
  });

  test('a purchase that an earlier attempt may have written is looked up, however late it is', async () => {
    const { clock, pass } = movedClock();
    const deps = { ...world.deps, clock };
    const late = { started: 0, mayBeWritten: true };
    const [first] = await beginAll(deps, [itemOf('written', late)]);
    pass(2 * sendWithinMs);
    const [found, absent] = await beginAll(deps, [itemOf('written', late), itemOf('absent', late)]);
    assert.deepEqual([found?.ours, found?.purchase], [true, first?.purchase]);
    assert.equal(
      absent?.rejection?.code,
      'OVERLOADED',
      'the database has confirmed that it is not there',
    );
    assert.equal(await world.find('a', 'key of absent'), undefined);
  });

  for (const [then, code] of [
    ['the database is unavailable', 'ECONNREFUSED'],
    ['its rows stay locked', '55P03'],
  ] as const) {
    test(`if the commit of a whole batch is unknown and then ${then}, no purchase is reported as not done`, async () => {
      await world.client('b');
      const { clock, pass } = movedClock();
      let runs = 0;
      // The batch is committed and the acknowledgement lost; after that the batch provably does nothing.
      const makeBatch: MakeBatch = (_name, options) =>
        createBatch({
          ...options,
          run: async (items) => {
            runs += 1;
            if (runs === 1) {
              await options.run(items);
              pass(sendWithinMs);
              throw new Error('an error that leaves the commit unknown');
            }
            const refused = Object.assign(new Error(then), { code });
            recordProof(refused, true);
            throw refused;
          },
        });
      const transact = createTransact({
        ...world.deps,
        clock,
        makeBatch,
        makePause: () => () => new Promise((resolve) => setImmediate(resolve)),
      });
      const buying = createBuying({ ...world.deps, clock, transact });
      const bought = Promise.allSettled([
        buying.buy(requestOf('a', 'key')),
        buying.buy(requestOf('b', 'key')),
      ]);
      // Retried after pauses, for the whole time to wait.
      for (let waited = 0; waited < 2 * world.deps.config.pendingAfterMs; waited += 100) {
        await world.clock.advance(100);
      }
      const results = await bought;
      assert.deepEqual(
        results.map((one) => (one.status === 'fulfilled' ? one.value.kind : String(one.reason))),
        ['pending', 'pending'],
      );
      assert.equal((await world.find('a', 'key'))?.state, 'submitted', 'it was written');
    });
  }
});
