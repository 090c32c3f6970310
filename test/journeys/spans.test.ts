/** Tests the spans of a purchase, with OpenTelemetry's own SDK and a collector on this machine. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { trace as tracingApi } from '@opentelemetry/api';
import { readConfig, readTracing } from '../../src/config/config.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { systemRandom } from '../../src/lib/random.ts';
import { http } from '../../src/operators/http/index.ts';
import { startTracing, type Tracing } from '../../src/tracing/sdk.ts';
import {
  aPackage,
  buy,
  catalogue,
  newKey,
  packages,
  prepaid,
  purchaseDefaults,
  queryOf,
} from '../contract/buying.ts';
import { type CollectedSpan, type Collector, startCollector } from '../support/collector.ts';
import { temporaryFolders } from '../support/command.ts';
import { ensureInstalled } from '../support/ensure-installed.ts';
import { eventually } from '../support/live.ts';
import { type NotingOperator, startOperator } from '../support/noting-operator.ts';
import { type Served, serveProcess } from '../support/process.ts';
import { addClient, request, startServer, type TestServer } from '../support/server.ts';
import { makeEndpoint, type Receiver, startReceiver } from '../support/webhooks.ts';

const tools = fileURLToPath(new URL('../../tools/', import.meta.url));
const requireOfTools = createRequire(`${tools}package.json`);

const callerTrace = '4bf92f3577b34da6a3ce929d0e0e4736';
const callerSpan = '00f067aa0ba902b7';

let collector: Collector;
let operator: NotingOperator;
let receiver: Receiver;
let tracing: Tracing;
let server: TestServer;

const { webhooks } = readConfig({});
const log = { info: () => {}, warn: () => {} };

/** As a server starts it, except for the SDK's location. */
const traceTo = (env: Readonly<Record<string, string>>): Promise<Tracing> => {
  Object.assign(process.env, env);
  const load = async (name: string): Promise<unknown> => requireOfTools(name);
  const settings = readTracing(env);
  const parts = { clock: systemClock, random: systemRandom, log, load };
  return startTracing({ ...parts, settings, version: '1' });
};

before(async () => {
  await ensureInstalled(tools);
  collector = await startCollector();
  operator = await startOperator();
  receiver = await startReceiver();
  tracing = await traceTo(collector.env);
  const settings = { baseUrl: operator.baseUrl, offers: true, settlesWithin: 1 };
  server = await startServer({
    products: catalogue,
    connectors: [http],
    spans: tracing.spans,
    config: {
      operators: [1, 2].map((id) => ({ id, name: `operator_${id}`, connector: 'http', settings })),
      purchases: { ...purchaseDefaults, firstInquiryMs: 1, widestInquiryMs: 1 },
      webhooks: { ...webhooks, pausesMs: [1, 1], allowedNetworks: ['127.0.0.1'] },
    },
  });
});

after(async () => {
  await server.stop();
  await tracing.stop();
  tracingApi.disable();
  operator.stop();
  receiver.stop();
  collector.stop();
});

const listeningClient = async () => {
  const client = await addClient(server, { balance: 1_000_000 });
  const { token } = client;
  await makeEndpoint(server, { url: receiver.url, events: ['purchase.succeeded'], token });
  return client;
};

const callerOf = (traceparent: unknown): string => String(traceparent).split('-')[2] ?? '';

const named = (spans: readonly CollectedSpan[], name: string): CollectedSpan =>
  spans.find((span) => span.name === name) ?? assert.fail(`there is no span ${name}`);

const steps = ['purchase begin', 'operator order', 'purchase settle', 'webhook attempt'] as const;
const buying = 'POST /api/top-up/package';

