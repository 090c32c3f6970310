/** Tests delivery on a real database: once normally, at least once after a crash, each endpoint independently. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { createClient } from '../../../test/support/clients.ts';
import { onSqlite, openTestDatabase } from '../../../test/support/database.ts';
import { type ManualClock, manualClock } from '../../../test/support/manual-clock.ts';
import { readConfig } from '../../config/config.ts';
import { createSecrets } from '../../db/secrets/keys.ts';
import type { OpenDatabase } from '../../db/types.ts';
import { nextTurn } from '../../lib/clock.ts';
import { systemRandom, uuidV7 } from '../../lib/random.ts';
import { announce } from '../announce.ts';
import {
  createEndpoint,
  deleteEndpoint,
  type EndpointDeps,
  endpointOf,
  replayMessage,
  rotateSecret,
  updateEndpoint,
} from '../endpoints.ts';
import { allEndpoints, listMessages } from '../history/store.ts';
import { createListeners } from '../listeners.ts';
import { claimMessages } from '../store.ts';
import { createDelivery, type Delivery } from './deliver.ts';
import type { Sending, Sent } from './send.ts';
import { sweep } from './sweep.ts';

const { webhooks: settings } = readConfig({});
/** On PostgreSQL without a key nothing is sealed. */
const unsealed = createSecrets({ ...readConfig({}), databaseUrl: '' }, systemRandom);
const day = 86_400_000;

let database: OpenDatabase;
let clock: ManualClock;
/** The offset between the clocks of the database and the server. */
let offset = 0;
let deps: EndpointDeps;
let clientId: string;
const databaseTime = async (): Promise<number> => clock.now() + offset;
const newId = uuidV7({ now: () => clock.now() }, systemRandom);

before(async () => {
  database = await openTestDatabase();
  clock = manualClock();
  const { db } = database;
  deps = {
    db,
    clock,
    newId,
    random: systemRandom,
    secrets: unsealed,
    settings,
    listeners: createListeners(db),
    retryLocked: (work) => work(),
    log: { error: () => {} },
  };
  ({ id: clientId } = await createClient({ ...deps, random: systemRandom }, { name: 'A' }));
});

after(() => database.close());

type Answer = (sending: Sending) => Promise<Sent>;

const good: Answer = async () => ({ kind: 'answered', status: 204 });

/** A server's delivery, and what it has sent. */
const deliveryThat = (
  answer: Answer,
  lives = () => true,
  readTime = databaseTime,
): Delivery & { readonly sent: string[] } => {
  const sent: string[] = [];
  const delivery = createDelivery({
    ...deps,
    secrets: unsealed,
    clock,
    databaseTime: readTime,
    retryLocked: (work) => work(),
    log: { error: (...words: readonly unknown[]) => assert.fail(String(words)) },
    settings,
    listeners: { any: lives, reload: async () => {} },
    sender: {
      send: (sending) => {
        sent.push(String(sending.headers['webhook-id']));
        return answer(sending);
      },
      close: async () => {},
    },
  });
  delivery.start();
  return { ...delivery, sent };
};

const newEndpoint = async (url = 'https://shop.example/'): Promise<string> => {
  const wanted = {
    url,
    description: '',
    events: ['catalogue.changed'],
    balanceBelow: null,
  } as const;
  return (await createEndpoint(deps, clientId, wanted)).endpoint.id;
};

const tell = async (at = clock.now()): Promise<void> => {
  const event = { type: 'catalogue.changed', data: {} } as const;
  await announce(deps.db, event, { newId, at });
};

const statesOf = async (endpointId: string): Promise<string[]> =>
  (await listMessages(deps.db, { endpointId }, { offset: 0, limit: 1000 })).map(
    ({ state }) => state,
  );

