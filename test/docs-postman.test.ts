/** Tests that the Postman collection matches the OpenAPI document. openapi-tools.test.ts runs it. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { demoCatalogue } from '../src/catalogue/demo.ts';
import { at, keysOf, listOf } from './support/answers.ts';
import { collectionOf } from './support/postman.ts';
import { request, startServer, type TestServer } from './support/server.ts';

const file = fileURLToPath(new URL('../docs/postman.json', import.meta.url));

let server: TestServer;
let collection: unknown;

before(async () => {
  server = await startServer({ products: demoCatalogue(), balance: 10_000_000 });
  const { body } = await request(server, '/openapi.json', { token: null });
  collection = collectionOf(body);
});

after(() => server.stop());

test('docs/postman.json is generated from the OpenAPI document', () => {
  const made = `${JSON.stringify(collection, null, 2)}\n`;
  if (process.env['SIMGATE_WRITE_POSTMAN'] === '1') writeFileSync(file, made);
  // However it is formatted.
  const kept: unknown = JSON.parse(readFileSync(file, 'utf8'));
  assert.deepEqual(kept, JSON.parse(made), 'run with SIMGATE_WRITE_POSTMAN=1 to update it');
});

test('every operation of the OpenAPI document is in it, once', async () => {
  const { body } = await request(server, '/openapi.json', { token: null });
  const described = keysOf(at(body, 'paths')).flatMap((path) =>
    keysOf(at(body, 'paths', path)).map((method) => `${method} ${path}`),
  );
  const kept = listOf(at(collection, 'item')).flatMap((folder) => listOf(at(folder, 'item')));
  assert.equal(kept.length, described.length);
});
