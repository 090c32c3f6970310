/** Proves that no money is given back because another system was asked: a purchase whose operator was moved stays open until its own answers. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { createGateway } from '../../src/gateway.ts';
import { steadyTime, systemClock } from '../../src/lib/clock.ts';
import { type Config, readConfig } from '../../src/lib/config.ts';
import { createLog } from '../../src/lib/log.ts';
import { manualClock } from '../../src/lib/manual-clock.ts';
import { systemRandom } from '../../src/lib/random.ts';
import { makeKey } from '../../src/lib/sealed.ts';
import { endWithTest, onlyOnce } from '../../src/lib/test-ending.ts';
import { noFaults } from '../../src/operators/simulator/faults.ts';
import { startSimulator } from '../../src/operators/simulator/server.ts';
import { type Ask, enterOffice } from '../support/admin.ts';
import { at } from '../support/answers.ts';
import { eventually } from '../support/live.ts';
import { type Answer, startServer, type TestServer } from '../support/server.ts';
import {
  aPackage,
  buy,
  catalogue,
  moneyOf,
  postpaid,
  purchaseDefaults,
  sold,
  turn,
} from './buying.ts';

const price = 10_000;
const balance = 1_000_000;
/** Delivered, and the answer lost. */
const lost = {
  ...aPackage,
  product_id: sold.permanent,
  mobile: `${postpaid.slice(0, -2)}93`,
};

/** An operator of its own; what it would report by itself gets lost too. */
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

type Scene = {
  readonly server: TestServer;
  readonly owner: Ask;
  /** The purchase that was delivered at the first, whose answer got lost. */
  readonly id: string;
  readonly state: () => Promise<unknown>;
  readonly now: () => number;
  /** Gives the operator another address. */
  readonly move: (to: 'first' | 'second', reviewAfterMs?: number) => Promise<void>;
  readonly inquire: (asker?: Ask) => Promise<Answer>;
  /** Lets the time pass until "no such order" would be proof, if those were asked who got it. */
  readonly silenceIsProof: () => Promise<void>;
  /** Serves the same with one more gateway, as after a start; by a file that names one of the two. */
  readonly startAnother: (to?: 'first' | 'second') => Promise<TestServer>;
};

const notesOf = async ({ deps }: TestServer): Promise<string[]> => {
  const rows = await deps.db.selectFrom('purchase_notes').selectAll().orderBy('seq').execute();
  return rows.map(({ detail }) => detail);
};

// "No such order" is proof at once when the time to send and to answer has passed; nobody asks by itself.
const inquiries = { firstInquiryMs: 600_000, widestInquiryMs: 600_000, reviewAfterMs: 600_000 };
const times = { headersMs: 500, answerMs: 500, settlesWithin: 0 };

const scene = async (work: (scene: Scene) => Promise<void>): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'simgate-test-'));
  const [first, second] = [await operatorIn(folder, 'first'), await operatorIn(folder, 'second')];
  const settingsOf = (baseUrl: string, reviewAfterMs = inquiries.reviewAfterMs) => ({
    ...times,
    baseUrl,
    inquiries: { ...inquiries, reviewAfterMs },
  });
  const addressOf = (name: 'first' | 'second'): string => (name === 'first' ? first : second).url;
  const operatorsAt = (name: 'first' | 'second') =>
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
  // Only the gateway's time: operators take what they take, and are waited for.
  const clock = manualClock(systemClock.now());
  const server = await startServer({ products: catalogue, balance, config, clock });
  try {
    const owner = await enterOffice(server, 'owner');
    const telling = buy(server, lost);
    while (first.delivered().length === 0) await turn();
    await clock.advance(times.answerMs);
    const told = await telling;
    assert.equal(told.status, 202, told.text);
    const id = told.headers.get('purchase-id') ?? '';
    const one = async () => (await owner('GET', `purchases/${id}`)).body;
    const state = async () => at(await one(), 'state');
    await eventually('its answer is given up', async () => (await state()) === 'unknown');
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
      now: clock.now,
      silenceIsProof,
      move: async (to, reviewAfterMs) => {
        const { body } = await owner('GET', 'operators/1');
        const settings = settingsOf(addressOf(to), reviewAfterMs);
        const wanted = { settings, version: at(body, 'version') };
        const { status, text } = await owner('PUT', 'operators/1/settings', wanted);
        assert.equal(status, 200, text);
      },
      inquire: () => owner('POST', `purchases/${id}/inquire`, { reason: 'its answer got lost' }),
      startAnother: async (to = 'first') => {
        const own = { ...config, operators: operatorsAt(to) };
        const whole = { ...readConfig({ PORT: '0', ...server.env }), ...own };
        const log = createLog({ level: 'error', mobile: whole.mobile }, { write: () => {} });
        const now = steadyTime(clock);
        const gateway = await createGateway({
          config: whole,
          db: server.deps.db,
          log,
          clock,
          databaseTime: async () => now(),
        });
        const stop = onlyOnce(gateway.close);
        endWithTest(stop);
        const url = await gateway.app.listen({ host: '127.0.0.1', port: 0 });
        return { ...server, url, stop };
      },
    });
    assert.deepEqual([first.delivered(), second.delivered()], [[id], []]);
  } finally {
    await server.stop();
    await first.close();
    await second.close();
    rmSync(folder, { recursive: true, force: true });
  }
};

