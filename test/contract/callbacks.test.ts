/** Tests operators' callbacks over HTTP: who is let in, what is kept of a message, and who sees it. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { readConfig } from '../../src/config/config.ts';
import { type CallbackRequest, defineConnector } from '../../src/connector/connector.ts';
import { type Ask, enterOffice } from '../support/admin.ts';
import { at, listOf } from '../support/answers.ts';
import { eventually, parsed } from '../support/live.ts';
import { type Answer, request, startServer, type TestServer } from '../support/server.ts';
import {
  aPackage,
  buy,
  catalogue,
  prepaid,
  purchaseDefaults,
  sold,
  untilRecorded,
} from './buying.ts';

const { limits, metrics } = readConfig({});
const secret = 'key & of the/callbacks';
const sign = (text: string): string => createHmac('sha256', secret).update(text).digest('hex');

const states: ReadonlyMap<unknown, 'done' | 'pending'> = new Map([
  ['served', 'done'],
  ['queued', 'pending'],
]);

/** A signature in a header and JSON in the body, or both in the query. */
const read = ({ method, query, headers, body }: CallbackRequest) => {
  const fields = new URLSearchParams(query);
  const text = method === 'GET' ? (fields.get('m') ?? '') : Buffer.from(body).toString('utf8');
  const signature = method === 'GET' ? fields.get('s') : headers['x-signature'];
  if (signature !== sign(text)) return { kind: 'rejected', detail: 'bad signature' } as const;
  const message = parsed(text);
  const ref = String(at(message, 'ref'));
  const kind = states.get(at(message, 'state'));
  const outcome =
    kind === 'done' ? ({ kind, ref: 'receipt' } as const) : { kind: 'pending' as const };
  return { kind: 'statements', statements: kind === undefined ? [] : [{ ref, outcome }] } as const;
};

/** An operator whose orders are never answered, and which reports their outcome later. */
const caller = defineConnector({
  name: 'caller',
  settings: Type.Object({
    key: Type.String({ secret: true }),
    final: Type.Boolean({ default: false }),
  }),
  settlesWithin: 0,
  inquiries: { firstInquiryMs: 600_000, widestInquiryMs: 600_000, reviewAfterMs: 86_400_000 },
  connect: ({ final }) => ({
    buy: async () => ({ kind: 'unknown', detail: 'queued' }),
    status: async () => ({ kind: 'done', ref: 'asked' }),
    callbacks: { read, final },
    deadlineMs: 1000,
    close: async () => {},
  }),
});

const operator = (id: number, name: string, final: boolean) => ({
  id,
  name,
  connector: 'caller',
  settings: { key: secret, final },
});

let server: TestServer;
let ask: Ask;

before(async () => {
  server = await startServer({
    products: catalogue,
    connectors: [caller],
    config: {
      operators: [operator(1, 'cedar', true), operator(2, 'fir', false)],
      purchases: { ...purchaseDefaults, pendingAfterMs: 20 },
      limits: { ...limits, callbacks: 2 },
      metrics: { ...metrics, token: 'a-token-for-the-metrics' },
      rateLimits: { anonymous: { perSecond: 0.001, burst: 20 } },
      trustedProxies: ['127.0.0.1'],
    },
  });
  ask = await enterOffice(server, 'viewer');
});
after(() => server.stop());

/** Buys what is never answered, and returns its id. */
const ordered = async (product: number = sold.credit): Promise<string> =>
  untilRecorded(server, await buy(server, { ...aPackage, product_id: product }));

const messageOf = (ref: string, state = 'served', more = ''): string =>
  JSON.stringify({ ref, state, more });

const post = (text: string, signature = sign(text), name = 'cedar'): Promise<Answer> =>
  request(server, `/callbacks/${name}`, {
    token: null,
    method: 'POST',
    body: text,
    headers: { 'content-type': 'application/json', 'x-signature': signature },
  });

const stateOf = async (id: string): Promise<string> => {
  const query = server.deps.db.selectFrom('purchases').select('state').where('id', '=', id);
  return (await query.executeTakeFirstOrThrow()).state;
};

