/** Tests that a report counts once, however often and however late it is applied. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorld, requestOf, type World } from '../../../test/support/purchase-world.ts';
import type { Report } from '../../connector/connector.ts';
import { textFact } from '../facts/facts.ts';
import { readNotes } from '../inquiry/store.ts';
import type { Purchase } from '../purchase.ts';
import { keepRecovering } from '../recover.ts';
import { resolve } from '../review/resolve.ts';

const current = async (world: World): Promise<Purchase> =>
  (await world.find('a', 'key')) ?? assert.fail('no purchase');

const reporting = (world: World, reports: readonly Omit<Report, 'ref'>[], ref: string): void =>
  world.say({
    reports: async (cursor) => ({
      kind: 'reports',
      reports: cursor === '' ? reports.map((report) => ({ ...report, ref })) : [],
      cursor: '1',
    }),
  });

/** Reads the same page again, as a suspended server does. */
const readAgain = async (world: World): Promise<void> => {
  await world.deps.db.deleteFrom('operator_reports').execute();
  await world.recovery.readReports();
};

const close = async (world: World, id: string): Promise<void> => {
  const ask = async () => ({ kind: 'not_asked', why: textFact('it was not asked') }) as const;
  const resolution = { reason: 'looked at', actor: 'owner', force: false } as const;
  await resolve({ ...world.deps, ask }, id, { ...resolution, verdict: 'succeeded' });
};

test('an old page that is applied late does not reopen a closed dispute', async () => {
  const world = await createWorld();
  await world.client('a');
  world.say({
    buy: async () => ({ kind: 'refused', code: 'declined', blame: 'subscriber', reason: 'barred' }),
  });
  await world.buying.buy(requestOf('a', 'key'));
  const { id } = await current(world);
  reporting(world, [{ at: 7, kind: 'delivered' }], id);
  await world.recovery.readReports();
  assert.ok((await current(world)).disputed !== null);
  await close(world, id);
  const closed = await current(world);
  assert.equal(closed.disputed, null);
  await readAgain(world);
  assert.deepEqual(await current(world), closed);
  reporting(world, [{ at: 8, kind: 'delivered' }], id);
  await readAgain(world);
  assert.ok((await current(world)).disputed !== null, 'another report is another contradiction');
  await world.end();
});

test('a server that stops between reading and writing does not reopen it either', async () => {
  const world = await createWorld();
  await world.client('a');
  world.say({
    buy: async () => ({ kind: 'refused', code: 'declined', blame: 'subscriber', reason: 'barred' }),
  });
  await world.buying.buy(requestOf('a', 'key'));
  const { id } = await current(world);
  reporting(world, [{ at: 7, kind: 'delivered' }], id);
  const { transact } = world.deps;
  // The slow server has seen no contradiction; since then another noted it and a person closed it.
  let slept = false;
  const slow = {
    ...transact,
    advance: async (item: Parameters<typeof transact.advance>[0]) => {
      if (!slept) {
        slept = true;
        await world.recovery.readReports();
        await close(world, id);
      }
      return transact.advance(item);
    },
  };
  const { createRecovery } = await import('../recover.ts');
  await createRecovery({ ...world.deps, transact: slow }).readReports();
  assert.ok(slept);
  assert.equal((await current(world)).disputed, null);
  await world.end();
});

test('a purchase in review notes each report once', async () => {
  const world = await createWorld();
  await world.client('a');
  world.say({
    buy: async () => ({ kind: 'unknown', detail: 'silence' }),
    status: async () => ({ kind: 'pending' }),
  });
  void world.buying.buy(requestOf('a', 'key'));
  const stop = keepRecovering(world.deps, world.recovery);
  await world.clock.advance(90_000);
  void stop();
  await world.recovery.whenIdle();
  const { id, state } = await current(world);
  assert.equal(state, 'review');
  const both = [
    { at: 7, kind: 'delivered' },
    { at: 9, kind: 'reversed' },
  ] as const;
  reporting(world, both, id);
  await world.recovery.readReports();
  await readAgain(world);
  const notes = await readNotes(world.deps.db, await current(world));
  assert.equal(notes.filter(({ kind }) => kind === 'report').length, 2);
  await world.end();
});
