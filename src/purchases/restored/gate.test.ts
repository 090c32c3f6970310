/** Tests that a restored database sells nothing new until everything it forgot is known. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { monitorOf } from '../../../test/support/database-place.ts';
import {
  createWorld,
  requestOf,
  termsOfWorld,
  type World,
} from '../../../test/support/purchase-world.ts';
import type { Connection, Report } from '../../connector/connector.ts';
import { sleep } from '../../lib/clock.ts';
import { GatewayError } from '../../lib/errors.ts';
import type { Operator, Registry } from '../../operators/registry.ts';
import { createBuying } from '../buy.ts';
import { readCursor, saveCursor } from '../reports/store.ts';
import { readDecisions } from '../review/store.ts';
import { acceptRestore, restoreStatus } from './accept.ts';
import { askWords } from './asked.ts';
import { createGate, type Gate, type GateDeps } from './gate.ts';
import { markRestored } from './mark.ts';
import { findRestore, insertRestore, readOperators } from './store.ts';

// The world's terms: the call's deadline, and the time an order takes to appear.
const quietMs = termsOfWorld.deadlineMs + (termsOfWorld.settlesWithinMs ?? 0);
// Time for the first poll after the quiet time, and for its results.
const soonMs = 3000;
const minute = 60_000;

/** The confirmation of a person who has seen that nothing is missing. */
const person = { actor: 'operations', reason: 'known', forgotten: 0, force: false } as const;

const delivery = (ref: string, more: Partial<Report> = {}): Report => ({
  ref,
  at: 5,
  kind: 'delivered',
  ...more,
});

/** An operator that reports from a list, this many at a time; a cursor is a position. */
const reporting =
  (list: readonly Report[], atATime = 2): NonNullable<Connection['reports']> =>
  async (cursor) => {
    const from = Number(cursor);
    const reports = list.slice(from, from + atATime);
    return { kind: 'reports', reports, cursor: String(from + reports.length) };
  };

/** Operators by id, with their peculiarities; `mute` cannot report. */
type Operators = Readonly<Record<number, Partial<Connection> | 'mute'>>;

type Restored = World & {
  readonly logged: string[];
  /** A gate as a starting server creates it. */
  readonly gate: (operators?: Operators) => Gate;
  readonly restoreId: string;
};

const registryOf = ({ registry }: World['deps'], operators: Operators): Registry => {
  const [first] = registry.all;
  assert.ok(first !== undefined);
  const { reports: _none, ...mute } = first.connection;
  const all = Object.entries(operators).map(
    ([id, special]): Operator => ({
      ...first,
      id: Number(id),
      connection: special === 'mute' ? mute : { ...first.connection, ...special },
    }),
  );
  return { all, byId: (id) => all.find((one) => one.id === id), close: async () => {} };
};

const gateDeps = (
  world: World,
  operators: Operators = { 1: {} },
  logged: string[] = [],
): GateDeps => {
  const log = (_details: unknown, text?: string): void => void logged.push(text ?? '');
  return {
    ...world.deps,
    place: undefined,
    recovery: world.deps.config.recovery,
    registry: registryOf(world.deps, operators),
    mask: (mobile) => `${mobile.slice(0, 2)}***`,
    log: { info: log, warn: log, error: log },
  };
};

const gateOf = (world: World, operators?: Operators, logged?: string[]): Gate =>
  createGate(gateDeps(world, operators, logged));

/** A database that was marked as restored. */
const restored = async (declared?: Parameters<typeof createWorld>[0]): Promise<Restored> => {
  const world = await createWorld(declared);
  await world.client('a');
  // A server that sold before the backup, and knew operator 1.
  const before = gateOf(world);
  await before.start();
  await world.buying.buy(requestOf('a', 'known'));
  await before.stop();
  const logged: string[] = [];
  const { id } = await insertRestore(world.deps.db, { id: 'restore 1', at: world.clock.now() });
  return {
    ...world,
    logged,
    restoreId: id,
    gate: (operators) => gateOf(world, operators, logged),
  };
};

const knownId = async (world: World): Promise<string> =>
  (await world.find('a', 'known'))?.id ?? assert.fail('no purchase');

const statusOf = async (world: World) =>
  (await restoreStatus(world.deps.db)) ?? assert.fail('it was never restored');

test('a database that was never restored sells at once', async () => {
  const world = await createWorld();
  const gate = gateOf(world);
  assert.throws(gate.pass, GatewayError, 'nothing is sold before the first check');
  await gate.start();
  assert.doesNotThrow(gate.pass);
  assert.equal(world.clock.pending(), 0);
  await world.end();
});

