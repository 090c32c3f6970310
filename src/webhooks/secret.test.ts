/** Tests that endpoint secrets are sealed, still sign, and survive a lost key. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { createClient } from '../../test/support/clients.ts';
import { openTestDatabase } from '../../test/support/database.ts';
import { type ManualClock, manualClock } from '../../test/support/manual-clock.ts';
import { readConfig } from '../config/config.ts';
import { createSecrets, type Secrets } from '../db/secrets/keys.ts';
import { makeKey } from '../db/secrets/seal.ts';
import type { OpenDatabase } from '../db/types.ts';
import { systemRandom, uuidV7 } from '../lib/random.ts';
import { announce } from './announce.ts';
import { createDelivery } from './delivery/deliver.ts';
import type { Sending } from './delivery/send.ts';
import { createEndpoint, deleteEndpoint, rotateSecret } from './endpoints.ts';
import { sealWebhookSecrets } from './secret.ts';
import { listEndpoints } from './store.ts';

const { webhooks: settings } = readConfig({});
const key = makeKey(systemRandom);
const secretsBy = (secretsKey?: string): Secrets =>
  createSecrets(
    { ...readConfig({}), databaseUrl: '', ...(secretsKey === undefined ? {} : { secretsKey }) },
    systemRandom,
  );
/** On PostgreSQL without a key nothing is sealed. */
const noKey = secretsBy();

let database: OpenDatabase;
let clock: ManualClock;
let clientId: string;

const depsBy = (secrets: Secrets) => ({
  db: database.db,
  clock,
  newId: uuidV7({ now: () => clock.now() }, systemRandom),
  random: systemRandom,
  secrets,
  settings,
  listeners: { any: () => true, reload: async () => {} },
  retryLocked: <T>(work: () => Promise<T>): Promise<T> => work(),
  log: { error: () => {} },
});

before(async () => {
  database = await openTestDatabase();
  clock = manualClock();
  ({ id: clientId } = await createClient(depsBy(noKey), { name: 'A' }));
});
after(() => database.close());

const wanted = {
  url: 'https://shop.example/',
  description: '',
  events: ['catalogue.changed'],
  balanceBelow: null,
} as const;

const kept = async (): Promise<(string | null)[]> =>
  (await listEndpoints(database.db, clientId)).flatMap(({ secret, old_secret }) => [
    secret,
    old_secret,
  ]);

/** Writes one event, and lets a server with these keys send it; returns what was sent and logged. */
const sendBy = async (secrets: Secrets, seconds = 3) => {
  const deps = depsBy(secrets);
  const sent: Sending[] = [];
  const logged: string[] = [];
  const delivery = createDelivery({
    ...deps,
    databaseTime: async () => clock.now(),
    log: { error: (_: unknown, text?: unknown) => void logged.push(String(text)) },
    sender: {
      send: async (sending) => {
        sent.push(sending);
        return { kind: 'answered', status: 204 };
      },
      close: async () => {},
    },
  });
  delivery.start();
  for (let count = 0; count < seconds; count += 1) await clock.advance(1000);
  await delivery.stop();
  return { sent, logged };
};

const tell = (): Promise<unknown> =>
  announce(
    database.db,
    { type: 'catalogue.changed', data: {} },
    { newId: depsBy(noKey).newId, at: clock.now() },
  );

/** Whether a message is signed with a secret, by the receiver's own library. */
const isSignedWith = ({ headers, body }: Sending, secret: string): boolean => {
  const id = headers['webhook-id'] ?? '';
  const seconds = Number(headers['webhook-timestamp']);
  const expected = new Webhook(secret).sign(id, new Date(seconds * 1000), body);
  return (headers['webhook-signature'] ?? '').split(' ').includes(expected);
};

describe('Secrets of webhooks', () => {
  beforeEach(async () => {
    for (const { id } of await listEndpoints(database.db, clientId)) {
      await deleteEndpoint(depsBy(noKey), clientId, id);
    }
  });

  test('A secret is shown once, stored sealed, and signs; so does the previous one', async () => {
    const secrets = secretsBy(key);
    const deps = depsBy(secrets);
    const { endpoint, secret } = await createEndpoint(deps, clientId, wanted);
    const { secret: second } = await rotateSecret(deps, clientId, endpoint.id, 3_600_000);
    assert.match(secret, /^whsec_/);
    const [now = '', old = ''] = await kept();
    for (const text of [now, old]) {
      assert.ok(text !== null && secrets.isCurrent(text) && !text.includes('whsec'), String(text));
    }
    await tell();
    const { sent } = await sendBy(secrets);
    assert.equal(sent.length, 1);
    for (const one of [secret, second]) {
      assert.ok(isSignedWith(sent[0] ?? assert.fail(), one));
    }
  });

  test('Unsealed secrets are sealed once, in any number, and sign as before', async () => {
    const plain = depsBy(noKey);
    const most = { ...plain, settings: { ...settings, endpointsPerClient: 1000 } };
    const { endpoint, secret } = await createEndpoint(most, clientId, wanted);
    await rotateSecret(plain, clientId, endpoint.id, 3_600_000);
    for (let count = 0; count < 120; count += 1) await createEndpoint(most, clientId, wanted);
    assert.ok((await kept()).every((text) => text === null || text.startsWith('whsec_')));

    const warned: unknown[] = [];
    const seal = (secrets: Secrets) =>
      sealWebhookSecrets({
        ...depsBy(secrets),
        log: { warn: (details: unknown) => void warned.push(details) },
      });
    await seal(noKey);
    assert.deepEqual(warned, [], 'without a key they stay unsealed');
    const secrets = secretsBy(key);
    // Two instances that start at the same time.
    await Promise.all([seal(secrets), seal(secrets)]);
    const sealed = await kept();
    assert.ok(sealed.every((text) => text === null || secrets.isCurrent(text)));
    await seal(secrets);
    assert.deepEqual(await kept(), sealed, 'sealed ones stay');
    await tell();
    const { sent } = await sendBy(secrets, 20);
    assert.equal(sent.length, 121);
    assert.ok(sent.some((one) => isSignedWith(one, secret)));
  });

  test('Without the key nothing is sent, which is logged once, and everything is sent when it is back', async () => {
    const { secret } = await createEndpoint(depsBy(secretsBy(key)), clientId, wanted);
    await tell();
    const away = await sendBy(secretsBy(makeKey(systemRandom)), 10);
    assert.deepEqual(away.sent, []);
    assert.deepEqual(away.logged, [
      'the secret of a webhook is sealed with a key that is not here: its messages wait',
    ]);
    const back = await sendBy(secretsBy(key));
    assert.equal(back.sent.length, 1);
    assert.ok(isSignedWith(back.sent[0] ?? assert.fail(), secret));
  });

  test('A client whose secret cannot be read gets a new one, which signs alone', async () => {
    const { endpoint, secret } = await createEndpoint(depsBy(secretsBy(key)), clientId, wanted);
    const other = secretsBy(makeKey(systemRandom));
    const { secret: next } = await rotateSecret(depsBy(other), clientId, endpoint.id, 3_600_000);
    await tell();
    const { sent } = await sendBy(other);
    const [message = assert.fail()] = sent;
    assert.ok(isSignedWith(message, next) && !isSignedWith(message, secret));
  });
});
