/** Tests the SQL of purchases on a real database: lookup by key and ID, claims, takeover and constraints. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createWorld, purchaseRequestOf, type World } from '../../test/support/purchase-world.ts';
import { claimDue, claimOne, findUnclaimed, takeOverAll } from './claims.ts';
import { textFact } from './facts/facts.ts';
import { findRecent } from './guard/store.ts';
import { listPurchases, type PurchaseFilter } from './inquiry/store.ts';
import { begin, leaveUnknown, type Note, type Open, type Purchase, refuse } from './purchase.ts';
import { findUnsettledBy, readCursor, saveCursor } from './reports/store.ts';
import { findByIds, findByKeys, insertPurchases, notesToWrite, updatePurchases } from './store.ts';

const silence: Note = { kind: 'order', fact: textFact('silence') };

let world: World;
before(async () => {
  world = await createWorld();
  await world.client('a');
  await world.client('b');
});
after(() => world.end());

const openAt = (clientId: string, id: string, dueAt: number, supplierId = 1): Open =>
  begin(purchaseRequestOf({ clientId, id, supplierId }), 1, { sendBefore: 2, quietAt: 3, dueAt })
    .after;

test('purchases are found by key and by id, of their own client only', async () => {
  const { db } = world.deps;
  const [one, other] = [openAt('a', 'find 1', 1e15), openAt('b', 'find 2', 1e15)];
  await insertPurchases(db, [one, other]);
  assert.deepEqual(await findByKeys(db, [one]), [one]);
  assert.deepEqual(await findByIds(db, [other]), [other]);
  assert.deepEqual(await findByKeys(db, [{ clientId: 'b', key: one.key }]), []);
  assert.deepEqual(await findByIds(db, [{ clientId: 'b', id: one.id }]), []);
  const both = await findByIds(db, [other, one]);
  assert.deepEqual(new Set(both.map(({ id }) => id)), new Set(['find 1', 'find 2']));
});

test('purchases of all clients are listed by state, by code and by key, the newest first', async () => {
  const { db } = world.deps;
  const named = { clientId: 'a', mobile: '989121234511', webserviceCode: 'listed' };
  const [one, two] = [1, 2].map(
    (at) =>
      begin(purchaseRequestOf({ ...named, id: `list ${at}` }), at, {
        sendBefore: 2,
        quietAt: 3,
        dueAt: 1e15,
      }).after,
  );
  assert.ok(one !== undefined && two !== undefined);
  const other = openAt('b', 'list 3', 1e15);
  const played = openAt('b', 'list 4', 1e15, 0);
  await insertPurchases(db, [one, two, other, played]);
  const { after } = leaveUnknown(two, { dueAt: 1e15, inquired: true, note: silence });
  assert.equal(await updatePurchases(db, [{ before: two, after }]), true);
  const listed = async (filter: Partial<PurchaseFilter>): Promise<string[]> => {
    const found = await listPurchases(db, { clientId: null, ...filter }, { offset: 0, limit: 9 });
    return found.map(({ id }) => id).filter((id) => id.startsWith('list '));
  };
  assert.deepEqual(await listed({ webserviceCode: 'listed' }), ['list 2', 'list 1']);
  assert.deepEqual(await listed({ state: 'submitted' }), ['list 4', 'list 3', 'list 1']);
  assert.deepEqual(await listed({ test: true }), ['list 4'], 'what test clients bought');
  assert.deepEqual(await listed({ test: false }), ['list 2', 'list 3', 'list 1']);
  assert.deepEqual(await listed({ key: other.key }), ['list 3']);
});

test('an update advances exactly the named purchases', async () => {
  const { db } = world.deps;
  const [one, other] = [openAt('a', 'update 1', 1e15), openAt('a', 'update 2', 1e15)];
  await insertPurchases(db, [one, other]);
  const next = { dueAt: 1e15, inquired: true, note: silence };
  const moved = leaveUnknown(one, next).after;
  assert.equal(await updatePurchases(db, [{ before: one, after: moved }]), true);
  assert.deepEqual(await findByIds(db, [one]), [moved]);
  assert.deepEqual(await findByIds(db, [other]), [other]);
});

test('an update advances only rows that are unchanged since they were read', async () => {
  const { db } = world.deps;
  const one = openAt('a', 'seen', 1e15);
  await insertPurchases(db, [one]);
  const { after } = leaveUnknown(one, { dueAt: 1, inquired: true, note: silence });
  for (const before of [
    { ...one, state: 'unknown' as const },
    { ...one, fence: one.fence + 1 },
    { ...one, attempts: one.attempts + 1 },
    { ...one, inquiries: one.inquiries + 1 },
    { ...one, notes: one.notes + 1 },
  ]) {
    assert.equal(await updatePurchases(db, [{ before, after }]), false);
    assert.deepEqual(await findByIds(db, [one]), [one]);
  }
});

test('a row in a state that the table allows and no purchase has is refused, never skipped', async () => {
  const { db } = world.deps;
  const one = openAt('a', 'held', 5, 77);
  await insertPurchases(db, [one]);
  await sql`update purchases set state = 'held' where id = ${one.id}`.execute(db);
  const impossible = { message: `Purchase ${one.id} is in an impossible state: held.` };
  await assert.rejects(findByKeys(db, [one]), impossible);
  await assert.rejects(findByIds(db, [one]), impossible);
  const { purchases, unreadable } = await claimDue(db, { now: 5, leaseUntil: 6, most: 9 }, [77]);
  assert.deepEqual(purchases, []);
  assert.deepEqual(unreadable, [{ id: one.id, err: new Error(impossible.message) }]);
  for (const kind of ['delivered', 'reversed'] as const) {
    assert.equal((await findUnsettledBy(db, { kind, supplierId: 77 }, [one.id])).length, 1, kind);
  }
  const { clientId, mobile } = one;
  const recent = await findRecent(db, [{ clientId, mobile, since: one.beganAt - 1 }]);
  assert.ok(recent.some(({ id }) => id === one.id));
  await db.deleteFrom('purchases').where('id', '=', one.id).execute();
});

test('due purchases are claimed once, the longest due first, up to the limit', async () => {
  const { db } = world.deps;
  const due = [30, 10, 20, 40].map((at) => openAt('a', `due ${at}`, at));
  await insertPurchases(db, due);
  const claim = async (now: number, most: number) =>
    (await claimDue(db, { now, leaseUntil: 1000, most }, [1])).purchases;
  const first = await claim(30, 2);
  assert.deepEqual(first.map(({ id }) => id).toSorted(), ['due 10', 'due 20']);
  assert.deepEqual(
    first.map(({ fence, dueAt }) => [fence, dueAt]),
    [
      [2, 1000],
      [2, 1000],
    ],
  );
  assert.deepEqual(
    (await claim(30, 10)).map(({ id }) => id),
    ['due 30'],
  );
  assert.deepEqual(await claim(30, 10), [], 'under a lease no other can claim them');
  const later = await claim(1000, 10);
  assert.equal(later.length, 4);
  assert.deepEqual(new Set(later.map(({ fence }) => fence)), new Set([2, 3]));
});

test('a claim names its suppliers, and leaves the purchases of others', async () => {
  const { db } = world.deps;
  await insertPurchases(db, [openAt('a', 'of seven', 10, 7), openAt('a', 'of eight', 10, 8)]);
  const claim = { now: 20, leaseUntil: 1000, most: 10 };
  assert.deepEqual((await claimDue(db, claim, [])).purchases, []);
  assert.deepEqual(
    (await claimDue(db, claim, [8, 9])).purchases.map(({ id }) => id),
    ['of eight'],
  );
});

test('a supplier is unclaimed only if all its open purchases were due by then', async () => {
  const { db } = world.deps;
  await insertPurchases(db, [openAt('b', 'due at 10', 10, 5), openAt('b', 'due at 20', 20, 5)]);
  await insertPurchases(db, [openAt('b', 'later', 30, 6), openAt('b', 'early', 10, 6)]);
  const others = [1, 2, 7, 8];
  assert.deepEqual(await findUnclaimed(db, [...others, 5], 20), [], 'one of 6 was due later');
  assert.deepEqual(await findUnclaimed(db, [...others, 5, 6], 50), [], 'this instance has both');
  assert.deepEqual(await findUnclaimed(db, others, 20), [5]);
  assert.deepEqual(new Set(await findUnclaimed(db, others, 30)), new Set([5, 6]));
  await claimDue(db, { now: 100, leaseUntil: 1000, most: 1 }, [6]);
  assert.deepEqual(await findUnclaimed(db, others, 100), [5], 'one of 6 was claimed');
});

test('claiming one takes it before it is due, under a new fencing number, unless its order is in flight', async () => {
  const { db } = world.deps;
  const inFlight = openAt('a', 'ordered', 500);
  const unknown: Open = { ...openAt('a', 'asked', 500), state: 'unknown' };
  await insertPurchases(db, [inFlight, unknown]);
  const claim = { now: 100, leaseUntil: 900 };
  const claimed = await claimOne(db, unknown, claim);
  assert.deepEqual([claimed?.fence, claimed?.dueAt], [2, 900]);
  assert.equal((await claimOne(db, unknown, claim))?.fence, 3, 'the later of two has it');
  assert.equal(await claimOne(db, inFlight, claim), undefined);
  assert.equal((await claimOne(db, inFlight, { ...claim, now: 500 }))?.fence, 2);
  assert.equal(await claimOne(db, { clientId: 'b', id: 'asked' }, claim), undefined);
});

test('taking over makes a supplier’s open purchases due now, under a new fencing number', async () => {
  const { db } = world.deps;
  const open = openAt('b', 'taken', 1e15);
  const foreign = openAt('b', 'of another supplier', 1e15, 2);
  const requested = purchaseRequestOf({ clientId: 'b', id: 'final' });
  const final = refuse(requested, 1, { status: 422, body: '' }, 'no').after;
  await insertPurchases(db, [open, foreign, final]);
  const slow = { ...openAt('b', 'sent when it took longer', 1e15), quietAt: 102 };
  await insertPurchases(db, [slow]);
  await takeOverAll(db, 1, { now: 50, quietAt: 70 });
  const times = { dueAt: 50, sendBefore: 50, quietAt: 70 };
  assert.deepEqual(await findByIds(db, [open]), [{ ...open, ...times, fence: 2 }]);
  assert.deepEqual(await findByIds(db, [slow]), [{ ...slow, ...times, quietAt: 150, fence: 2 }]);
  assert.deepEqual(await findByIds(db, [foreign]), [foreign]);
  assert.deepEqual(await findByIds(db, [final]), [final]);
});

test('a report concerns purchases that it can still change, of any client', async () => {
  const { db } = world.deps;
  const ids = ['taken', 'final', 'nothing'];
  assert.deepEqual(await findUnsettledBy(db, { kind: 'delivered', supplierId: 1 }, []), []);
  for (const kind of ['delivered', 'reversed'] as const) {
    const found = await findUnsettledBy(db, { kind, supplierId: 1 }, ids);
    assert.deepEqual(
      found.map(({ clientId, id }) => ({ clientId, id })),
      [{ clientId: 'b', id: 'taken' }],
    );
  }
});

test('each operator’s report cursor is remembered', async () => {
  const { db } = world.deps;
  assert.equal(await readCursor(db, 1), '');
  assert.ok(await saveCursor(db, 1, { from: '', to: 'one' }));
  assert.ok(await saveCursor(db, 2, { from: '', to: 'two' }));
  assert.ok(await saveCursor(db, 1, { from: 'one', to: 'three' }));
  assert.equal(await saveCursor(db, 1, { from: 'one', to: 'two' }), false, 'another was faster');
  assert.deepEqual([await readCursor(db, 1), await readCursor(db, 2)], ['three', 'two']);
});

test('the table itself refuses a second key, a second id, an unknown client, and an end without its answer', async () => {
  const { db } = world.deps;
  const one = openAt('a', 'only', 1e15);
  assert.equal(await insertPurchases(db, [one]), true);
  const two = openAt('a', 'second', 1e15);
  const written = await insertPurchases(db, [two, { ...one, id: 'other' }]);
  assert.equal(written, false, 'one of two is not all');
  assert.equal(await insertPurchases(db, [{ ...one, key: 'other' }]), false);
  const foreign = { ...one, clientId: 'b', key: 'other' };
  assert.equal(await insertPurchases(db, [foreign]), false, 'an id belongs to one purchase');
  const stranger = { ...one, clientId: 'unknown-client', id: 'x' };
  await assert.rejects(insertPurchases(db, [stranger]), /foreign key/i);
  for (const change of [
    `state = 'succeeded'`,
    `state = 'sold'`,
    `amount = -1`,
    `answer_status = 200`,
    `state = 'failed', answer_status = 422, answer_body = ''`,
  ]) {
    const tampering = sql.raw(`update purchases set ${change} where id = 'only'`);
    await assert.rejects(tampering.execute(db), /check/i, change);
  }
  const note = { of: { ...one, notes: 1 }, note: silence };
  const noted = (before: Purchase) =>
    updatePurchases(db, [{ before, after: note.of }], [notesToWrite([note], 5)]);
  assert.equal(await noted(one), true);
  await assert.rejects(noted(note.of), /unique/i, 'two notes of one number');
});

test('follow-up rows are written only if all their purchases were', async () => {
  const { db } = world.deps;
  const one = openAt('a', 'first', 1e15);
  assert.equal(await insertPurchases(db, [one]), true);
  const note = { of: { ...one, notes: 1 }, note: silence };
  const following = [notesToWrite([note], 5)];
  const two = openAt('a', 'second', 1e15);
  const notes = () =>
    db.selectFrom('purchase_notes').select('at').where('purchase_id', '=', one.id).execute();
  assert.equal(await insertPurchases(db, [two, { ...one, id: 'other' }], following), false);
  assert.equal(await insertPurchases(db, [{ ...one, id: 'other' }], following), false);
  const missing = { ...one, id: 'nowhere' };
  const still = [one, missing].map((each) => ({ before: each, after: each }));
  assert.equal(await updatePurchases(db, still, following), false);
  assert.deepEqual(await notes(), []);
  const three = openAt('a', 'third', 1e15);
  assert.equal(await insertPurchases(db, [three], following), true);
  assert.deepEqual(await notes(), [{ at: 5 }]);
});