test('A message written after a secret’s rotation is signed by the new one, even if the endpoint was read before', async () => {
  const endpoint = await newEndpoint();
  await tell();
  let secret: string | undefined;
  const sendings: Sending[] = [];
  const record: Answer = (sending) => {
    sendings.push(sending);
    return good(sending);
  };
  // Only a claim reads the time here, after reading the endpoint.
  const rotate = async (): Promise<number> => {
    secret ??= (await rotateSecret(deps, clientId, endpoint, 0)).secret;
    return databaseTime();
  };
  const delivery = deliveryThat(record, () => false, rotate);
  delivery.wake([endpoint]);
  for (let seconds = 0; seconds < 3; seconds += 1) await clock.advance(1000);
  await delivery.stop();
  await deleteEndpoint(deps, clientId, endpoint);
  const [sent, ...more] = sendings;
  assert.ok(sent !== undefined);
  assert.deepEqual(more, []);
  const { headers, body } = sent;
  const [id, time] = [headers['webhook-id'], Number(headers['webhook-timestamp']) * 1000];
  const expected = new Webhook(String(secret)).sign(String(id), new Date(time), body);
  assert.equal(headers['webhook-signature'], expected);
});

test('Two servers send each message once between them', async () => {
  const endpoint = await newEndpoint();
  const [one, other] = [deliveryThat(good), deliveryThat(good)];
  for (let count = 0; count < 30; count += 1) await tell();
  for (let seconds = 0; seconds < 20; seconds += 1) await clock.advance(1000);
  await Promise.all([one.stop(), other.stop()]);
  const sent = [...one.sent, ...other.sent];
  assert.equal(sent.length, 30);
  assert.equal(new Set(sent).size, 30);
  assert.deepEqual(new Set(await statesOf(endpoint)), new Set(['delivered']));
  await deleteEndpoint(deps, clientId, endpoint);
});

test('Messages that a dead server had claimed are sent by another, once the lease is over', async () => {
  const endpoint = await newEndpoint();
  const never = Promise.withResolvers<Sent>();
  let lives = true;
  const dying = deliveryThat(
    () => never.promise,
    () => lives,
  );
  await tell();
  await clock.advance(1000);
  lives = false;
  assert.equal(dying.sent.length, 1);
  const living = deliveryThat(good);
  await clock.advance(settings.timeoutMs);
  assert.equal(living.sent.length, 0, 'it may still be in flight');
  await clock.advance(20_000);
  assert.deepEqual(living.sent, dying.sent);
  assert.deepEqual(await statesOf(endpoint), ['delivered']);
  // The dead one returns too late: its result no longer counts.
  never.resolve({ kind: 'answered', status: 410 });
  await clock.advance(1000);
  assert.deepEqual(await statesOf(endpoint), ['delivered']);
  assert.equal((await endpointOf(deps.db, clientId, endpoint)).status, 'active');
  await Promise.all([dying.stop(), living.stop()]);
  await deleteEndpoint(deps, clientId, endpoint);
});

const hour = 3_600_000;

/** Whether the messages of an endpoint complete within some seconds of a clock step back. */
const deliveredAfterStep = async (endpoint: string, whenStepped: () => Promise<Delivery>) => {
  try {
    offset = -hour;
    const delivery = await whenStepped();
    for (let seconds = 0; seconds < 10; seconds += 1) await clock.advance(1000);
    await delivery.stop();
    return await statesOf(endpoint);
  } finally {
    offset = 0;
    await deleteEndpoint(deps, clientId, endpoint);
  }
};

test('Waiting messages are sent within seconds by a server that starts after the clock went back', async () => {
  const endpoint = await newEndpoint();
  const failing = deliveryThat(async () => ({ kind: 'answered', status: 503 }));
  await tell();
  await clock.advance(3000);
  assert.equal(failing.sent.length, 1, 'it has failed once');
  await failing.stop();
  const states = await deliveredAfterStep(endpoint, async () => deliveryThat(good));
  assert.deepEqual(states, ['delivered']);
});

test('A message that waits for its next attempt is sent even if the clock goes back under a running server', async () => {
  const endpoint = await newEndpoint();
  let up = false;
  const delivery = deliveryThat(async () => ({ kind: 'answered', status: up ? 204 : 503 }));
  await tell();
  await clock.advance(3000);
  assert.equal(delivery.sent.length, 1, 'it has failed once');
  up = true;
  const states = await deliveredAfterStep(endpoint, async () => delivery);
  assert.deepEqual(states, ['delivered']);
});

