/** Tests that a purchase whose operator moved to another system stays open until its own system answers. */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Config, readConfig } from '../../src/config/config.ts';
import { makeKey } from '../../src/db/secrets/seal.ts';
import { createGateway } from '../../src/gateway/gateway.ts';
import { steadyTime, systemClock } from '../../src/lib/clock.ts';
import { createLog } from '../../src/lib/log/log.ts';
import { systemRandom } from '../../src/lib/random.ts';
import { noFaults } from '../../src/operators/simulator/faults.ts';
import { startSimulator } from '../../src/operators/simulator/server/server.ts';
import { type Ask, enterOffice } from '../support/admin.ts';
import { at } from '../support/answers.ts';
import { cleanUpAfterTest, onlyOnce } from '../support/cleanup.ts';
import { eventually } from '../support/live.ts';
import { type ManualClock, manualClock } from '../support/manual-clock.ts';
import { type Answer, startServer, type TestServer } from '../support/server.ts';
import {
  aPackage,
  buy,
  catalogue,
  type Fields,
  moneyOf,
  postpaid,
  prepaid,
  purchaseDefaults,
  sold,
} from './buying.ts';

const price = 10_000;
const balance = 1_000_000;
/** Nothing delivered, and the answer unreadable. */
const undelivered = { ...aPackage, mobile: `${prepaid.slice(0, -2)}96` };

/** Delivered, and the answer lost. */
const lost = {
  ...aPackage,
  product_id: sold.permanent,
  mobile: `${postpaid.slice(0, -2)}93`,
};

/** Its own operator; its reports get lost too. */
const operatorIn = async (folder: string, name: string) => {
  const book = join(folder, name);
  const { url, close } = await startSimulator(
    {
      host: '127.0.0.1',
      port: 0,
      book,
      seed: 1,
      rates: { ...noFaults, errors: 1 },
      only: ['reports'],
      delayMs: 0,
      lagMs: 0,
      reversesAfter: 3000,
      deduplicates: false,
    },
    { clock: systemClock, newId: () => name },
  );
  const delivered = (): string[] =>
    readFileSync(book, 'utf8')
      .split('\n')
      .flatMap((line) => /^\{"ref":"([^"]+)"/.exec(line)?.[1] ?? []);
  return { url: `${url}/operators/1`, delivered, close };
};

type Place = 'first' | 'second';

type Scene = {
  readonly server: TestServer;
  readonly owner: Ask;
  /** The purchase that the first system delivered, with a lost answer. */
  readonly id: string;
  readonly state: (id?: string) => Promise<unknown>;
  readonly clock: ManualClock;
  /** The file's settings for the operator. */
  readonly fileSettings: Readonly<Record<string, unknown>>;
  readonly delivered: () => string[];
  /** Sets the wall clocks of all instances forward or back; the database's time goes on. */
  readonly stepWallClock: (ms: number) => void;
  /** Gives the operator another address, or other settings. */
  readonly move: (to: Place, more?: Readonly<Record<string, unknown>>) => Promise<void>;
  readonly inquire: (id?: string) => Promise<Answer>;
  /** Buys what becomes unknown, and returns its id. */
  readonly buyUnknown: (
    fields: Fields,
    at?: { readonly server: TestServer; readonly clock: ManualClock },
  ) => Promise<string>;
  /** Lets the time pass until "no such order" would be proof, from the system that got the order. */
  readonly silenceIsProof: () => Promise<void>;
  /** Starts another gateway on the same database; its file names one of the two systems. */
  readonly startAnother: (to?: Place, clock?: ManualClock) => Promise<TestServer>;
};

const notesOf = async ({ deps }: TestServer): Promise<string[]> => {
  const rows = await deps.db.selectFrom('purchase_notes').selectAll().orderBy('seq').execute();
  return rows.map(({ code }) => code);
};

// "No such order" is proof as soon as the time to send and to answer has passed; nothing inquires
// automatically.
const inquiries = { firstInquiryMs: 600_000, widestInquiryMs: 600_000, reviewAfterMs: 600_000 };
const times = { headersMs: 500, answerMs: 500, settlesWithin: 0 };