test('while it is closed new keys get a retryable 503, and known ones their answers', async () => {
  const world = await restored();
  const gate = world.gate();
  await gate.start();
  const buying = createBuying({ ...world.deps, gate });
  const orders = world.orders.length;
  await assert.rejects(buying.buy(requestOf('a', 'new')), (error) => {
    assert.ok(error instanceof GatewayError);
    assert.equal(error.code, 'DATABASE_UNAVAILABLE');
    assert.match(error.message, /restored from a backup.*Send the same request again later\.$/);
    assert.equal(error.details.headers?.['retry-after'], '30');
    return true;
  });
  assert.equal(world.orders.length, orders);
  assert.equal(await world.find('a', 'new'), undefined, 'nothing was recorded');
  const known = await buying.buy(requestOf('a', 'known'));
  assert.ok(known.kind === 'answer' && known.answer.status === 200);
  await gate.stop();
  await world.end();
});

test('it opens automatically, only after the quiet time, if all operators answered and nothing is missing', async () => {
  const world = await restored();
  const asked: string[] = [];
  const gate = world.gate({
    1: {
      reports: (cursor) => {
        asked.push(cursor);
        return reporting([delivery('of before')].slice(1))(cursor);
      },
    },
  });
  await gate.start();
  await world.clock.advance(quietMs - 1);
  assert.deepEqual(asked, [], 'earlier orders may still appear');
  assert.throws(gate.pass, GatewayError);
  await world.clock.advance(soonMs);
  assert.doesNotThrow(gate.pass);
  assert.equal(gate.closed(), undefined);
  assert.equal(world.clock.pending(), 0, 'polling has ended');
  const restore = await findRestore(world.deps.db);
  assert.equal(restore?.opened_by, 'simgate');
  const [decision] = await readDecisions(world.deps.db, world.restoreId);
  assert.equal(decision?.reason, 'nothing was forgotten');
  assert.ok(world.logged.some((text) => /restored database is open/.test(text)));
  await world.end();
});

test('reports are read from the backup’s cursor, page by page to the end', async () => {
  const world = await createWorld();
  await saveCursor(world.deps.db, 1, { from: '', to: '3' });
  await insertRestore(world.deps.db, { id: 'restore 1', at: 0 });
  const list = Array.from({ length: 10 }, (_, index) => delivery(`ref ${index}`));
  const cursors: string[] = [];
  const gate = gateOf(world, {
    1: {
      reports: (cursor) => {
        cursors.push(cursor);
        return reporting(list)(cursor);
      },
    },
  });
  // Recovery reads reports too, and moves its own cursor.
  await saveCursor(world.deps.db, 1, { from: '3', to: '10' });
  await gate.start();
  await world.clock.advance(quietMs + soonMs);
  assert.deepEqual(cursors, ['3', '5', '7', '9', '10']);
  const { forgotten, count } = await statusOf(world);
  assert.equal(count, 7);
  assert.deepEqual(
    forgotten.map(({ ref }) => ref),
    list.slice(3).map(({ ref }) => ref),
  );
  await gate.stop();
  await world.end();
});

test('missing purchases are recorded with masked numbers, and a person has to accept them', async () => {
  const world = await restored();
  const sold = delivery('forgotten', { mobile: '989121234500', amount: 10 });
  const gate = world.gate({
    1: { reports: reporting([delivery(await knownId(world)), sold, delivery('other')]) },
  });
  await gate.start();
  await world.clock.advance(10 * quietMs);
  assert.throws(gate.pass, GatewayError);
  const { forgotten, operators } = await statusOf(world);
  assert.deepEqual(
    forgotten.map(({ ref, mobile, amount }) => ({ ref, mobile, amount })),
    [
      { ref: 'forgotten', mobile: '98***', amount: 10 },
      { ref: 'other', mobile: null, amount: null },
    ],
  );
  assert.deepEqual(
    operators.map(({ state }) => state),
    ['told'],
  );
  const person = world.logged.filter((text) => /a person has to decide/.test(text));
  assert.equal(person.length, 1, 'it is logged once');
  const accepted = { actor: 'operations', reason: 'looked at', forgotten: 2, force: false };
  for (const forgotten of [0, 1, 3]) {
    await assert.rejects(
      acceptRestore(world.deps, { ...accepted, forgotten }),
      /^UsageError: It is known of 2 forgotten purchases, and not of \d: .* --forgotten 2\. Nothing was changed\.$/,
    );
  }
  assert.throws(gate.pass, GatewayError);
  await acceptRestore(world.deps, accepted);
  await world.clock.advance(1000);
  assert.doesNotThrow(gate.pass);
  const [decision] = await readDecisions(world.deps.db, world.restoreId);
  assert.deepEqual(
    [decision?.action, decision?.actor, decision?.reason, decision?.forced],
    ['restore accept', 'operations', 'looked at', 0],
  );
  assert.match(decision?.evidence ?? '', /^2 purchases were forgotten; operator 1: /);
  await assert.rejects(acceptRestore(world.deps, accepted), /sells already/);
  await world.end();
});

