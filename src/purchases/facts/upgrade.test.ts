/** Tests a database of the version before: notes in words become facts, and decide as they did. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { emptyDatabase, postInOld } from '../../../test/support/old-database.ts';
import { createWorld, price, requestOf, type World } from '../../../test/support/purchase-world.ts';
import { convertFacts } from '../../db/migrate/conversions/facts.ts';
import { migrate } from '../../db/migrate/migrate.ts';
import { readMigrations } from '../../db/migrate/migrations.ts';
import type { Db } from '../../db/types.ts';
import { systemClock } from '../../lib/clock.ts';
import { decisionsOf, historyOf } from '../inquiry/history.ts';
import { findPurchase, readNotes } from '../inquiry/store.ts';
import { toWire } from '../inquiry/wire.ts';
import type { Purchase } from '../purchase.ts';
import { fingerprintOf } from '../request/fingerprint.ts';
import type { Asked } from '../review/evidence.ts';
import { preview, resolve } from '../review/resolve.ts';
import { readDecisions } from '../review/store.ts';
import { textFact } from './facts.ts';
import { shownWords } from './words.ts';

const client = 'a';
const all = readMigrations();
/** The last migration with notes in words. */
const before = 24;

/** An empty database of the previous version. */
const oldDatabase = async (): Promise<Db> => {
  const db = await emptyDatabase();
  await migrate(db, systemClock, { known: all.filter(({ number }) => number <= before) });
  await sql`insert into clients (id, name, status, created_at)
    values (${client}, ${client}, 'active', 0)`.execute(db);
  await postInOld(db, client, [{ kind: 'deposit', amount: 100 * price }], 0);
  return db;
};

type Old = {
  readonly id: string;
  readonly state: Purchase['state'];
  readonly reason?: string;
  readonly disputed?: string;
  readonly body?: string;
  readonly notes?: readonly (readonly [kind: string, detail: string])[];
};

const isSettled = ({ state }: Old): boolean => state !== 'unknown' && state !== 'review';

/** Writes a purchase as the previous version did. */
const insertOld = async (db: Db, old: Old): Promise<void> => {
  const { id, state, reason = null, disputed = null, body = '{}', notes = [] } = old;
  const { key, fields } = requestOf(client, id);
  const [status, answer, at] = isSettled(old)
    ? [state === 'succeeded' ? 200 : 422, body, 9]
    : [null, null, null];
  await sql`insert into purchases (client_id, id, idempotency_key, fingerprint, state, product_id,
      operator_id, mobile, amount, webservice_code, request_id, fence, attempts, inquiries, notes,
      began_at, send_before, quiet_at, due_at, settled_at, answer_status, answer_body, reason,
      disputed)
    values (${client}, ${id}, ${key}, ${fingerprintOf(fields)}, ${state}, 1, 1, ${fields.mobile},
      ${price}, 'code', 'request', 1, 1, 3, ${notes.length}, 1, 2, 3,
      ${state === 'unknown' ? 9e15 : null}, ${at}, ${status}, ${answer}, ${reason}, ${disputed})`.execute(
    db,
  );
  for (const [index, [kind, detail]] of notes.entries()) {
    await sql`insert into purchase_notes (client_id, purchase_id, seq, kind, detail, at)
      values (${client}, ${id}, ${index + 1}, ${kind}, ${detail}, ${index})`.execute(db);
  }
  const purchaseId = id;
  if (state === 'refused') return;
  const held = { kind: 'hold', amount: price, purchaseId } as const;
  const end = { succeeded: 'capture', failed: 'release' } as const;
  const ended = state === 'succeeded' || state === 'failed' ? [end[state]] : [];
  const more = ended.map((kind) => ({ kind, amount: price, purchaseId }) as const);
  await postInOld(db, client, [held, ...more], 1);
};

const silence = ['order', 'no answer within 5000 ms'] as const;
const delivered = ['report', 'the operator reports it delivered at 5'] as const;
const reversed = ['report', 'the operator reports it reversed at 7'] as const;

const review = (id: string, reason: string, ...notes: (readonly [string, string])[]): Old => ({
  id,
  state: 'review',
  reason,
  notes: [silence, ...notes],
});

