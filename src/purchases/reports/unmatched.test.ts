/** Tests that a report of an unknown order is counted, logged and kept, and changes nothing else. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorld, requestOf, type World } from '../../../test/support/purchase-world.ts';
import type { Report } from '../../connector/connector.ts';
import { createRecovery } from '../recover.ts';
import { insertUnmatched, listUnmatched } from './store.ts';
import { keepUnmatched, mostUnmatched } from './unmatched.ts';

/** Reads reports as the gateway does, and returns what was counted and logged. */
const reading = (world: World, reports: readonly Report[]) => {
  const [counted, logged]: [number[], string[]] = [[], []];
  const warn = (details: unknown): void => void logged.push(JSON.stringify(details));
  const deps = {
    ...world.deps,
    mask: (mobile: string) => `${mobile.slice(0, 2)}***`,
    unmatched: (operatorId: number) => void counted.push(operatorId),
    log: { warn, error: assert.fail },
  };
  world.say({
    reports: async (cursor) => ({
      kind: 'reports',
      reports: cursor === '' ? reports : [],
      cursor: '1',
    }),
  });
  return { deps, recovery: createRecovery(deps), counted, logged };
};

const listed = (world: World, operatorId?: number) =>
  listUnmatched(world.deps.db, { operatorId, limit: 100 });

test('a report of an unknown order is counted, logged with its number masked, and kept', async () => {
  const world = await createWorld();
  await world.client('a');
  await world.buying.buy(requestOf('a', 'key'));
  const { id = '' } = (await world.find('a', 'key')) ?? {};
  const { recovery, counted, logged } = reading(world, [
    { ref: id, at: 5, kind: 'delivered' },
    { ref: 'theirs', at: 6, kind: 'delivered', mobile: '989121234567', amount: 7000 },
    { ref: 'undated', at: null, kind: 'reversed' },
  ]);
  await recovery.readReports();
  assert.deepEqual(counted, [1, 1]);
  assert.equal(logged.length, 1);
  assert.match(logged[0] ?? '', /"count":2,"first":\{"ref":"theirs"/);
  assert.doesNotMatch(logged[0] ?? '', /1234567/);
  const found = { operator_id: 1, found_at: world.clock.now() };
  assert.deepEqual(
    (await listed(world)).map((row) => ({ ...row })),
    [
      { ...found, ref: 'theirs', kind: 'delivered', at: 6, mobile: '98***', amount: 7000 },
      { ...found, ref: 'undated', kind: 'reversed', at: null, mobile: null, amount: null },
    ],
  );
  assert.deepEqual(await world.problems(), []);
  await world.end();
});

test('it is kept and counted once, however often its page is read', async () => {
  const world = await createWorld();
  const theirs = { ref: 'theirs', at: 6, kind: 'delivered' } as const;
  const { recovery, counted, logged } = reading(world, [theirs, theirs]);
  await recovery.readReports();
  await world.deps.db.deleteFrom('operator_reports').execute();
  await recovery.readReports();
  assert.deepEqual([counted, logged.length], [[1], 1]);
  assert.equal((await listed(world)).length, 1);
  await world.end();
});

test('reports that a restored database lacks are listed with the restore and not here', async () => {
  const world = await createWorld();
  const { db } = world.deps;
  const restore = { id: 'r', at: 0, opened_at: null, opened_by: null };
  const { insertRestore, insertForgotten } = await import('../restored/store.ts');
  await insertRestore(db, restore);
  const { recovery } = reading(world, [
    { ref: 'forgotten', at: 6, kind: 'delivered' },
    { ref: 'theirs', at: 6, kind: 'delivered' },
  ]);
  await insertForgotten(db, [
    {
      restore_id: 'r',
      operator_id: 1,
      ref: 'forgotten',
      kind: 'delivered',
      at: 6,
      mobile: null,
      amount: null,
      found_at: 1,
      client_id: null,
      idempotency_key: null,
    },
  ]);
  await recovery.readReports();
  assert.deepEqual(
    (await listed(world)).map(({ ref }) => ref),
    ['theirs'],
  );
  await world.end();
});

test('at most the newest ten thousand of an operator are kept', async () => {
  const world = await createWorld();
  const { db } = world.deps;
  const row = { kind: 'delivered', at: null, mobile: null, amount: null } as const;
  for (let from = 0; from < mostUnmatched; from += 1000) {
    await insertUnmatched(
      db,
      Array.from({ length: 1000 }, (_, index) => ({
        ...row,
        operator_id: 1,
        ref: `old ${from + index}`,
        found_at: from + index,
      })),
    );
  }
  await insertUnmatched(db, [{ ...row, operator_id: 2, ref: 'other', found_at: 0 }]);
  const { deps } = reading(world, []);
  await keepUnmatched(deps, 1, [{ ref: 'new', at: 5, kind: 'delivered' }], []);
  const { total } = await db
    .selectFrom('unmatched_reports')
    .select(({ fn }) => fn.count<number>('ref').as('total'))
    .where('operator_id', '=', 1)
    .executeTakeFirstOrThrow();
  assert.equal(total, mostUnmatched);
  assert.equal((await listed(world, 1))[0]?.ref, 'new');
  assert.equal((await listed(world, 2)).length, 1);
  await world.end();
});