for (const [what, operators, declared, ms] of [
  ['has no reports', { 1: {}, 2: 'mute' }, undefined, 10 * quietMs],
  ['does not declare when its reports are complete', { 1: {} }, {}, 10 * quietMs],
  // Another instance may know it.
  ['sold here and is no longer configured', { 2: {} }, undefined, 10 * minute + soonMs],
] as const) {
  test(`an operator that ${what} leaves it closed until a person accepts`, async () => {
    const world = await restored(declared);
    const gate = world.gate(operators);
    await gate.start();
    await world.clock.advance(ms);
    assert.throws(gate.pass, GatewayError);
    const states = (await statusOf(world)).operators.map(({ state }) => state);
    assert.equal(states.filter((state) => state === 'silent').length, 1);
    assert.ok(!states.includes('waiting'));
    await acceptRestore(world.deps, { ...person, reason: 'asked manually' });
    await world.clock.advance(1000);
    assert.doesNotThrow(gate.pass);
    await gate.stop();
    await world.end();
  });
}

/** Slow, so that little has to be asked to take long. */
const slowly = (
  world: World,
  reports: NonNullable<Connection['reports']>,
): Partial<Connection> => ({
  deadlineMs: minute,
  reports: async (cursor) => {
    await sleep(world.clock, minute - 1);
    return reports(cursor);
  },
});

test('an operator that is down for long is still asked, and blocks the opening', async () => {
  const world = await restored();
  const state = { away: true };
  const gate = world.gate({
    1: slowly(world, async (cursor) =>
      state.away ? { kind: 'unknown', detail: 'away' } : reporting([delivery('lost')])(cursor),
    ),
  });
  await gate.start();
  await world.clock.advance(13 * minute);
  await assert.rejects(acceptRestore(world.deps, person), /Operators 1 have not told yet/);
  state.away = false;
  await world.clock.advance(4 * minute);
  assert.equal((await statusOf(world)).count, 1);
  await gate.stop();
  await world.end();
});

test('an operator that does not answer is asked again until it does, and delays no other', async () => {
  const world = await restored();
  const state = { away: true, asked: 0 };
  const gate = world.gate({
    1: {
      reports: async (cursor) => {
        state.asked += 1;
        return state.away ? { kind: 'unknown', detail: 'away' } : reporting([])(cursor);
      },
    },
    2: {},
  });
  await gate.start();
  await world.clock.advance(4 * quietMs);
  assert.ok(state.asked > 2);
  const { operators } = await statusOf(world);
  assert.deepEqual(
    operators.map((one) => [one.state, askWords(one)]),
    [
      ['waiting', 'it gave no answer (away); asked again'],
      ['told', 'it has reported all that it delivered'],
    ],
  );
  assert.throws(gate.pass, GatewayError);
  state.away = false;
  await world.clock.advance(soonMs);
  assert.doesNotThrow(gate.pass);
  await world.end();
});

test('an operator with endless reports delays no other, and leaves the decision to a person', async () => {
  const world = await restored();
  const state = { away: true };
  const gate = world.gate({
    1: slowly(world, async (cursor) => {
      const reports = [delivery(`foreign ${cursor}`)];
      return { kind: 'reports', reports, cursor: `${Number(cursor) + 1}` };
    }),
    2: {
      reports: async (cursor) =>
        state.away ? { kind: 'unknown', detail: 'away' } : reporting([])(cursor),
    },
  });
  await gate.start();
  const told = async () => (await statusOf(world)).operators.map(({ state }) => state);
  await world.clock.advance(5 * minute);
  assert.deepEqual(await told(), ['waiting', 'waiting']);
  state.away = false;
  await world.clock.advance(3 * minute);
  assert.deepEqual(await told(), ['waiting', 'told']);
  await world.clock.advance(9 * minute);
  assert.deepEqual(await told(), ['silent', 'told']);
  assert.ok(world.logged.some((text) => /a person has to decide/.test(text)));
  const { count } = await statusOf(world);
  await world.clock.advance(2 * minute);
  assert.equal((await statusOf(world)).count, count, 'it is not asked forever');
  await acceptRestore(world.deps, { ...person, forgotten: count });
  await gate.stop();
  await world.end();
});