test('asked elsewhere, a purchase stays open and its money held; where it was ordered it is found and sold', () =>
  scene(async ({ server, state, move, inquire }) => {
    await move('second');
    const asked = await inquire();
    assert.deepEqual(
      [asked.status, at(asked.body, 'outcome'), at(asked.body, 'purchase', 'state')],
      [200, 'not_found', 'unknown'],
      asked.text,
    );
    assert.equal((await notesOf(server)).at(-1), 'the operator knows no such order');
    assert.deepEqual(await moneyOf(server), { available: balance - price, held: price });
    await move('first');
    const found = await inquire();
    assert.equal(at(found.body, 'outcome'), 'delivered', found.text);
    assert.equal(await state(), 'succeeded');
    assert.deepEqual(await moneyOf(server), { available: balance - price, held: 0 });
  }));

test('asked elsewhere until the wait is over, it is for a person, who is told that this proves nothing', () =>
  scene(async ({ server, owner, id, state, move, inquire }) => {
    const decide = (path: string, verdict: string, more = {}): Promise<Answer> =>
      owner('POST', `purchases/${id}/resolution${path}`, { verdict, ...more });
    await move('second', 1);
    for (const expected of ['unknown', 'unknown', 'review']) {
      await inquire();
      assert.equal(await state(), expected);
    }
    assert.deepEqual(await moneyOf(server), { available: balance - price, held: price });
    const elsewhere = await decide('/preview', 'succeeded');
    assert.deepEqual(
      [at(elsewhere.body, 'contradicted'), at(elsewhere.body, 'evidence')],
      [false, [{ says: 'nothing', text: 'the operator knows no such order, which is no proof' }]],
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

test('a server that is started after the move knows of it too', () =>
  scene(async ({ server, state, silenceIsProof, move, inquire, startAnother }) => {
    await move('second');
    const noted = (await notesOf(server)).length;
    const another = await startAnother();
    try {
      // A start may begin the quiet time anew, and have it asked about by itself.
      await silenceIsProof();
      await inquire(await enterOffice(another, 'owner', 'somebody-else'));
      await eventually('it was asked about then', async () => {
        const notes = (await notesOf(server)).slice(noted);
        return notes.includes('the operator knows no such order');
      });
      assert.equal(await state(), 'unknown');
    } finally {
      await another.stop();
    }
    await move('first');
    await inquire();
    assert.equal(await state(), 'succeeded');
  }));

test('a server whose file has another address than that of the one before writes down since when', () =>
  scene(async ({ server, now, startAnother }) => {
    const changes = async (): Promise<(number | null)[]> => {
      const rows = await server.deps.db.selectFrom('operator_files').selectAll().execute();
      return rows.map((row) => row.changed_at);
    };
    assert.deepEqual(new Set(await changes()), new Set([null]));
    await (await startAnother('first')).stop();
    assert.deepEqual(new Set(await changes()), new Set([null]));
    const before = now();
    await (await startAnother('second')).stop();
    const dated = (await changes()).filter((changedAt) => changedAt !== null);
    assert.equal(dated.length, 1);
    assert.ok(dated.every((changedAt) => changedAt >= before));
  }));
