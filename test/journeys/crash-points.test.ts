/** Proves that a purchase survives a kill at every point of its way: one delivery at most, one answer, right money. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as rest } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createClient } from '../../src/clients/client.ts';
import { readAccount } from '../../src/ledger/store.ts';
import { verifyLedger } from '../../src/ledger/verify.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { type Db, openAsServer } from '../../src/lib/db.ts';
import { systemRandom, uuidV7 } from '../../src/lib/random.ts';
import type { BuyResult } from '../../src/purchases/buy.ts';
import { verifyPurchases } from '../../src/purchases/inquiry/verify.ts';
import { takeOver } from '../../src/purchases/recover.ts';
import { killWithTest } from '../support/child.ts';
import { temporaryFolders, twoAtATime } from '../support/command.ts';
import { type Core, createCore, price, readBook, requestOf } from '../support/crash-core.ts';

const script = fileURLToPath(new URL('./crash-child.ts', import.meta.url));
const folder = temporaryFolders();
const balance = 10 * price;
/** Most of a process's time is its start: what one has compiled the next one need not. */
const compiled = folder();

/** What became of the purchase of the process that died. */
type End =
  /** It had left nothing behind, and the repeat bought. */
  | 'begun anew'
  /** It had ordered nothing, which is proven, and the money is back. */
  | 'failed'
  /** It was delivered, and is paid for. */
  | 'sold';

/** Every point between the first statement and the last, and the end after a death there. */
const sale: Readonly<Record<string, End>> = {
  'look up: before the look for the key': 'begun anew',
  'look up: after the look for the key': 'begun anew',
  'begin: before begin': 'begun anew',
  'begin: after begin': 'begun anew',
  'begin: after the lock on the account': 'begun anew',
  'begin: after the insert of the purchase': 'begun anew',
  'begin: after the insert of the posting': 'begun anew',
  'begin: after the update of the account': 'begun anew',
  'begin: after commit': 'failed',
  'order: before it is sent': 'failed',
  'order: after the delivery, before the answer': 'sold',
  'settle: before begin': 'sold',
  'settle: after begin': 'sold',
  'settle: after the lock on the account': 'sold',
  'settle: after the update of the purchase': 'sold',
  'settle: after the insert of the posting': 'sold',
  'settle: after the update of the account': 'sold',
  'settle: after commit': 'sold',
};

/** The way of a purchase whose answer is lost, from the order on. */
const lost: Readonly<Record<string, End>> = {
  'settle: before begin': 'sold',
  'settle: after begin': 'sold',
  'settle: after the lock on the account': 'sold',
  'settle: after the update of the purchase': 'sold',
  'settle: after the insert of the note': 'sold',
  'settle: after commit': 'sold',
  'take: before the bringing forward': 'sold',
  'take: after the bringing forward': 'sold',
  'take: before the claim': 'sold',
  'take: after the claim': 'sold',
  'inquiry: before it is sent': 'sold',
  'inquiry: after the answer': 'sold',
  'settle the inquiry: before begin': 'sold',
  'settle the inquiry: after begin': 'sold',
  'settle the inquiry: after the lock on the account': 'sold',
  'settle the inquiry: after the look for the purchase': 'sold',
  'settle the inquiry: after the update of the purchase': 'sold',
  'settle the inquiry: after the insert of the note': 'sold',
  'settle the inquiry: after the insert of the posting': 'sold',
  'settle the inquiry: after the update of the account': 'sold',
  'settle the inquiry: after commit': 'sold',
};