test('accepting before the operators have answered is refused, unless forced', async () => {
  const world = await restored();
  const accepted = { ...person, reason: 'in a hurry' };
  await assert.rejects(
    acceptRestore(world.deps, accepted),
    /^UsageError: Operators 1 have not told yet .*may be sold twice\.$/,
  );
  assert.equal((await findRestore(world.deps.db))?.opened_at, null);
  await acceptRestore(world.deps, { ...accepted, force: true });
  const [decision] = await readDecisions(world.deps.db, world.restoreId);
  assert.equal(decision?.forced, 1);
  const gate = world.gate();
  await gate.start();
  assert.doesNotThrow(gate.pass, 'the next server sells at once');
  await world.end();
});

test('accepting a database that was never restored is refused', async () => {
  const world = await createWorld();
  await assert.rejects(
    acceptRestore(world.deps, { ...person, force: true }),
    /was never closed for a restore/,
  );
  await world.end();
});

test('a server that dies during the inquiry changes nothing: the next one starts over', async () => {
  const world = await restored();
  const list = [delivery('one'), delivery('two'), delivery('three'), delivery('four')];
  const cursors: string[] = [];
  const silent = Promise.withResolvers<never>();
  const first = world.gate({
    1: {
      // It never gets past the first page.
      reports: (cursor) => (cursor === '' ? reporting(list)(cursor) : silent.promise),
    },
  });
  await first.start();
  await world.clock.advance(quietMs + 1000);
  assert.equal((await statusOf(world)).count, 2);
  void first.stop();
  const second = world.gate({
    1: {
      reports: (cursor) => {
        cursors.push(cursor);
        return reporting(list)(cursor);
      },
    },
  });
  await second.start();
  await world.clock.advance(quietMs - 1);
  assert.deepEqual(cursors, []);
  await world.clock.advance(soonMs);
  assert.deepEqual(cursors, ['', '2', '4']);
  assert.equal((await statusOf(world)).count, 4, 'nothing is counted twice');
  assert.throws(second.pass, GatewayError);
  await second.stop();
  await world.end();
});

test('the next server asks only the operators without an answer', async () => {
  const world = await restored();
  const gone = world.gate({ 2: { reports: reporting([delivery('forgotten')]) } });
  await gone.start();
  await world.clock.advance(600_000 + soonMs);
  await gone.stop();
  assert.deepEqual(
    (await statusOf(world)).operators.map(({ state }) => state),
    ['silent', 'told'],
  );
  const asked: string[] = [];
  const gate = world.gate({
    1: {},
    2: {
      reports: (cursor) => {
        asked.push(cursor);
        return reporting([])(cursor);
      },
    },
  });
  await gate.start();
  await world.clock.advance(quietMs + soonMs);
  assert.deepEqual(asked, []);
  assert.deepEqual(
    (await statusOf(world)).operators.map(({ state }) => state),
    ['told', 'told'],
  );
  assert.throws(gate.pass, GatewayError, 'what is missing stays missing');
  await gate.stop();
  await world.end();
});

test('an operator that one instance does not know is asked by another that does', async () => {
  const world = await restored();
  const knowing = world.gate({ 1: {}, 2: {} });
  await knowing.start();
  const other = world.gate({ 2: {} });
  await other.start();
  await world.clock.advance(2 * quietMs + soonMs);
  assert.doesNotThrow(knowing.pass);
  assert.doesNotThrow(other.pass);
  await Promise.all([knowing.stop(), other.stop()]);
  await world.end();
});

test('a changed place that a person accepts is a loss, with all its consequences', async () => {
  const world = await createWorld();
  await insertRestore(world.deps.db, { id: 'restore', at: 1, cause: 'place_changed' });
  const losses: string[] = [];
  const onLoss = async (): Promise<void> => void losses.push('copies end');
  const accepted = { ...person, force: true };
  await acceptRestore({ ...world.deps, onLoss }, accepted);
  assert.deepEqual(losses, ['copies end']);
  assert.equal((await findRestore(world.deps.db))?.cause, 'witness_missing');
  await world.end();
});