const detailOf = async (id: string): Promise<unknown> => (await ask('GET', `purchases/${id}`)).body;

describe('A callback', () => {
  test('that is signed and final ends its purchase, and is shown with it', async () => {
    const id = await ordered();
    const answer = await post(messageOf(id));
    assert.deepEqual([answer.status, answer.text], [200, 'OK']);
    assert.equal(await stateOf(id), 'succeeded');
    assert.equal((await post(messageOf(id))).status, 200);
    const detail = await detailOf(id);
    const [shown, ...more] = listOf(at(detail, 'callbacks'));
    assert.deepEqual([at(shown, 'says'), at(shown, 'times'), more], ['delivered', 2, []]);
    assert.equal(at(shown, 'message'), `POST application/json\n${messageOf(id)}`);
    const facts = listOf(at(detail, 'timeline')).map((one) => at(one, 'fact', 'code'));
    assert.ok(facts.includes('called_back_delivered'), String(facts));
  });

  test('that is not final triggers an inquiry at once', async () => {
    const id = await ordered(sold.tdLte);
    assert.equal((await post(messageOf(id), undefined, 'fir')).status, 200);
    await eventually('the inquiry settles it', async () => (await stateOf(id)) === 'succeeded');
    const ref = server.deps.db.selectFrom('purchases').select('operator_ref').where('id', '=', id);
    assert.equal((await ref.executeTakeFirstOrThrow()).operator_ref, 'asked');
  });

  test('may come by GET, in the query', async () => {
    const id = await ordered();
    const text = messageOf(id);
    const query = String(new URLSearchParams({ m: text, s: sign(text) }));
    const answer = await request(server, `/callbacks/cedar?${query}`, { token: null });
    assert.equal(answer.status, 200);
    assert.equal(await stateOf(id), 'succeeded');
    const head = await request(server, `/callbacks/cedar?${query}`, {
      token: null,
      method: 'HEAD',
    });
    assert.equal(head.status, 405);
  });

  test('without proof is answered 401 and leaves nothing behind', async () => {
    const id = await ordered();
    const before = server.logged.length;
    const answer = await post(messageOf(id), sign('another message'));
    assert.equal(answer.status, 401);
    assert.match(String(at(answer.body, 'message')), /could not be authenticated/);
    assert.equal(await stateOf(id), 'unknown');
    assert.deepEqual(listOf(at(await detailOf(id), 'callbacks')), []);
    assert.ok(server.logged.slice(before).some((line) => line.includes('was rejected')));
  });

  test('is logged, and neither log nor evidence has numbers or secrets in them', async () => {
    const id = await ordered();
    const national = `0${prepaid.slice(2)}`;
    const more = `for ${prepaid} or ${national}, key ${secret} or ${encodeURIComponent(secret)}`;
    assert.equal((await post(messageOf(id, 'queued', more))).status, 200);
    const [shown] = listOf(at(await detailOf(id), 'callbacks'));
    const rows = await server.deps.db
      .selectFrom('operator_callbacks')
      .select('message')
      .where('ref', '=', id)
      .execute();
    const texts = [JSON.stringify(shown), JSON.stringify(rows), server.logged.join('\n')];
    for (const text of texts) {
      for (const hidden of [prepaid, national, secret, encodeURIComponent(secret)]) {
        assert.ok(!text.includes(hidden), `${hidden} in ${text.slice(0, 300)}`);
      }
    }
    assert.match(texts[0] ?? '', /6700/);
    const line = server.logged.find((one) => one.includes('called back') && one.includes(id));
    assert.deepEqual(at(parsed(line ?? ''), 'effects'), ['inquiry']);
  });

  test('is stored as far as a person reads it', async () => {
    const id = await ordered();
    assert.equal((await post(messageOf(id, 'queued', 'x'.repeat(60_000)))).status, 200);
    const [shown] = listOf(at(await detailOf(id), 'callbacks'));
    assert.equal(String(at(shown, 'message')).length, 4000);
    const large = messageOf(id, 'queued', 'x'.repeat(70_000));
    assert.equal((await post(large)).status, 413);
  });

  test('at an unused address is answered 404', async () => {
    const text = messageOf('any');
    assert.equal((await post(text, undefined, 'birch')).status, 404);
    assert.equal((await post(text, undefined, '1')).status, 404);
  });

  test('about the purchase of another operator ends nothing', async () => {
    const id = await ordered();
    assert.equal((await post(messageOf(id), undefined, 'fir')).status, 200);
    assert.equal(await stateOf(id), 'unknown');
    assert.deepEqual(listOf(at(await detailOf(id), 'callbacks')), []);
  });

  test('is answered 503 while the database takes no writes, so that the operator retries', async () => {
    const id = await ordered();
    await sql.raw('pragma query_only = on').execute(server.deps.db);
    const answer = await post(messageOf(id));
    await sql.raw('pragma query_only = off').execute(server.deps.db);
    assert.deepEqual([answer.status, at(answer.body, 'code')], [503, 'DATABASE_UNAVAILABLE']);
    assert.ok(answer.headers.has('retry-after'));
    assert.equal(await stateOf(id), 'unknown');
    assert.equal((await post(messageOf(id))).status, 200);
    assert.equal(await stateOf(id), 'succeeded');
  });

  test('is in no document for clients', async () => {
    const { text } = await request(server, '/openapi.json', { token: null });
    assert.ok(!text.includes('/callbacks'));
  });

  test('is counted by its result', async () => {
    const figures = (await server.meter.read?.()) ?? '';
    const counts = [...figures.matchAll(/^simgate_callbacks_total\{(.*)\} (\d+)$/gm)];
    const seen = new Map(counts.map(([, labels = '', value]) => [labels, Number(value)]));
    assert.equal(seen.get('operator="cedar",effect="rejected"'), 1);
    assert.equal(seen.get('operator="fir",effect="unmatched"'), 1);
    assert.ok((seen.get('operator="cedar",effect="settled"') ?? 0) >= 2);
  });
});