describe('A purchase', () => {
  test('is one trace: its steps are children of its request', async () => {
    const { token, id: clientId } = await listeningClient();
    const answer = await buy(server, aPackage, { token });
    assert.equal(answer.status, 200, answer.text);
    const purchaseId = answer.headers.get('purchase-id');
    const ofRequest = (span: CollectedSpan): boolean =>
      span.name === buying && span.attributes['simgate.purchase.id'] === purchaseId;
    await eventually('the request is there', async () => collector.spans().some(ofRequest));
    const root = collector.spans().find(ofRequest) ?? assert.fail();
    const spans = await collector.trace(root.traceId, ...steps);

    assert.deepEqual([root.parentSpanId, root.kind, root.status], ['', 2, 0]);
    assert.deepEqual(root.attributes, {
      'http.request.method': 'POST',
      'http.route': '/api/top-up/package',
      'http.response.status_code': 200,
      'simgate.request.id': answer.headers.get('request-id'),
      'simgate.client.id': clientId,
      'simgate.purchase.id': purchaseId,
    });
    assert.deepEqual(spans.map(({ name }) => name).sort(), [buying, ...steps].sort());
    for (const step of steps) assert.equal(named(spans, step).parentSpanId, root.spanId, step);
    const order = named(spans, 'operator order');
    const { port } = new URL(operator.baseUrl);
    assert.deepEqual(
      [order.kind, order.status, order.attributes],
      [
        3,
        0,
        {
          'http.request.method': 'POST',
          'http.response.status_code': 200,
          'server.address': '127.0.0.1',
          'server.port': Number(port),
          'simgate.operator.id': 1,
          'simgate.outcome': 'done',
          'simgate.purchase.id': purchaseId,
        },
      ],
    );
    assert.equal(named(spans, 'purchase settle').attributes['simgate.purchase.state'], 'succeeded');

    const ordered = operator.calls.findLast(({ call }) => call === 'POST orders');
    assert.equal(callerOf(ordered?.headers['traceparent']), order.spanId);
    const told = receiver.received.at(-1);
    assert.equal(callerOf(told?.headers['traceparent']), named(spans, 'webhook attempt').spanId);
  });

  const manners: Readonly<
    Record<string, [string, (token: string, traceparent: string) => unknown]>
  > = {
    'a plain POST': [
      buying,
      (token, traceparent) => buy(server, aPackage, { token, headers: { traceparent } }),
    ],
    'a GET': [
      'GET /api/top-up/package',
      (token, traceparent) =>
        request(server, `${packages}?${queryOf(aPackage)}`, {
          token,
          headers: { 'idempotency-key': newKey(), traceparent },
        }),
    ],
  };
  for (const [index, [manner, [name, send]]] of Object.entries(manners).entries()) {
    test(`continues its caller's trace: ${manner}`, async () => {
      const { token } = await listeningClient();
      const traceId = `${callerTrace.slice(0, -1)}${index}`;
      await send(token, `00-${traceId}-${callerSpan}-01`);
      const root = named(await collector.trace(traceId, name, ...steps), name);
      assert.equal(root.parentSpanId, callerSpan);
    });
  }

  test('is not recorded if its caller does not record it, and is passed on as such', async () => {
    const { token } = await listeningClient();
    const traceparent = `00-${callerTrace}-${callerSpan}-00`;
    await buy(server, aPackage, { token, headers: { traceparent } });
    const ordered = operator.calls.findLast(({ call }) => call === 'POST orders');
    const passed = String(ordered?.headers['traceparent']);
    assert.match(passed, new RegExp(`^00-${callerTrace}-(?!${callerSpan})[0-9a-f]{16}-00$`));
    // A later one that has arrived shows that the other will not come.
    const traceId = `${callerTrace.slice(0, -1)}a`;
    const headers = { traceparent: `00-${traceId}-${callerSpan}-01` };
    await buy(server, aPackage, { token, headers });
    await collector.trace(traceId, buying);
    assert.ok(collector.spans().every((span) => span.traceId !== callerTrace));
  });

  test('whose answer was lost has the error, and its later inquiry in the same trace', async () => {
    const { token } = await listeningClient();
    const traceId = `${callerTrace.slice(0, -1)}b`;
    operator.loseNextAnswer();
    const headers = { traceparent: `00-${traceId}-${callerSpan}-01` };
    await buy(server, aPackage, { token, headers });
    const spans = await collector.trace(traceId, buying, 'operator inquiry', 'webhook attempt');
    const root = named(spans, buying);
    const order = named(spans, 'operator order');
    assert.deepEqual(
      [order.status, order.attributes['error.type'], order.attributes['simgate.outcome']],
      [2, 'connection_failed', 'unknown'],
    );
    const inquiry = named(spans, 'operator inquiry');
    assert.equal(inquiry.parentSpanId, root.spanId);
    const inquired = operator.calls.findLast(({ call }) => call === 'orders');
    assert.equal(callerOf(inquired?.headers['traceparent']), inquiry.spanId);
  });

  test('that is refused says why, and is not an error', async () => {
    const { token } = await addClient(server, { balance: 0 });
    const traceId = `${callerTrace.slice(0, -1)}c`;
    const headers = { traceparent: `00-${traceId}-${callerSpan}-01` };
    const answer = await buy(server, aPackage, { token, headers });
    assert.equal(answer.status, 402);
    const spans = await collector.trace(traceId, buying, 'purchase begin');
    const { attributes } = named(spans, 'purchase begin');
    assert.equal(attributes['simgate.outcome.code'], 'INSUFFICIENT_BALANCE');
    assert.ok(spans.every(({ status }) => status === 0));
  });

  test('has no span with its number, its key or its token', async () => {
    const { token } = await listeningClient();
    const key = 'a-key-that-no-span-has';
    const traceId = `${callerTrace.slice(0, -1)}d`;
    const headers = { traceparent: `00-${traceId}-${callerSpan}-01` };
    await buy(server, aPackage, { token, key, headers });
    await request(server, `/api/numbers/${prepaid}`, { token, headers });
    await collector.trace(traceId, ...steps);
    for (const secret of [prepaid, prepaid.slice(2), key, token, server.client.token]) {
      assert.ok(!collector.text().includes(secret), secret);
    }
  });
});