const scene = async (work: (scene: Scene) => Promise<void>): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'simgate-test-'));
  const [first, second] = [await operatorIn(folder, 'first'), await operatorIn(folder, 'second')];
  const settingsOf = (baseUrl: string) => ({ ...times, baseUrl, inquiries });
  const addressOf = (name: Place): string => (name === 'first' ? first : second).url;
  const operatorsAt = (name: Place) =>
    readConfig({}).operators.map((operator) =>
      operator.id === 1
        ? { ...operator, connector: 'http', settings: settingsOf(addressOf(name)) }
        : operator,
    );
  const config: Partial<Config> = {
    operators: operatorsAt('first'),
    purchases: { ...purchaseDefaults, sendWithinMs: 1000, pendingAfterMs: 200 },
    secretsKey: makeKey(systemRandom),
  };
  // Only the gateway's time: operators take real time, and are waited for.
  let steppedMs = 0;
  const clock = manualClock(systemClock.now());
  const wall = { ...clock, now: () => clock.now() + steppedMs };
  const server = await startServer({ products: catalogue, balance, config, clock: wall });
  try {
    const owner = await enterOffice(server, 'owner');
    const state: Scene['state'] = async (of = id) =>
      at((await owner('GET', `purchases/${of}`)).body, 'state');
    const unknowns = async (): Promise<number> => {
      const { db } = server.deps;
      const found = db.selectFrom('purchases').select('id').where('state', '=', 'unknown');
      return (await found.execute()).length;
    };
    // By events: an operator takes real time, and is waited for.
    const buyUnknown: Scene['buyUnknown'] = async (fields, other = { server, clock }) => {
      const before = [first.delivered().length, await unknowns()];
      const telling = buy(other.server, fields);
      await eventually('the operator has it', async () => {
        const now = [first.delivered().length, await unknowns()];
        return now[0] !== before[0] || now[1] !== before[1];
      });
      await other.clock.advance(times.answerMs);
      const told = await telling;
      assert.equal(told.status, 202, told.text);
      const bought = told.headers.get('purchase-id') ?? '';
      await eventually('it is unknown', async () => (await state(bought)) === 'unknown');
      return bought;
    };
    const id = await buyUnknown(lost);
    assert.deepEqual(first.delivered(), [id]);
    const silenceIsProof = async (): Promise<void> => {
      const purchases = await server.deps.db.selectFrom('purchases').select('quiet_at').execute();
      for (const { quiet_at } of purchases) {
        if (quiet_at >= clock.now()) await clock.advance(quiet_at - clock.now() + 1);
      }
    };
    await silenceIsProof();
    await work({
      server,
      owner,
      id,
      state,
      clock,
      fileSettings: settingsOf(first.url),
      delivered: first.delivered,
      stepWallClock: (ms) => {
        steppedMs += ms;
      },
      buyUnknown,
      silenceIsProof,
      move: async (to, more = {}) => {
        const { body } = await owner('GET', 'operators/1');
        const settings = { ...settingsOf(addressOf(to)), ...more };
        const wanted = { settings, version: at(body, 'version') };
        const { status, text } = await owner('PUT', 'operators/1/settings', wanted);
        assert.equal(status, 200, text);
      },
      inquire: (of = id) =>
        owner('POST', `purchases/${of}/inquire`, { reason: 'its answer got lost' }),
      startAnother: async (to = 'first', own = clock) => {
        const read = readConfig({ PORT: '0', ...server.env });
        // It learns of changes by its clock alone.
        const database = { ...read.database, listen: false };
        const whole = {
          ...read,
          suppliers: [],
          ...config,
          database,
          operators: operatorsAt(to),
        };
        const log = createLog({ level: 'error', mobile: whole.mobile }, { write: () => {} });
        const now = steadyTime(clock);
        const gateway = await createGateway({
          config: whole,
          db: server.deps.db,
          log,
          clock: own,
          databaseTime: async () => now(),
        });
        const stop = onlyOnce(gateway.close);
        cleanUpAfterTest(stop);
        const url = await gateway.app.listen({ host: '127.0.0.1', port: 0 });
        return { ...server, url, stop };
      },
    });
    assert.deepEqual(second.delivered(), []);
  } finally {
    await server.stop();
    await first.close();
    await second.close();
    rmSync(folder, { recursive: true, force: true });
  }
};

test('asked elsewhere, a purchase stays open and its money held; its own system finds it and it is sold', () =>
  scene(async ({ server, state, move, inquire }) => {
    await move('second');
    const asked = await inquire();
    assert.deepEqual(
      [asked.status, at(asked.body, 'outcome'), at(asked.body, 'purchase', 'state')],
      [200, 'not_found', 'unknown'],
      asked.text,
    );
    assert.equal((await notesOf(server)).at(-1), 'not_found');
    assert.deepEqual(await moneyOf(server), { available: balance - price, held: price });
    await move('first');
    const found = await inquire();
    assert.equal(at(found.body, 'outcome'), 'delivered', found.text);
    assert.equal(await state(), 'succeeded');
    assert.deepEqual(await moneyOf(server), { available: balance - price, held: 0 });
  }));

test('asked elsewhere until the wait is over, it needs review, with a note that this proves nothing', () =>
  scene(async ({ server, owner, id, state, move, inquire }) => {
    const decide = (path: string, verdict: string, more = {}): Promise<Answer> =>
      owner('POST', `purchases/${id}/resolution${path}`, { verdict, ...more });
    await move('second', { inquiries: { ...inquiries, reviewAfterMs: 1 } });
    for (const expected of ['unknown', 'unknown', 'review']) {
      await inquire();
      assert.equal(await state(), expected);
    }
    assert.deepEqual(await moneyOf(server), { available: balance - price, held: price });
    const elsewhere = await decide('/preview', 'succeeded');
    assert.deepEqual(
      [at(elsewhere.body, 'contradicted'), at(elsewhere.body, 'evidence')],
      [false, [{ says: 'nothing', fact: { code: 'now_not_found_yet', values: {} } }]],
    );
    await move('first');
    const { body } = await decide('/preview', 'failed');
    assert.equal(at(body, 'contradicted'), true);
    const version = at(body, 'version');
    const decision = { reason: 'it was delivered where it was ordered', version };
    const refused = await decide('', 'failed', decision);
    assert.equal(at(refused.body, 'code'), 'EVIDENCE_AGAINST', refused.text);
    const done = await decide('', 'succeeded', decision);
    assert.equal(done.status, 200, done.text);
    assert.equal(await state(), 'succeeded');
    assert.deepEqual(await moneyOf(server), { available: balance - price, held: 0 });
  }));

