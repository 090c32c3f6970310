/** Tests the language of error answers: Persian where the request prefers it, English in everything that is recorded. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { adminErrorOf, adminErrors } from '../../src/admin/errors.ts';
import { persianErrors } from '../../src/admin/persian-errors.ts';
import { errorTable } from '../../src/lib/errors.ts';
import { at, keysOf, listOf } from '../support/answers.ts';
import { type Answer, request, startServer, type TestServer } from '../support/server.ts';
import {
  aPackage,
  buy,
  catalogue,
  newKey,
  operatorThat,
  purchaseDefaults,
  served,
  withServer,
} from './buying.ts';

const persian = { 'accept-language': 'fa-IR,fa;q=0.9,en;q=0.5' };
const hasPersian = /[\u0600-\u06ff]/;

let server: TestServer;
before(async () => {
  server = await startServer({ products: catalogue, balance: 1_000_000 });
});
after(() => server.stop());

const assertLanguage = ({ headers }: Answer, locale: 'en' | 'fa'): void => {
  assert.equal(headers.get('content-language'), locale);
  assert.match(headers.get('vary') ?? '', /\baccept-language\b/);
};

describe('An error that is not recorded', () => {
  const cases: Readonly<Record<string, [code: keyof typeof errorTable, () => Promise<Answer>]>> = {
    'a missing key': [
      'IDEMPOTENCY_KEY_MISSING',
      () => buy(server, aPackage, { key: null, headers: persian }),
    ],
    'a missing token': [
      'TOKEN_MISSING',
      () => buy(server, aPackage, { token: null, headers: persian }),
    ],
    'an unknown route': ['NOT_FOUND', () => request(server, '/api/nothing', { headers: persian })],
    'an unknown purchase': [
      'PURCHASE_NOT_FOUND',
      () => request(server, '/api/purchases/none', { headers: persian }),
    ],
  };
  for (const [name, [code, ask]] of Object.entries(cases)) {
    test(`is answered in Persian if the request prefers it: ${name}`, async () => {
      const answer = await ask();
      assert.deepEqual([answer.status, at(answer.body, 'code')], [errorTable[code].status, code]);
      assert.equal(at(answer.body, 'message'), errorTable[code].fa);
      assertLanguage(answer, 'fa');
    });
  }

  test('is English for every other request, and says so', async () => {
    for (const headers of [
      {},
      { 'accept-language': 'de, *;q=0.5' },
      { 'accept-language': 'en, fa' },
    ]) {
      const answer = await buy(server, aPackage, { key: null, headers });
      assert.equal(at(answer.body, 'message'), errorTable.IDEMPOTENCY_KEY_MISSING.message);
      assertLanguage(answer, 'en');
    }
  });

  test('names invalid fields in Persian, of a purchase and of a schema', async () => {
    const bought = await buy(
      server,
      { ...aPackage, price: 'x', mobile: '1' },
      { headers: persian },
    );
    const listed = await request(server, '/api/webhooks', { json: { url: 1 }, headers: persian });
    for (const { status, body } of [bought, listed]) {
      assert.deepEqual([status, at(body, 'code')], [422, 'VALIDATION_FAILED']);
      const sentences = keysOf(at(body, 'errors')).flatMap((field) =>
        listOf(at(body, 'errors', field)),
      );
      assert.ok(sentences.length > 1);
      for (const sentence of sentences) assert.match(String(sentence), hasPersian);
    }
  });

  test('lists the error table in Persian', async () => {
    const answer = await request(server, '/api/errors', { headers: persian });
    assertLanguage(answer, 'fa');
    const [first] = listOf(at(answer.body, 'data'));
    assert.equal(at(first, 'message'), errorTable.TRANSACTION_PENDING.fa);
  });
});

describe('A purchase', () => {
  test('records its answer in English, and replays those bytes in any language', async () => {
    for (const fields of [aPackage, { ...aPackage, price: 1 }, { ...aPackage, product_id: 999 }]) {
      const key = newKey();
      const first = await buy(server, fields, { key, headers: persian });
      assert.doesNotMatch(first.text, hasPersian);
      assert.equal(first.headers.get('content-language'), null);
      const again = await buy(server, fields, { key });
      assert.deepEqual([again.status, again.text], [first.status, first.text]);
    }
  });

  test('that is pending says so in Persian', async () => {
    const silent = operatorThat({ buy: async () => ({ kind: 'unknown', detail: 'silent' }) });
    const purchases = { ...purchaseDefaults, pendingAfterMs: 20 };
    await withServer(served(silent, { purchases }), async (slow) => {
      const pending = await buy(slow, aPackage, { headers: persian });
      assert.equal(pending.status, 202);
      assert.equal(at(pending.body, 'message'), errorTable.TRANSACTION_PENDING.fa);
      assertLanguage(pending, 'fa');
    });
  });
});

describe('An error of the back office', () => {
  const refused = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    request(server, `/admin/api/${path}`, { token: null, headers });

  test('is answered in Persian if the request prefers it', async () => {
    const answer = await refused('me', persian);
    assert.deepEqual([answer.status, at(answer.body, 'code')], [401, 'SESSION_MISSING']);
    assert.equal(at(answer.body, 'message'), persianErrors.SESSION_MISSING);
    assertLanguage(answer, 'fa');
  });

  test('is English for every other request, and says so', async () => {
    const answer = await refused('me');
    assert.equal(at(answer.body, 'message'), adminErrorOf('SESSION_MISSING').message);
    assertLanguage(answer, 'en');
  });

  test('has a Persian message for every code, and none for another', () => {
    const codes = Object.values(adminErrors).flatMap(Object.keys);
    assert.deepEqual(Object.keys(persianErrors).toSorted(), codes.toSorted());
    for (const text of Object.values(persianErrors)) assert.match(text, hasPersian);
  });
});