test('it is closed while any restore is closed, even if the clock was behind at the last one', async () => {
  const world = await createWorld();
  const { db } = world.deps;
  await insertRestore(db, { id: 'restore 2', at: 2_000_000 });
  await acceptRestore(world.deps, { ...person, force: true });
  await insertRestore(db, { id: 'restore 1', at: 1_000_000 });
  const gate = gateOf(world);
  await gate.start();
  assert.throws(gate.pass, GatewayError);
  assert.equal((await statusOf(world)).restore.id, 'restore 1');
  await acceptRestore(world.deps, { ...person, force: true });
  await world.clock.advance(1000);
  assert.doesNotThrow(gate.pass);
  await gate.stop();
  await world.end();
});

test('a restore that is marked during sales closes the gate before the next sale', async () => {
  const world = await createWorld();
  await world.client('a');
  const gate = gateOf(world);
  await gate.start();
  const buying = createBuying({ ...world.deps, gate });
  await buying.buy(requestOf('a', 'before'));
  await insertRestore(world.deps.db, { id: 'restore 1', at: 0, cause: 'marked' });
  assert.doesNotThrow(gate.pass, 'it has not checked since');
  await assert.rejects(buying.buy(requestOf('a', 'after')), (error) => {
    assert.ok(error instanceof GatewayError);
    assert.equal(error.code, 'DATABASE_UNAVAILABLE');
    assert.match(
      error.message,
      /just closed.*Nothing was done. Send the same request again later\.$/,
    );
    return true;
  });
  assert.throws(gate.pass, GatewayError);
  assert.equal(world.orders.length, 1);
  assert.equal(await world.find('a', 'after'), undefined, 'nothing was recorded');
  await world.clock.advance(quietMs + soonMs);
  assert.doesNotThrow(gate.pass, 'the operators have reported everything');
  assert.equal(world.clock.pending(), 0);
  await world.end();
});

test('an instance without heartbeats for long reports that it sells nothing, until they return', async () => {
  const world = await createWorld();
  const place = monitorOf(world, { timeline: 1, started: 1 });
  const gate = createGate({ ...gateDeps(world), place });
  await gate.start();
  assert.equal(gate.closed(), undefined);
  await world.clock.advance(31_000);
  assert.throws(gate.pass, /no contact with this instance/);
  assert.match(gate.closed()?.en ?? '', /no contact with this instance/);
  place.start();
  await world.clock.advance(2000);
  assert.equal(gate.closed(), undefined);
  assert.doesNotThrow(gate.pass);
  await gate.stop();
  await place.stop();
  await world.end();
});

test('after a database restart it sells once all instances have examined it, or timed out', async () => {
  const world = await createWorld();
  const where = { timeline: 1, started: 1 };
  const idle = monitorOf(world, where, { instanceId: 'idle' });
  await idle.examine();
  const shut = (): void => void gate.shut('suspected');
  const place = monitorOf(world, where, { instanceId: 'busy', suspected: shut });
  const gate = createGate({ ...gateDeps(world), place });
  await gate.start();
  assert.doesNotThrow(gate.pass, 'nothing was restarted');
  where.started = 2;
  place.suspect();
  await world.clock.advance(3000);
  assert.match(gate.closed()?.en ?? '', /restarted or replaced, and is being checked/);
  assert.throws(gate.pass, (error) => {
    assert.ok(error instanceof GatewayError);
    assert.equal(error.details.headers?.['retry-after'], '2');
    return true;
  });
  await idle.examine();
  await world.clock.advance(1000);
  assert.doesNotThrow(gate.pass);
  where.started = 3;
  place.suspect();
  await world.clock.advance(14_000);
  assert.throws(gate.pass, GatewayError);
  await world.clock.advance(2000);
  assert.doesNotThrow(gate.pass, 'the other one is dead');
  await gate.stop();
  await world.end();
});

test('while instances vouch for a promoted standby a retry helps soon; after a loss it does not', async () => {
  const world = await createWorld();
  const where = { timeline: 1, started: 1 };
  const dead = monitorOf(world, where, { instanceId: 'dead' });
  await dead.examine();
  const place = monitorOf(world, where, { instanceId: 'alive' });
  const gate = createGate({ ...gateDeps(world, { 1: 'mute' }), place });
  await gate.start();
  const retryAfter = (): unknown => {
    try {
      gate.pass();
    } catch (error) {
      return error instanceof GatewayError && error.details.headers?.['retry-after'];
    }
    return 'open';
  };
  where.timeline = 2;
  place.suspect();
  await gate.refresh();
  assert.equal((await findRestore(world.deps.db))?.cause, 'place_changed');
  assert.equal(retryAfter(), '2');
  await world.clock.advance(31_000);
  assert.equal((await findRestore(world.deps.db))?.cause, 'witness_missing');
  assert.equal(retryAfter(), '30');
  await gate.stop();
  await world.end();
});

