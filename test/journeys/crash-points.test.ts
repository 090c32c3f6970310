/** Tests that a purchase survives a kill at every point: at most one delivery, one answer, the right money. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { setTimeout as rest } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { openAsServer } from '../../src/db/sqlite/open.ts';
import type { Db } from '../../src/db/types.ts';
import { readAccount } from '../../src/ledger/store.ts';
import { verifyLedger } from '../../src/ledger/verify.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { systemRandom, uuidV7 } from '../../src/lib/random.ts';
import type { BuyResult } from '../../src/purchases/buy.ts';
import { verifyPurchases } from '../../src/purchases/inquiry/verify.ts';
import { takeOver } from '../../src/purchases/recover.ts';
import { killWithTest } from '../support/child.ts';
import { createClient } from '../support/clients.ts';
import { temporaryFolders, twoAtATime } from '../support/command.ts';
import {
  type Core,
  copyAt,
  createCore,
  price,
  readBook,
  requestOf,
} from '../support/crash-core.ts';
import { type End, lost, recovery, sale } from './crash-ends.ts';

const script = fileURLToPath(new URL('./crash-child.ts', import.meta.url));
const folder = temporaryFolders();
const balance = 10 * price;
/** Most of a process's time is its start: they share a compile cache. */
const compiled = folder();

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

type Course = {
  /** A folder for copies of the data at every point; none are made without it. */
  readonly copies?: string;
  /** Where the process dies; without it, it runs to its end. */
  readonly fatal?: string;
};

/** Runs the process; returns the points that the folder has seen. */
const run = async (
  place: Place,
  story: string,
  { copies = '', fatal = '' }: Course,
): Promise<string[]> => {
  const child = spawn(process.execPath, [script, place.data, story, place.client, copies, fatal], {
    env: { ...process.env, NODE_COMPILE_CACHE: compiled },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  killWithTest(child);
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (part: string) => (complaints += part));
  const closed: unknown[] = await once(child, 'close');
  assert.deepEqual(closed, fatal === '' ? [0, null] : [null, 'SIGKILL'], complaints);
  return pointsIn(place.data);
};

const pointsIn = (data: string): string[] =>
  readFileSync(join(data, 'points.txt'), 'utf8').split('\n').slice(0, -1);

const answerOf = (result: BuyResult) => {
  assert.equal(result.kind, 'answer');
  return result;
};

/** Lets recovery run until the work is done; fails if that never happens. */
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

/** Restarts after a death: the client repeats its request while recovery runs. */
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
    assert.equal(first.replayed, end !== 'begun again');
    const again = answerOf(await core.buying.buy({ ...request, requestId: 'another' }));
    assert.deepEqual(again, { ...first, replayed: true });
    await core.recovery.whenIdle();
    await assertRightMoney(database.db, place, end);
    assert.deepEqual(
      readBook(place.data).map(({ ref }) => ref),
      end === 'failed' ? [] : [first.purchaseId],
    );
  } finally {
    await database.close();
  }
};

const retryLocked = { ...twoAtATime, timeout: 300_000 };

type Story = {
  readonly name: string;
  readonly ends: Readonly<Record<string, End>>;
  readonly begin: () => Promise<Place>;
  /** The point after which the named ones begin. */
  readonly after?: string;
  readonly deduplicates?: boolean;
  /** Within a transaction: here a process really dies. */
  readonly fatal: string;
};

/**
 * A kill leaves what is in the files at that moment: the folder is copied at every point of one run, and each
 * copy continues as after a death there. A process that really dies confirms it.
 */
const provePoints = ({ name, ends, begin, after, deduplicates = false, fatal }: Story): void => {
  let walked: Promise<{ readonly passed: string[]; readonly copies: string; client: string }>;
  const walk = async () => {
    const [place, copies] = [await begin(), folder()];
    return { passed: await run(place, name, { copies }), copies, client: place.client };
  };
  before(() => {
    walked = walk();
  });

  it('has passed exactly the points that are named here', async () => {
    const { passed } = await walked;
    const first = after === undefined ? 0 : passed.indexOf(after) + 1;
    assert.deepEqual(passed.slice(first), Object.keys(ends));
  });

  for (const [point, end] of Object.entries(ends)) {
    it(`ends ${end}: ${point}`, async () => {
      const { copies, client } = await walked;
      const place = { data: copyAt(copies, point), client };
      assert.equal(pointsIn(place.data).at(-1), point);
      await assertEnd(place, end, deduplicates);
    });
  }

  it(`ends like its copy if the process really dies: ${fatal}`, async () => {
    const place = await begin();
    const passed = await run(place, name, { fatal });
    assert.equal(passed.at(-1), fatal);
    await assertEnd(place, ends[fatal] ?? assert.fail(), deduplicates);
  });
};

describe('A purchase whose process is killed', retryLocked, () => {
  provePoints({
    name: 'a sale',
    ends: sale,
    begin: newPlace,
    fatal: 'begin: after the insert of the posting',
  });

  it('ends sold if the order arrives only after the death of its sender', async () => {
    const story = 'a sale whose order arrives late';
    const place = await newPlace();
    await run(place, story, { fatal: 'order: after the delivery, before the answer' });
    assert.ok((readBook(place.data)[0]?.at ?? 0) > Date.now(), 'it had arrived');
    await assertEnd(place, 'sold');
  });
});

describe('A purchase whose answer was lost and whose process is killed', retryLocked, () => {
  provePoints({
    name: 'a sale whose answer is lost',
    ends: lost,
    begin: newPlace,
    after: 'order: after the delivery, before the answer',
    fatal: 'settle the inquiry: after the insert of the posting',
  });
});

describe('A recovery whose process is killed', retryLocked, () => {
  let crashed: Promise<Place> | undefined;
  /** A dead server's folder, with a purchase that was begun and never sent. */
  const leftBehind = async (): Promise<Place> => {
    crashed ??= newPlace().then(async (place) => {
      await run(place, 'a sale', { fatal: 'order: before it is sent' });
      return place;
    });
    return copyOf(await crashed);
  };
  provePoints({
    name: 'a recovery',
    ends: recovery,
    begin: leftBehind,
    after: 'order: before it is sent',
    deduplicates: true,
    fatal: 'settle: after the insert of the posting',
  });
});