/** The way of a server that takes over what was never sent, from an operator that deduplicates. */
const recovery: Readonly<Record<string, End>> = {
  'take: before the taking over': 'sold',
  'take: after the taking over': 'sold',
  'take: before the bringing forward': 'sold',
  'take: after the bringing forward': 'sold',
  'take: before the claim': 'sold',
  'take: after the claim': 'sold',
  'inquiry: before it is sent': 'sold',
  'inquiry: after the answer': 'sold',
  'settle the inquiry: before begin': 'sold',
  'settle the inquiry: after begin': 'sold',
  'settle the inquiry: after the lock on the account': 'sold',
  'settle the inquiry: after the look for the purchase': 'sold',
  'settle the inquiry: after the update of the purchase': 'sold',
  'settle the inquiry: after the insert of the note': 'sold',
  'settle the inquiry: after commit': 'sold',
  'take: before the claim, time 2': 'sold',
  'take: after the claim, time 2': 'sold',
  'inquiry: before it is sent, time 2': 'sold',
  'inquiry: after the answer, time 2': 'sold',
  'settle the inquiry: before begin, time 2': 'sold',
  'settle the inquiry: after begin, time 2': 'sold',
  'settle the inquiry: after the lock on the account, time 2': 'sold',
  'settle the inquiry: after the look for the purchase, time 2': 'sold',
  'settle the inquiry: after the update of the purchase, time 2': 'sold',
  'settle the inquiry: after the insert of the note, time 2': 'sold',
  'settle the inquiry: after commit, time 2': 'sold',
  'order: before it is sent': 'sold',
  'order: after the delivery, before the answer': 'sold',
  'settle: before begin': 'sold',
  'settle: after begin': 'sold',
  'settle: after the lock on the account': 'sold',
  'settle: after the update of the purchase': 'sold',
  'settle: after the insert of the posting': 'sold',
  'settle: after the update of the account': 'sold',
  'settle: after commit': 'sold',
};

type Place = { readonly data: string; readonly client: string };

const makePlace = async (): Promise<Place> => {
  const data = folder();
  const database = await openAsServer(data, systemClock);
  const newId = uuidV7(systemClock, systemRandom);
  const deps = { db: database.db, clock: systemClock, newId, random: systemRandom };
  const { id } = await createClient(deps, { name: 'Reseller', balance });
  await database.close();
  return { data, client: id };
};

const copyOf = ({ data, client }: Place): Place => {
  const copy = folder();
  cpSync(data, copy, { recursive: true });
  return { data: copy, client };
};

let made: Promise<Place> | undefined;
const newPlace = async (): Promise<Place> => {
  made ??= makePlace();
  return copyOf(await made);
};

/** Runs the process, which dies at a point or, without one, comes to its end; gives the points it passed. */
const run = async (place: Place, story: string, fatal = ''): Promise<string[]> => {
  const args = [script, place.data, story, place.client, fatal];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, NODE_COMPILE_CACHE: compiled },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  killWithTest(child);
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => (complaints += part));
  const closed: unknown[] = await once(child, 'close');
  assert.deepEqual(closed, fatal === '' ? [0, null] : [null, 'SIGKILL'], complaints);
  return readFileSync(join(place.data, 'points.txt'), 'utf8').split('\n').slice(0, -1);
};

const answerOf = (result: BuyResult) => {
  assert.equal(result.kind, 'answer');
  return result;
};

/** Lets recovery go on until the work is done; fails where that never comes about. */
const recoverUntil = async <T>({ recovery }: Core, work: Promise<T>): Promise<T> => {
  const state = { over: false };
  const ended = work.finally(() => {
    state.over = true;
  });
  for (let rounds = 0; !state.over && rounds < 1000; rounds += 1) {
    await recovery.claim();
    await Promise.race([ended, rest(20)]);
  }
  assert.ok(state.over, 'the repeat is never answered');
  return ended;
};

const assertRightMoney = async (db: Db, place: Place, end: End): Promise<void> => {
  const deliveries = readBook(place.data);
  assert.equal(deliveries.length, end === 'failed' ? 0 : 1);
  const account = { ...(await readAccount(db, place.client)) };
  assert.equal(account.available, balance - deliveries.length * price);
  assert.equal(account.held, 0);
  const [ledger, sold] = [await verifyLedger(db), await verifyPurchases(db)];
  assert.deepEqual([...ledger.problems, ...sold.problems], []);
  assert.deepEqual(sold.states, { [end === 'failed' ? 'failed' : 'succeeded']: 1 });
};

