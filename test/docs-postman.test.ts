/** Tests that the Postman collection matches the OpenAPI document, and that the gateway accepts every request in it. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { demoCatalogue } from '../src/catalogue/demo.ts';
import { at, keysOf, listOf } from './support/answers.ts';
import { collectionOf } from './support/postman.ts';
import { request, startServer, type TestServer } from './support/server.ts';
import { makeEndpoint, makeMessage } from './support/webhooks.ts';

const file = fileURLToPath(new URL('../docs/postman.json', import.meta.url));

let server: TestServer;
let collection: unknown;

before(async () => {
  server = await startServer({ products: demoCatalogue(), balance: 10_000_000 });
  const { body } = await request(server, '/openapi.json', { token: null });
  collection = collectionOf(body);
});

after(() => server.stop());

test('docs/postman.json is made of the OpenAPI text', () => {
  const made = `${JSON.stringify(collection, null, 2)}\n`;
  if (process.env['SIMGATE_WRITE_POSTMAN'] === '1') writeFileSync(file, made);
  // However it is laid out.
  const kept: unknown = JSON.parse(readFileSync(file, 'utf8'));
  assert.deepEqual(kept, JSON.parse(made), 'SIMGATE_WRITE_POSTMAN=1 writes it anew');
});

test('every operation of the OpenAPI text is in it, once', async () => {
  const { body } = await request(server, '/openapi.json', { token: null });
  const described = keysOf(at(body, 'paths')).flatMap((path) =>
    keysOf(at(body, 'paths', path)).map((method) => `${method} ${path}`),
  );
  const kept = listOf(at(collection, 'item')).flatMap((folder) => listOf(at(folder, 'item')));
  assert.equal(kept.length, described.length);
});

test('every request in it is answered as its operation promises, with a purchase and a webhook that are there', async () => {
  const bought = await request(server, '/api/top-up', {
    headers: { 'idempotency-key': 'for the collection' },
    json: { product_id: 2201, mobile: '989123456700', price: 100_000, webservice_code: 'x' },
  });
  const { id: webhook } = await makeEndpoint(server);
  const there = new Map([
    ['id', bought.headers.get('purchase-id') ?? ''],
    ['webhook_id', webhook],
    ['message_id', await makeMessage(server)],
  ]);
  const isDelete = (item: unknown): number => Number(at(item, 'request', 'method') === 'DELETE');
  // What deletes comes last, for the others want what it deletes.
  const items = listOf(at(collection, 'item'))
    .flatMap((folder) => listOf(at(folder, 'item')))
    .sort((one, other) => isDelete(one) - isDelete(other));
  for (const [index, item] of items.entries()) {
    const wanted = at(item, 'request');
    const values = new Map(
      listOf(at(wanted, 'url', 'variable')).map((one) => [
        String(at(one, 'key')),
        there.get(String(at(one, 'key'))) ?? String(at(one, 'value')),
      ]),
    );
    const path = listOf(at(wanted, 'url', 'path'))
      .map((segment) => String(segment))
      .map((segment) => (segment.startsWith(':') ? values.get(segment.slice(1)) : segment))
      .join('/');
    const asked = listOf(at(wanted, 'url', 'query') ?? [])
      .filter((one) => at(one, 'disabled') !== true)
      .map((one) => [String(at(one, 'key')), String(at(one, 'value'))]);
    const query = String(new URLSearchParams(asked));
    const raw = at(wanted, 'body', 'raw');
    const answer = await request(server, `/${path}${query === '' ? '' : `?${query}`}`, {
      method: String(at(wanted, 'method')),
      headers: Object.fromEntries(
        listOf(at(wanted, 'header')).map((one): [string, string] => [
          String(at(one, 'key')),
          String(at(one, 'value')).replace('{{$guid}}', `guid-${index}`),
        ]),
      ),
      ...(typeof raw === 'string' ? { body: raw } : {}),
    });
    assert.match(
      String(answer.status),
      /^20[0124]$/,
      `${String(at(item, 'name'))}: ${answer.text}`,
    );
  }
});