const reviews: readonly (readonly [Old, evidence: readonly string[]])[] = [
  [
    review('given up', 'not known after 3 inquiries: no answer within 5000 ms', [
      'inquiry',
      'no answer within 5000 ms',
    ]),
    ['nothing'],
  ],
  [review('reported', delivered[1], delivered), ['delivered', 'nothing']],
  [review('reversed', reversed[1], delivered, reversed), ['taken_back', 'nothing']],
  [review('delivered last', delivered[1], reversed, delivered), ['delivered', 'nothing']],
  [
    review('late', 'the operator answered late: refused (barred)', [
      'late answer',
      'the operator answered late: refused (barred)',
    ]),
    ['not_delivered', 'nothing'],
  ],
  [
    review('denied', 'the operator says: no such order', [
      'testimony',
      'the operator says: no such order',
    ]),
    ['not_delivered', 'nothing'],
  ],
  [
    review('taken back', 'the operator says: taken back at 9', delivered, [
      'testimony',
      'the operator says: taken back at 9',
    ]),
    ['taken_back', 'nothing'],
  ],
  [
    // An operator's own words were not evidence, and still are not.
    review('words', 'the operator reports it delivered at 5!', [
      'inquiry',
      'the operator reports it delivered at 5',
    ]),
    ['nothing'],
  ],
];

const disputed: Old = {
  id: 'disputed',
  state: 'failed',
  reason: 'OPERATOR_DECLINED',
  disputed: 'recorded as failed, and the operator answered late: delivered',
  notes: [['contradiction', 'recorded as failed, and the operator answered late: delivered']],
};

const closed: Old = {
  id: 'closed',
  state: 'failed',
  reason: 'OPERATOR_DECLINED',
  notes: [
    ['contradiction', 'recorded as failed, and the operator reports it delivered at 5'],
    ['dispute closed', 'marked as not delivered by Ana: she called'],
  ],
};

const answered: readonly Old[] = [
  { id: 'sold', state: 'succeeded', body: '{"message":"sold, byte for byte"}' },
  { id: 'declined', state: 'failed', reason: 'OPERATOR_DECLINED', body: '{"code":"declined"}' },
  { id: 'refused', state: 'refused', reason: 'PRICE_MISMATCH', body: '{"code":"mismatch"}' },
];

const open: Old = {
  id: 'open',
  state: 'unknown',
  reason: 'the operator says that it is pending',
  notes: [silence, ['inquiry', 'the operator says that it is pending']],
};

const olds = [...answered, open, ...reviews.map(([old]) => old), disputed, closed];

const fillOld = async (): Promise<Db> => {
  const db = await oldDatabase();
  for (const old of olds) await insertOld(db, old);
  await sql`insert into audit (id, at, actor, action, subject, before_it, after_it, evidence, forced, reason)
    values ('d', 1, 'Ana', 'purchase resolve', 'closed', '{}', '{}', 'the operator said so', 0, 'she called')`.execute(
    db,
  );
  return db;
};

const worldOn = (db: Db): Promise<World> => createWorld(undefined, { db, close: async () => {} });

const upgraded = async (): Promise<World> => {
  const db = await fillOld();
  await migrate(db, systemClock, { known: all });
  return worldOn(db);
};

const notAsked = async (): Promise<Asked> => ({
  kind: 'not_asked',
  why: textFact('it was not asked'),
});

const find = async ({ deps }: World, id: string): Promise<Purchase> =>
  (await findPurchase(deps.db, id, null)) ?? assert.fail(id);

test('keys of the previous version replay their recorded bytes, and nothing is ordered', async () => {
  const world = await upgraded();
  for (const old of [...answered, disputed, closed]) {
    const { answer } = await find(world, old.id);
    assert.equal(answer?.body, old.body ?? '{}');
    const again = await world.buying.buy(requestOf(client, old.id));
    assert.deepEqual(again, { ...again, answer, replayed: true });
  }
  assert.deepEqual(world.orders, []);
  assert.deepEqual(await world.problems(), []);
});

test('clients read the reasons of the previous version in the same words', async () => {
  const world = await upgraded();
  for (const { id, reason = null } of olds) {
    assert.equal(toWire(await find(world, id)).reason, reason, id);
  }
});

test('evidence of the previous version still says the same', async () => {
  const world = await upgraded();
  const deps = { ...world.deps, ask: notAsked };
  for (const [{ id }, says] of reviews) {
    const { evidence } = await preview(deps, id, 'succeeded');
    assert.deepEqual(
      evidence.map((one) => one.says),
      says,
      id,
    );
  }
  const { evidence } = await preview(deps, 'disputed', 'failed');
  assert.deepEqual(
    evidence.map((one) => one.says),
    ['delivered', 'nothing'],
  );
});