/** Starts again after a death: the client repeats its request while recovery is at work. */
const assertEnd = async (place: Place, end: End, deduplicates = false): Promise<void> => {
  const database = await openAsServer(place.data, systemClock);
  try {
    const core = createCore(database.db, {
      folder: place.data,
      manner: 'answers',
      deduplicates,
      pendingAfterMs: 600_000,
      passing: () => {},
    });
    await takeOver(core.deps);
    const request = requestOf(place.client);
    const first = answerOf(await recoverUntil(core, core.buying.buy(request)));
    assert.equal(first.answer.status, end === 'failed' ? 422 : 200);
    assert.equal(first.replayed, end !== 'begun anew');
    const again = answerOf(await core.buying.buy({ ...request, requestId: 'another' }));
    assert.deepEqual(again, { ...first, replayed: true });
    await core.recovery.idle();
    await assertRightMoney(database.db, place, end);
    assert.deepEqual(
      readBook(place.data).map(({ ref }) => ref),
      end === 'failed' ? [] : [first.purchaseId],
    );
  } finally {
    await database.close();
  }
};

/** Dozens of processes, on a machine that may be busy with others. */
const patiently = { ...twoAtATime, timeout: 300_000 };

describe('A purchase whose process is killed', patiently, () => {
  it('has come to exactly the points that are named here', async () => {
    assert.deepEqual(await run(await newPlace(), 'a sale'), Object.keys(sale));
  });

  for (const [point, end] of Object.entries(sale)) {
    it(`ends ${end}: ${point}`, async () => {
      const place = await newPlace();
      const passed = await run(place, 'a sale', point);
      assert.equal(passed.at(-1), point);
      await assertEnd(place, end);
    });
  }

  it('ends sold where the order arrives only after the death of its sender', async () => {
    const story = 'a sale whose order arrives late';
    // On a busy machine the order may have arrived before its sender is seen to be dead: then there is another.
    for (let tries = 0; tries < 10; tries += 1) {
      const place = await newPlace();
      await run(place, story, 'order: after the delivery, before the answer');
      const isStillOnItsWay = (readBook(place.data)[0]?.at ?? 0) > Date.now();
      if (isStillOnItsWay) return assertEnd(place, 'sold');
    }
    return assert.fail('it had always arrived');
  });
});

describe('A purchase whose answer was lost and whose process is killed', patiently, () => {
  const story = 'a sale whose answer is lost';

  it('has come to exactly the points that are named here', async () => {
    const passed = await run(await newPlace(), story);
    const ordered = passed.indexOf('order: after the delivery, before the answer');
    assert.deepEqual(passed.slice(ordered + 1), Object.keys(lost));
  });

  for (const [point, end] of Object.entries(lost)) {
    it(`ends ${end}: ${point}`, async () => {
      const place = await newPlace();
      await run(place, story, point);
      await assertEnd(place, end);
    });
  }
});

describe('A recovery whose process is killed', patiently, () => {
  let crashed: Promise<Place> | undefined;
  /** A folder that a dead server left behind, with a purchase that was begun and never sent. */
  const leftBehind = async (): Promise<Place> => {
    crashed ??= newPlace().then(async (place) => {
      await run(place, 'a sale', 'order: before it is sent');
      return place;
    });
    return copyOf(await crashed);
  };

  it('has come to exactly the points that are named here', async () => {
    const passed = await run(await leftBehind(), 'a recovery');
    const died = passed.indexOf('order: before it is sent');
    assert.deepEqual(passed.slice(died + 1), Object.keys(recovery));
  });

  for (const [point, end] of Object.entries(recovery)) {
    it(`ends ${end}: ${point}`, async () => {
      const place = await leftBehind();
      await run(place, 'a recovery', point);
      await assertEnd(place, end, true);
    });
  }
});
