/** Tests validating a purchase: it answers exactly what buying would, and leaves nothing behind. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertError, at, keysOf } from '../support/answers.ts';
import {
  type Answer,
  addClient,
  request,
  startServer,
  type TestServer,
} from '../support/server.ts';
import {
  aPackage,
  aTopUp,
  buy,
  catalogue,
  type Fields,
  listed,
  multipartOf,
  offer,
  operatorThat,
  packages,
  postpaid,
  prepaid,
  queryOf,
  served,
  sold,
  topUps,
  withServer,
} from './buying.ts';

const check = '/api/top-up/check';

let server: TestServer;

before(async () => {
  server = await startServer({ products: catalogue, balance: 1_000_000 });
});

after(() => server.stop());

const tryOut = (to: TestServer, fields: Fields, token = to.client.token): Promise<Answer> =>
  request(to, check, { json: fields, token });

/** Everything that a purchase would leave behind. */
const traces = async ({ deps: { db } }: TestServer): Promise<unknown> => ({
  accounts: await db.selectFrom('accounts').selectAll().orderBy('client_id').execute(),
  postings: await db
    .selectFrom('postings')
    .selectAll()
    .orderBy('client_id')
    .orderBy('seq')
    .execute(),
  purchases: await db.selectFrom('purchases').selectAll().orderBy('id').execute(),
});

/** An error without the parts that differ from request to request. */
const withoutId = ({ status, body }: Answer): unknown => {
  const fields = keysOf(body).filter((name) => name !== 'request_id');
  return { status, fields: fields.map((name) => [name, at(body, name)]) };
};

const refused: Readonly<Record<string, readonly [Fields, string]>> = {
  'a missing product': [{ ...aPackage, product_id: 999 }, packages],
  'one that is switched off': [{ ...aPackage, product_id: sold.switchedOff }, packages],
  'another price': [{ ...aPackage, price: 9999 }, packages],
  'an amount out of its range': [{ ...aPackage, product_id: sold.range, price: 1 }, packages],
  'a postpaid number for a prepaid product': [{ ...aPackage, mobile: postpaid }, packages],
  'a number of another operator': [{ ...aPackage, mobile: '989123456791' }, packages],
  'too little money': [{ ...aTopUp, product_id: sold.topUpRange, price: 100_000 }, topUps],
  'an invalid mobile number': [{ ...aPackage, mobile: '0912' }, packages],
  'no fields at all': [{}, packages],
  'a missing offer': [
    { ...aPackage, product_id: 510, offerCode: 'none', offerType: '1' },
    packages,
  ],
};

describe('POST /api/top-up/check', () => {
  test('confirms with the price, its parts, and the available balance', async () => {
    const answer = await tryOut(server, aPackage);
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body, {
      message: 'This can be bought.',
      product_id: sold.credit,
      operator_id: 1,
      mobile: prepaid,
      price: 10_000,
      commission: 0,
      charged_amount: 10_000,
      parts: { net: 10_000, vat: 0 },
      available: 1_000_000,
    });
    assert.equal(answer.headers.get('purchase-id'), null);
  });

  test('takes packages and top-ups alike, and the price within a range', async () => {
    for (const fields of [
      aTopUp,
      { ...aTopUp, product_id: sold.topUpRange, price: 777 + 1000 },
      { ...aPackage, product_id: sold.range, price: 49_999 },
    ]) {
      const { status, body } = await tryOut(server, fields);
      assert.deepEqual([status, at(body, 'price')], [200, fields['price']]);
    }
  });

  test('reads the same fields from every encoding', async () => {
    const answers = [
      await tryOut(server, aPackage),
      await request(server, `${check}/`, {
        method: 'POST',
        body: new URLSearchParams(queryOf(aPackage)),
      }),
      await request(server, check, { method: 'POST', body: multipartOf(aPackage) }),
      await request(server, `${check}?${queryOf(aPackage)}`, { method: 'POST' }),
    ];
    for (const { status, body } of answers) {
      assert.equal(status, 200);
      assert.deepEqual(body, answers[0]?.body);
    }
  });

  test('shows the tax of a personal offer', () => {
    const operator = operatorThat({ offers: async () => listed(offer()) });
    return withServer(served(operator), async (server) => {
      const personal = { ...aPackage, product_id: 510, offerCode: 'C1', offerType: 'T1' };
      const { body } = await tryOut(server, { ...personal, price: 33_000 });
      assert.deepEqual(
        [at(body, 'price'), at(body, 'parts')],
        [33_000, { net: 30_000, vat: 3000 }],
      );
      const wrong = await tryOut(server, { ...personal, price: 30_000 });
      assert.deepEqual(
        [wrong.status, at(wrong.body, 'code'), at(wrong.body, 'expected_price')],
        [422, 'PRICE_MISMATCH', 33_000],
      );
      assert.deepEqual(operator.asked.buy, []);
    });
  });

  for (const [what, [fields, path]] of Object.entries(refused)) {
    test(`says of ${what} exactly what buying says`, async () => {
      const { token } = await addClient(server, { balance: 60_000 });
      const tried = await tryOut(server, fields, token);
      const bought = await buy(server, fields, { path, token });
      assert.ok(bought.status >= 400);
      assert.deepEqual(withoutId(tried), withoutId(bought));
    });
  }

  test('leaves nothing behind, whatever the answer', async () => {
    const before = await traces(server);
    for (const fields of [aPackage, aTopUp, ...Object.values(refused).map(([fields]) => fields)]) {
      await tryOut(server, fields);
    }
    assert.deepEqual(await traces(server), before);
  });

  test('needs no key, and does not use one for a purchase', async () => {
    const headers = { 'idempotency-key': 'a-key' };
    assert.equal((await request(server, check, { json: aPackage, headers })).status, 200);
    const bought = await buy(server, aPackage, { key: 'a-key' });
    assert.equal(bought.status, 200);
    assert.equal(bought.headers.get('idempotent-replayed'), null);
  });

  test('is by POST only', async () => {
    const answer = await request(server, `${check}?${queryOf(aPackage)}`);
    assertError(answer, 405, 'METHOD_NOT_ALLOWED');
    assert.equal(answer.headers.get('allow'), 'POST');
  });
});