test('a report of the previous version contradicts a decision, and a reversal refunds the money', async () => {
  const world = await upgraded();
  const deps = { ...world.deps, ask: notAsked };
  const decision = { reason: 'a call', actor: 'Ana', force: false } as const;
  await assert.rejects(
    resolve(deps, 'reported', { ...decision, verdict: 'failed' }),
    /contradicts "failed": the operator reports it delivered at 1970/,
  );
  const sold = await resolve(deps, 'reported', { ...decision, verdict: 'succeeded' });
  assert.deepEqual([sold.purchase.state, sold.money.code], ['succeeded', 'charged']);
  const back = await resolve(deps, 'reversed', { ...decision, verdict: 'succeeded' });
  assert.deepEqual([back.purchase.state, back.money.code], ['reversed', 'charged_and_refunded']);
  assert.deepEqual((await readNotes(deps.db, back.purchase)).at(-1)?.fact, {
    code: 'reversed',
    values: { at: 7 },
  });
  assert.deepEqual(await world.problems(), []);
});

test('a report that the previous version noted does not reopen a closed dispute', async () => {
  const world = await upgraded();
  world.say({
    reports: async (cursor) => ({
      kind: 'reports',
      reports: cursor === '' ? [{ ref: 'closed', at: 5, kind: 'delivered' }] : [],
      cursor: '1',
    }),
  });
  await world.recovery.readReports();
  const { disputed, notes } = await find(world, 'closed');
  assert.deepEqual([disputed, notes], [null, 2]);
});

test('history and audit of the previous version are shown; an audit entry as it was written', async () => {
  const world = await upgraded();
  const purchase = await find(world, 'closed');
  const history = historyOf(purchase, await readNotes(world.deps.db, purchase));
  assert.deepEqual(
    history.map(({ kind, fact }) => [kind, fact?.code]),
    [
      ['held and submitted', 'attempt'],
      ['failed', 'error'],
      ['contradiction', 'reported_delivered'],
      ['dispute closed', 'marked_not_delivered'],
    ],
  );
  const [decision] = decisionsOf(await readDecisions(world.deps.db, 'closed'));
  assert.deepEqual(decision?.evidence.map(shownWords), ['the operator said so']);
});

const countOf = async (db: Db, table: string): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(
    db,
  );
  return Number(rows[0]?.n);
};

test('an interrupted conversion continues, and converts nothing twice', async () => {
  const db = await fillOld();
  const many = Array.from({ length: 1200 }, (_, index) => ['inquiry', `silence ${index}`] as const);
  await insertOld(db, { ...open, id: 'asked often', notes: many });
  const total = await countOf(db, 'purchase_notes');
  await migrate(db, systemClock, { known: all.filter(({ number }) => number <= before + 1) });
  assert.equal(await db.transaction().execute(convertFacts), true);
  const converted = await countOf(db, 'purchase_notes');
  assert.ok(converted > 0 && converted < total, `${converted} of ${total}`);
  const broken = db.transaction().execute(async (db) => {
    await convertFacts(db);
    throw new Error('the process is gone');
  });
  await assert.rejects(broken, /gone/);
  assert.equal(await countOf(db, 'purchase_notes'), converted, 'a batch is all or nothing');
  assert.equal(await countOf(db, 'purchase_notes_in_words'), total - converted);
  const last = await migrate(db, systemClock, { known: all });
  assert.deepEqual(
    last.map(({ number }) => number),
    all.map(({ number }) => number).filter((number) => number > before + 1),
  );
  assert.equal(await countOf(db, 'purchase_notes'), total);
  await assert.rejects(countOf(db, 'purchase_notes_in_words'));
  const world = await worldOn(db);
  const notes = await readNotes(db, await find(world, 'asked often'));
  assert.deepEqual(
    notes.map(({ kind, fact }) => [kind, shownWords(fact)]),
    many,
  );
  const { evidence } = await preview({ ...world.deps, ask: notAsked }, 'reported', 'failed');
  assert.equal(evidence[0]?.says, 'delivered');
});

test('the previous version can no longer write notes in words', async () => {
  const db = await fillOld();
  await migrate(db, systemClock, { known: all.filter(({ number }) => number <= before + 1) });
  const note = sql`insert into purchase_notes (client_id, purchase_id, seq, kind, detail, at)
    values (${client}, 'open', 9, 'order', 'late', 1)`;
  await assert.rejects(note.execute(db), /detail/);
});