test('a server that starts after the move knows of it too', () =>
  scene(async ({ server, state, silenceIsProof, move, inquire, startAnother }) => {
    await move('second');
    const noted = (await notesOf(server)).length;
    const another = await startAnother();
    try {
      // A start may restart the quiet time, and trigger an inquiry.
      await silenceIsProof();
      await inquire();
      await eventually('it was asked about then', async () => {
        const notes = (await notesOf(server)).slice(noted);
        return notes.includes('not_found');
      });
      assert.equal(await state(), 'unknown');
    } finally {
      await another.stop();
    }
    await move('first');
    await inquire();
    assert.equal(await state(), 'succeeded');
  }));

test('a wall clock that stepped back before the move changes nothing', () =>
  scene(async ({ server, state, stepWallClock, move, inquire }) => {
    stepWallClock(-300_000);
    await move('second');
    const asked = await inquire();
    assert.equal(at(asked.body, 'outcome'), 'not_found', asked.text);
    assert.equal(await state(), 'unknown');
    assert.deepEqual(await moneyOf(server), { available: balance - price, held: price });
  }));

test('the order of an instance suspended during the move stays open when others ask elsewhere', () =>
  scene(async ({ delivered, state, clock, move, inquire, ...scene }) => {
    const sleeping = manualClock(clock.now());
    const asleep = await scene.startAnother('first', sleeping);
    try {
      await move('second');
      await clock.advance(120_000);
      // It has not polled for changes since, and gets a request as it wakes.
      const late = { ...lost, webservice_code: 'late' };
      const id = await scene.buyUnknown(late, { server: asleep, clock: sleeping });
      assert.ok(delivered().includes(id));
      await scene.silenceIsProof();
      const asked = await inquire(id);
      assert.equal(at(asked.body, 'outcome'), 'not_found', asked.text);
      assert.equal(await state(id), 'unknown');
    } finally {
      await asleep.stop();
    }
  }));

test('another secret and other times prove as before: what was not delivered fails', () =>
  scene(async ({ server, state, buyUnknown, silenceIsProof, move, inquire }) => {
    const id = await buyUnknown(undelivered);
    await move('first', { token: 'rotated', headersMs: 400, connections: 7 });
    await silenceIsProof();
    const asked = await inquire(id);
    assert.equal(at(asked.body, 'outcome'), 'not_found', asked.text);
    assert.equal(await state(id), 'failed');
    assert.deepEqual(await moneyOf(server), { available: balance - price, held: price });
  }));

test('moved and moved back, the system that got the order proves again', () =>
  scene(async ({ state, buyUnknown, silenceIsProof, move, inquire }) => {
    const id = await buyUnknown(undelivered);
    await silenceIsProof();
    await move('second');
    await inquire(id);
    assert.equal(await state(id), 'unknown');
    await move('first');
    await inquire(id);
    assert.equal(await state(id), 'failed');
  }));

test('a system that takes longer than declared at the order gets that time', () =>
  scene(async ({ state, clock, buyUnknown, silenceIsProof, move, inquire }) => {
    const id = await buyUnknown(undelivered);
    await silenceIsProof();
    await move('first', { settlesWithin: 60_000 });
    await inquire(id);
    assert.equal(await state(id), 'unknown', 'it may still surface');
    await clock.advance(60_000);
    await inquire(id);
    assert.equal(await state(id), 'failed');
  }));

test('the first start after the upgrade fills in where older purchases went, and proof is possible', () =>
  scene(async ({ server, fileSettings, state, buyUnknown, silenceIsProof, ...scene }) => {
    const { db } = server.deps;
    const id = await buyUnknown(undelivered);
    await db.updateTable('purchases').set({ sent_to: null }).execute();
    await silenceIsProof();
    await scene.inquire(id);
    assert.equal(await state(id), 'unknown', 'its system is unknown');
    const digest = hash('sha256', JSON.stringify(['http', fileSettings]), 'hex');
    await db
      .insertInto('operator_files')
      .values({ operator_id: 1, digest, changed_at: null })
      .execute();
    const another = await scene.startAnother();
    try {
      await silenceIsProof();
      await scene.inquire(id);
      await eventually('it failed', async () => (await state(id)) === 'failed');
    } finally {
      await another.stop();
    }
  }));