const folder = temporaryFolders();
const sdkOfTools = new URL('../support/sdk-of-tools.ts', import.meta.url).href;
const loadsSdk = /loads @opentelemetry\/sdk-node/;

/** Of the demo client of a new database; printed after the server listens. */
const demoToken = async ({ printed }: Served): Promise<string> => {
  const found = (): string | undefined => /^ {2}(simgate_\w+)$/m.exec(printed())?.[1];
  await eventually('the token is printed', async () => found() !== undefined);
  return found() ?? assert.fail();
};

const buyDemo = (url: string, token: string, traceId: string): Promise<Response> =>
  fetch(`${url}/api/top-up/package/`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'idempotency-key': traceId,
      traceparent: `00-${traceId}-${callerSpan}-01`,
    },
    body: new URLSearchParams({
      product_id: '2008',
      price: '418000',
      mobile: prepaid,
      webservice_code: 'w',
    }),
  });

describe('A server', () => {
  /** A folder whose server orders from the operator above, and inquires about an order when it restarts. */
  const place = (data = folder(), pendingAfterMs = 200): string => {
    const one = { connector: 'http', settings: { baseUrl: operator.baseUrl, settlesWithin: 1 } };
    const operators = Object.fromEntries([1, 2, 3, 4, 5].map((id) => [id, one]));
    const purchases = { pendingAfterMs, firstInquiryMs: 600_000, widestInquiryMs: 600_000 };
    writeFileSync(join(data, 'simgate.json'), JSON.stringify({ operators, purchases }));
    return data;
  };
  const hooked = { NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import=${sdkOfTools}` };

  test('keeps the trace over a restart, and stops although its exporter hangs', async () => {
    const data = place();
    const patient = { OTEL_EXPORTER_OTLP_TIMEOUT: '600000', OTEL_BSP_EXPORT_TIMEOUT: '600000' };
    const env = { ...hooked, ...collector.env, ...patient };
    const first = await serveProcess(data, env);
    const token = await demoToken(first);
    const traceId = `${callerTrace.slice(0, -1)}e`;
    operator.loseNextAnswer();
    assert.equal((await buyDemo(first.url, token, traceId)).status, 202);
    assert.equal(await first.stop(), 0);
    assert.match(first.printed(), loadsSdk);
    const root = named(await collector.trace(traceId, buying), buying);

    // The operator answers from now on, as late as a busy machine lets it.
    place(data, 600_000);
    const second = await serveProcess(data, env);
    const spans = await collector.trace(traceId, 'operator inquiry', 'purchase settle');
    assert.equal(named(spans, 'operator inquiry').parentSpanId, root.spanId);

    collector.fallSilent();
    const before = collector.asked();
    const other = `${callerTrace.slice(0, -1)}f`;
    assert.equal((await buyDemo(second.url, token, other)).status, 200);
    await eventually('the exporter waits', async () => collector.asked() > before);
    assert.equal(await second.stop(), 0);
    assert.match(second.printed(), /the last spans could not be exported in time/);
  });

  test('that is not asked for spans loads nothing of the SDK', async () => {
    const served = await serveProcess(place(), { ...hooked, OTEL_SERVICE_NAME: 'shop' });
    assert.equal((await fetch(`${served.url}/health/ready`)).status, 200);
    assert.equal(await served.stop(), 0);
    assert.doesNotMatch(served.printed(), loadsSdk);
  });
});