describe('Callbacks of anonymous callers', () => {
  test('have their own slots: endless ones block neither clients nor others', async () => {
    const { hostname, port } = new URL(server.url);
    const sockets: Socket[] = [];
    /** One address has half of the two slots. A callback that finds it taken is refused, and sent again. */
    const hang = (): void => {
      const socket = connect(Number(port), hostname);
      sockets.push(socket);
      socket.on('error', () => {}).once('data', hang);
      socket.write('POST /callbacks/cedar HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{');
    };
    hang();
    try {
      await eventually('the slot is taken', async () => (await post('{}')).status === 429);
      assert.equal((await request(server, '/health/live', { token: null })).status, 200);
      assert.equal((await request(server, '/openapi.json', { token: null })).status, 200);
      assert.equal((await request(server, '/api/clients/products')).status, 200);
    } finally {
      for (const socket of sockets) socket.removeListener('data', hang).destroy();
    }
    await eventually('the slot is free', async () => (await post('{}')).status !== 429);
  });

  test('are limited by address once they are rejected too often, and others are not', async () => {
    const from = (address: string, signature: string): Promise<Answer> =>
      request(server, '/callbacks/cedar', {
        token: null,
        method: 'POST',
        body: '{}',
        headers: { 'x-signature': signature, 'x-forwarded-for': address },
      });
    const guesses = await Promise.all(
      Array.from({ length: 25 }, (_, index) => from('192.0.2.1', `guess ${index}`)),
    );
    assert.ok(guesses.every(({ status }) => status === 401 || status === 429));
    await eventually(
      'the address is refused',
      async () => (await from('192.0.2.1', 'again')).status === 429,
    );
    assert.equal((await from('192.0.2.1', sign('{}'))).status, 429, 'before it is read');
    assert.equal((await from('192.0.2.2', sign('{}'))).status, 200);
  });
});