test('Messages of another process are sent within seconds even if its clock is hours ahead', async () => {
  const endpointId = await newEndpoint();
  const delivery = deliveryThat(good);
  await clock.advance(2000);
  await tell(clock.now() + 2 * hour);
  await clock.advance(2000);
  assert.deepEqual(await statesOf(endpointId), ['delivered']);
  await delivery.stop();
  await deleteEndpoint(deps, clientId, endpointId);
});

test('A long pause that was already written is kept while the clock runs normally', async () => {
  const endpoint = await newEndpoint();
  const failing = deliveryThat(async () => ({ kind: 'answered', status: 503 }));
  await tell();
  // The first pause is five seconds, the second five minutes.
  await clock.advance(10_000);
  await failing.stop();
  const tried = failing.sent.length;
  const restarted = deliveryThat(good);
  await clock.advance(60_000);
  assert.deepEqual([tried, restarted.sent.length], [2, 0]);
  await restarted.stop();
  await deleteEndpoint(deps, clientId, endpoint);
});

test('A replay during an attempt is sent again, whatever the first attempt returns', async () => {
  const endpoint = await newEndpoint();
  const first = Promise.withResolvers<Sent>();
  let count = 0;
  const delivery = deliveryThat((sending) => {
    count += 1;
    return count === 1 ? first.promise : good(sending);
  });
  await tell();
  await clock.advance(1000);
  const [id = ''] = delivery.sent;
  await replayMessage(deps.db, clientId, { endpointId: endpoint, id });
  first.resolve({ kind: 'answered', status: 500 });
  await clock.advance(2000);
  assert.deepEqual(delivery.sent, [id, id]);
  assert.deepEqual(await statesOf(endpoint), ['delivered']);
  await delivery.stop();
  await deleteEndpoint(deps, clientId, endpoint);
});

// A file is written synchronously: there all of it could happen in one turn.
onSqlite(() => {
  test('An event for many endpoints leaves requests their turns', async () => {
    const endpoints: string[] = [];
    for (let made = 0; made < 10; made += 1) endpoints.push(await newEndpoint());
    const delivery = deliveryThat(good);
    await tell();
    await clock.advance(1000);
    let turns = 0;
    for (; delivery.sent.length < endpoints.length; turns += 1) await nextTurn();
    assert.ok(turns > 0, 'not all of them in one turn');
    await delivery.stop();
    for (const endpoint of endpoints) await deleteEndpoint(deps, clientId, endpoint);
  });
});

test('Retries are claimed before new messages, and both up to the limit', async () => {
  const endpointId = await newEndpoint();
  const claim = (now: number, leaseUntil: number, most: number) =>
    claimMessages(deps.db, { endpointId, now, leaseUntil, most });
  for (let count = 0; count < 5; count += 1) await tell();
  const [tried, ...others] = await claim(10, 20, 2);
  assert.deepEqual([tried?.attempts, others.length], [1, 1]);
  const attempts = (await claim(30, 40, 3)).map((one) => one.attempts);
  assert.deepEqual(new Set(attempts), new Set([1, 2]));
  assert.equal((await claim(30, 40, 3)).length, 2, 'leased messages are left');
  await deleteEndpoint(deps, clientId, endpointId);
});

test('Old messages are deleted, those of deleted endpoints at once, and no other', async () => {
  const [kept, deleted] = [await newEndpoint(), await newEndpoint()];
  await tell();
  await clock.advance((settings.keepDays - 1) * day);
  await tell();
  await deleteEndpoint(deps, clientId, deleted);
  const sweeping = {
    ...deps,
    clock,
    databaseTime,
    retryLocked: <T>(work: () => Promise<T>) => work(),
    log: { error: () => {} },
    keepDays: settings.keepDays,
  };
  await sweep(sweeping);
  assert.equal((await statesOf(kept)).length, 2);
  assert.equal((await statesOf(deleted)).length, 0);
  await clock.advance(2 * day);
  await sweep(sweeping);
  assert.equal((await statesOf(kept)).length, 2, 'an active one still waits for them');
  await updateEndpoint(deps, clientId, kept, { status: 'disabled' });
  await sweep(sweeping);
  assert.equal((await statesOf(kept)).length, 1);
  const there = new Set((await allEndpoints(deps.db)).map(({ id }) => id));
  assert.ok(there.has(kept) && !there.has(deleted), 'nothing of it is left');
});