test('unknown orders reported before a database is marked count as missing', async () => {
  const world = await createWorld();
  const reports = reporting([delivery('sold'), delivery('undated', { at: null })]);
  world.say({ reports });
  // A gateway runs on the restored copy, and reads on.
  await world.recovery.readReports();
  assert.equal(await readCursor(world.deps.db, 1), '2');
  await markRestored(
    { ...world.deps, sendWithinMs: termsOfWorld.sendWithinMs, onLoss: async () => {} },
    { actor: 'operations', reason: 'a snapshot was put back' },
  );
  const gate = gateOf(world, { 1: { reports } });
  await gate.start();
  await world.clock.advance(quietMs + soonMs);
  assert.throws(gate.pass, GatewayError);
  assert.deepEqual((await statusOf(world)).forgotten.map(({ ref }) => ref).sort(), [
    'sold',
    'undated',
  ]);
  await acceptRestore(world.deps, { ...person, forgotten: 2 });
  await insertRestore(world.deps.db, { id: 'restore 2', at: 1, cause: 'marked' });
  assert.equal((await statusOf(world)).count, 0, 'settled purchases are not missing again');
  await gate.stop();
  await world.end();
});

test('a second restore is opened with the first, and neither alone', async () => {
  const world = await restored();
  const gate = world.gate({ 1: { reports: reporting([delivery('forgotten')]) } });
  await gate.start();
  await world.clock.advance(quietMs + soonMs);
  await insertRestore(world.deps.db, { id: 'restore 0', at: 0, cause: 'marked' });
  await world.clock.advance(1000);
  assert.equal((await statusOf(world)).count, 1, 'what the first one lacks still counts');
  await acceptRestore(world.deps, { ...person, forgotten: 1, force: true });
  await world.clock.advance(1000);
  assert.doesNotThrow(gate.pass);
  assert.equal((await statusOf(world)).count, 1);
  await gate.stop();
  await world.end();
});

test('a backup of a restore that was never opened continues from the first backup’s cursor', async () => {
  const world = await createWorld();
  const { db } = world.deps;
  await saveCursor(db, 1, { from: '', to: '3' });
  await insertRestore(db, { id: 'restore 1', at: 0 });
  await saveCursor(db, 1, { from: '3', to: '9' });
  await insertRestore(db, { id: 'restore 2', at: 1 });
  const cursors = async (id: string) =>
    (await readOperators(db, id)).map(({ operator_id, cursor }) => [operator_id, cursor]);
  assert.deepEqual(await cursors('restore 2'), [[1, '3']]);
  await acceptRestore(world.deps, { ...person, force: true });
  await insertRestore(db, { id: 'restore 3', at: 2 });
  assert.deepEqual(await cursors('restore 3'), [[1, '9']]);
  await world.end();
});

test('exactly the deliveries that the database does not know are missing', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ known: fc.boolean(), taken: fc.boolean() }), { maxLength: 12 }),
      fc.integer({ min: 1, max: 5 }),
      async (purchases, atATime) => {
        const world = await createWorld();
        await world.client('a');
        const list: Report[] = [];
        const expected = new Set<string>();
        for (const [index, { known, taken }] of purchases.entries()) {
          if (known) await world.buying.buy(requestOf('a', `key ${index}`));
          const ref = known ? (await world.find('a', `key ${index}`))?.id : undefined;
          list.push(delivery(ref ?? `forgotten ${index}`));
          if (taken) list.push(delivery(ref ?? `forgotten ${index}`, { kind: 'reversed' }));
          if (ref === undefined) expected.add(`forgotten ${index}`);
        }
        await insertRestore(world.deps.db, { id: 'restore 1', at: 0 });
        const gate = gateOf(world, { 1: { reports: reporting(list, atATime) } });
        await gate.start();
        await world.clock.advance(quietMs + soonMs);
        const { forgotten, count } = await statusOf(world);
        assert.deepEqual(new Set(forgotten.map(({ ref }) => ref)), expected);
        assert.equal(count, expected.size);
        assert.equal(gate.closed() === undefined, expected.size === 0);
        await gate.stop();
        await world.end();
      },
    ),
    { numRuns: 15 },
  );
});
