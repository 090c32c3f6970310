/** Tests the request of a purchase: methods, encodings, fields, the key, and the order of the checks. */
import assert from 'node:assert/strict';
import { request as sendRaw } from 'node:http';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { readConfig } from '../../src/config/config.ts';
import { assertError, at, keysOf } from '../support/answers.ts';
import { createToken, updateClient } from '../support/clients.ts';
import {
  type Answer,
  addClient,
  request,
  startServer,
  type TestServer,
} from '../support/server.ts';
import {
  aPackage,
  assertRefused,
  assertRepeated,
  assertSold,
  aTopUp,
  buy,
  catalogue,
  type Fields,
  moneyOf,
  multipartOf,
  newKey,
  operatorThat,
  packages,
  postpaid,
  prepaid,
  purchaseOf,
  queryOf,
  recorded,
  served,
  sold,
  topUps,
  untilOrdered,
  withServer,
} from './buying.ts';

let server: TestServer;

before(async () => {
  server = await startServer({ products: catalogue, balance: 100_000_000 });
});

after(() => server.stop());

const formType = 'application/x-www-form-urlencoded';

type Sent = {
  readonly method?: string;
  readonly path?: string;
  readonly query?: string;
  readonly type?: string;
  readonly body?: string | Buffer;
  /** Each is sent as its own header. */
  readonly keys?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
};

/** Sends what `fetch` does not: a body on GET, repeated headers, any bytes in a header. */
const send = (sent: Sent, to = server): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { method = 'GET', path = packages, query = '', type, body, keys = [newKey()] } = sent;
    const outgoing = sendRaw(
      to.url + path + (query === '' ? '' : `?${query}`),
      {
        method,
        agent: false,
        headers: {
          authorization: `Bearer ${to.client.token}`,
          ...(keys.length === 0 ? {} : { 'idempotency-key': [...keys] }),
          ...(type === undefined ? {} : { 'content-type': type }),
          ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
          ...sent.headers,
        },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part: string) => (text += part));
        response.on('end', () => {
          const pairs = Object.entries(response.headers).map(([name, value]): [string, string] => [
            name,
            String(value),
          ]);
          const read: unknown = text === '' ? null : JSON.parse(text);
          const status = response.statusCode ?? 0;
          resolve({ status, headers: new Headers(pairs), text, body: read });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });

const post = (type: string, body: string | Buffer, query = ''): Promise<Answer> =>
  send({ method: 'POST', type, body, query });

/** A purchase's fields in every encoding and by both methods, under one key. */
const encodings: Readonly<Record<string, (fields: Fields, key: string) => Promise<Answer>>> = {
  'a form by POST': (fields, key) =>
    send({ method: 'POST', type: formType, body: queryOf(fields), keys: [key] }),
  'multipart by POST': (fields, key) =>
    request(server, packages, {
      method: 'POST',
      headers: { 'idempotency-key': key },
      body: multipartOf(fields),
    }),
  'JSON by POST': (fields, key) =>
    request(server, packages, { headers: { 'idempotency-key': key }, json: fields }),
  'JSON by POST, all of it text': (fields, key) =>
    request(server, packages, {
      headers: { 'idempotency-key': key },
      json: Object.fromEntries(new URLSearchParams(queryOf(fields))),
    }),
  'the query by POST': (fields, key) =>
    send({ method: 'POST', query: queryOf(fields), keys: [key] }),
  'the query by GET': (fields, key) => send({ query: queryOf(fields), keys: [key] }),
  'a form body on GET': (fields, key) =>
    send({ type: formType, body: queryOf(fields), keys: [key] }),
  'JSON on GET': (fields, key) =>
    send({ type: 'application/json', body: JSON.stringify(fields), keys: [key] }),
  'the query by POST beside a JSON content type without a body': (fields, key) =>
    send({ method: 'POST', query: queryOf(fields), type: 'application/json', keys: [key] }),
  'the query by GET beside a JSON content type without a body': (fields, key) =>
    send({ query: queryOf(fields), type: 'application/json', keys: [key] }),
  'the query by POST beside an empty list, as PHP writes no fields': (fields, key) =>
    send({
      method: 'POST',
      query: queryOf(fields),
      keys: [key],
      type: 'application/json',
      body: '[]',
    }),
  'half in the query and half in a form': (fields, key) => {
    const { product_id, mobile, ...others } = fields;
    return send({
      method: 'POST',
      query: queryOf({ product_id, mobile }),
      keys: [key],
      type: formType,
      body: queryOf(others),
    });
  },
};

describe('The fields of a purchase', () => {
  for (const [encoding, sendAs] of Object.entries(encodings)) {
    test(`may come as ${encoding}`, async () => {
      const answer = await sendAs(aPackage, newKey());
      assertSold(answer);
      const purchase = await purchaseOf(server, answer);
      const { product_id, mobile, price, webservice_code } = aPackage;
      for (const [name, value] of Object.entries({ product_id, mobile, price, webservice_code })) {
        assert.equal(at(purchase, name), value, name);
      }
    });
  }

  test('in any encoding are the same request: one purchase, one answer', async () => {
    const key = newKey();
    const fields = { ...aPackage, webservice_code: 'کد ۱ & = + %' };
    const before = await moneyOf(server);
    const first = await buy(server, fields, { key });
    assertSold(first);
    for (const [encoding, sendAs] of Object.entries(encodings)) {
      const repeat = await sendAs(fields, key);
      assert.equal(repeat.status, 200, `${encoding}: ${repeat.text}`);
      assertRepeated(repeat, first);
    }
    assert.equal((await moneyOf(server)).available, before.available - 10_000);
  });

  test('are the same request with and without the trailing slash', async () => {
    const key = newKey();
    const first = await buy(server, aPackage, { key, path: '/api/top-up/package' });
    assertRepeated(await buy(server, aPackage, { key, path: '/api/top-up/package/' }), first);
    const topUpKey = newKey();
    const second = await buy(server, aTopUp, { key: topUpKey, path: '/api/top-up' });
    assertSold(second);
    assertRepeated(await buy(server, aTopUp, { key: topUpKey, path: '/api/top-up/' }), second);
  });

  test('in the body override those in the query, by both methods', async () => {
    const query = queryOf({ ...aPackage, price: 1, webservice_code: 'of the query' });
    const body = queryOf({ price: 10_000, webservice_code: 'of the body' });
    for (const method of ['GET', 'POST']) {
      const answer = await send({ method, query, type: formType, body });
      assertSold(answer);
      assert.equal(at(await purchaseOf(server, answer), 'webservice_code'), 'of the body');
    }
  });

  test('that come twice count by the last, as in PHP', async () => {
    const answer = await post(formType, `price=1&${queryOf(aPackage)}&webservice_code=last`);
    assertSold(answer);
    assert.equal(at(await purchaseOf(server, answer), 'webservice_code'), 'last');
  });

  test('may come with unknown fields', async () => {
    assertSold(await buy(server, { ...aPackage, lang: 'fa', amount: 7, GET: true }));
  });

  test('of a top-up take every encoding too', async () => {
    const key = newKey();
    const first = await buy(server, aTopUp, { key, path: topUps });
    assertSold(first);
    const query = queryOf(aTopUp);
    assertRepeated(await send({ path: topUps, query, keys: [key] }), first);
    const form = { type: formType, body: query };
    assertRepeated(await send({ path: topUps, ...form, keys: [key] }), first);
    const headers = { 'idempotency-key': key };
    assertRepeated(await request(server, topUps, { headers, json: aTopUp }), first);
    const body = multipartOf(aTopUp);
    assertRepeated(await request(server, topUps, { method: 'POST', headers, body }), first);
  });
});

describe('A method', () => {
  for (const path of [packages, topUps]) {
    test(`other than GET and POST is 405 at ${path}, HEAD among them, and nothing is bought`, async () => {
      const before = await recorded(server);
      for (const method of ['HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const answer = await send({ method, path, query: queryOf(aPackage) });
        assert.equal(answer.status, 405, method);
        assert.equal(answer.headers.get('allow'), 'GET, POST');
      }
      assert.equal(await recorded(server), before);
    });
  }
});

describe('A body that cannot be read', () => {
  const limit = readConfig({}).http.bodyBytes;
  const tooLong = queryOf({ ...aPackage, filler: 'x'.repeat(limit) });

  const cases: Readonly<Record<string, readonly [string, string | Buffer]>> = {
    'JSON that breaks off': ['application/json', '{"product_id":'],
    'JSON that is a list of fields': ['application/json', '[1]'],
    'JSON that is a text': ['application/json', '"product_id"'],
    'JSON that is null': ['application/json', 'null'],
    'JSON that is not UTF-8': ['application/json', Buffer.from([0x7b, 0xff, 0x7d])],
    'a form that is not UTF-8': [formType, Buffer.from([0x61, 0x3d, 0xff])],
    'a form with escapes that are not UTF-8': [formType, 'product_id=1&webservice_code=%ff'],
    'multipart that is not UTF-8': [
      'multipart/form-data; boundary=b',
      Buffer.from(
        '--b\r\nContent-Disposition: form-data; name="mobile"\r\n\r\n\xff\r\n--b--\r\n',
        'latin1',
      ),
    ],
    'multipart without a boundary': ['multipart/form-data', 'x'],
    'multipart that breaks off': ['multipart/form-data; boundary=b', '--b\r\nContent-Disp'],
  };

  for (const [what, [type, body]] of Object.entries(cases)) {
    test(`because it is ${what} is 400 MALFORMED_REQUEST, by both methods`, async () => {
      assertRefused(await post(type, body), 'MALFORMED_REQUEST');
      assertRefused(await send({ type, body }), 'MALFORMED_REQUEST');
    });
  }

  test('because it is of another kind is 415, by both methods', async () => {
    for (const type of ['text/plain', 'application/xml', 'text/json', 'json', '']) {
      for (const method of ['GET', 'POST']) {
        const answer = await send({ method, type, body: queryOf(aPackage) });
        assertRefused(answer, 'UNSUPPORTED_MEDIA_TYPE');
      }
    }
  });

  test('because it is compressed is 415, by both methods', async () => {
    const headers = { 'content-encoding': 'gzip' };
    const body = gzipSync(queryOf(aPackage));
    for (const method of ['GET', 'POST']) {
      const answer = await send({ method, type: formType, body, headers });
      assertRefused(answer, 'UNSUPPORTED_MEDIA_TYPE');
    }
  });

  test('because it is too long is 413, by both methods', async () => {
    assertRefused(await post(formType, tooLong), 'PAYLOAD_TOO_LARGE');
    assertRefused(await send({ type: formType, body: tooLong }), 'PAYLOAD_TOO_LARGE');
    // Far too long: the answer must not wait for all of it, nor be lost with the rest.
    const endless = 'x'.repeat(40 * limit);
    assertRefused(await post(formType, endless), 'PAYLOAD_TOO_LARGE');
    const kept = { connection: 'keep-alive' };
    const answer = await send({ type: formType, body: endless, headers: kept });
    assertRefused(answer, 'PAYLOAD_TOO_LARGE');
    assert.equal(
      answer.headers.get('connection'),
      'close',
      'otherwise it waits for the rest forever',
    );
  });

  test('because its sender hangs up is no error of the server, and buys nothing', () =>
    withServer({}, async (server) => {
      for (const method of ['GET', 'POST']) {
        const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
        const whole = `${queryOf(aPackage)}&filler=`;
        socket.write(
          `${method} ${packages} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${server.client.token}\r\n` +
            `Idempotency-Key: cut-${method}\r\nContent-Type: ${formType}\r\n` +
            `Content-Length: ${whole.length + 9}\r\n\r\n${whole}`,
        );
        // Requests that are answered after it was sent: by then it is being read.
        for (let count = 0; count < 5; count += 1) await request(server, '/health/ready');
        socket.destroy();
        for (let count = 0; count < 5; count += 1) await request(server, '/health/ready');
      }
      assert.equal(await recorded(server), 0);
      assert.ok(!server.logged.some((line) => line.includes('"level":"error"')));
    }));

  test('buys nothing and leaves its key free', async () => {
    const key = newKey();
    const before = await recorded(server);
    const broken = { method: 'POST', type: 'application/json', body: '{', keys: [key] };
    assertRefused(await send(broken), 'MALFORMED_REQUEST');
    const tooLarge = { method: 'POST', type: formType, body: tooLong, keys: [key] };
    assertRefused(await send(tooLarge), 'PAYLOAD_TOO_LARGE');
    const unknown = { method: 'POST', type: 'text/plain', body: 'x', keys: [key] };
    assertRefused(await send(unknown), 'UNSUPPORTED_MEDIA_TYPE');
    assert.equal(await recorded(server), before);
    assertSold(await buy(server, aPackage, { key }));
  });
});

const without = (fields: Fields, name: string): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([other]) => other !== name));

const faultsIn = (answer: Answer): string[] => keysOf(at(answer.body, 'errors')).sort();

const anOffer: Fields = {
  ...aPackage,
  product_id: 510,
  offerCode: 'none',
  offerType: 'none',
};

describe('A field', () => {
  for (const name of ['product_id', 'price', 'webservice_code', 'offerCode', 'offerType']) {
    test(`${name} is required: missing, empty or blank it is VALIDATION_FAILED`, async () => {
      for (const fields of [
        without(anOffer, name),
        { ...anOffer, [name]: '' },
        { ...anOffer, [name]: '  ' },
      ]) {
        const answer = await buy(server, fields);
        assertRefused(answer, 'VALIDATION_FAILED', 'errors');
        assert.deepEqual(at(answer.body, 'errors'), { [name]: [`${name} is required.`] });
      }
      const headers = { 'idempotency-key': newKey() };
      const answer = await request(server, packages, {
        headers,
        json: { ...anOffer, [name]: null },
      });
      assertRefused(answer, 'VALIDATION_FAILED', 'errors');
      assert.deepEqual(faultsIn(answer), [name]);
    });
  }

  test('that is invalid is reported with all others, including the mobile', async () => {
    const nothing = await buy(server, { product_id: 510 });
    assertRefused(nothing, 'VALIDATION_FAILED', 'errors');
    assert.deepEqual(faultsIn(nothing), [
      'mobile',
      'offerCode',
      'offerType',
      'price',
      'webservice_code',
    ]);
    const two = await buy(server, { ...aPackage, mobile: '0912', price: 'much' });
    assertRefused(two, 'VALIDATION_FAILED', 'errors');
    assert.deepEqual(faultsIn(two), ['mobile', 'price']);
  });

  test('that is neither text nor number, such as a list or a file, is VALIDATION_FAILED', async () => {
    for (const name of ['product_id', 'price', 'webservice_code', 'profile_id']) {
      for (const value of [[aPackage[name]], { value: 1 }, true]) {
        const headers = { 'idempotency-key': newKey() };
        const answer = await request(server, packages, {
          headers,
          json: { ...aPackage, [name]: value },
        });
        assertRefused(answer, 'VALIDATION_FAILED', 'errors');
        assert.deepEqual(faultsIn(answer), [name]);
      }
    }
    const body = multipartOf(without(aPackage, 'webservice_code'));
    body.append('webservice_code', new Blob(['order 1']), 'order.txt');
    const headers = { 'idempotency-key': newKey() };
    const answer = await request(server, packages, { method: 'POST', headers, body });
    assertRefused(answer, 'VALIDATION_FAILED', 'errors');
    assert.deepEqual(faultsIn(answer), ['webservice_code']);
  });
});

describe('The mobile number', () => {
  test('as the only invalid field is INVALID_MOBILE, with its rule', async () => {
    const wrong = [
      '',
      '+989123456700',
      '09123456700',
      '9123456700',
      '98912345670',
      '9891234567000',
    ];
    const more = ['98 9123456700', '98912345670a', '00989123456700', 'none', '98912345٦٧.0'];
    for (const mobile of [...wrong, ...more]) {
      const answer = await buy(server, { ...aPackage, mobile });
      assertRefused(answer, 'INVALID_MOBILE', 'errors');
      assert.deepEqual(faultsIn(answer), ['mobile']);
    }
    assertRefused(await buy(server, without(aPackage, 'mobile')), 'INVALID_MOBILE', 'errors');
    const { body } = await buy(server, { ...aPackage, mobile: 'none' });
    assert.match(String(at(body, 'message')), /98 followed by exactly 10 digits/);
  });

  test('in Persian or Arabic digits is the same number, and so the same request', async () => {
    const key = newKey();
    const first = await buy(server, aPackage, { key });
    assertSold(first);
    for (const mobile of ['۹۸۹۱۲۳۴۵۶۷۰۰', '٩٨٩١٢٣٤٥٦٧٠٠', ` ${prepaid} `]) {
      assertRepeated(await buy(server, { ...aPackage, mobile }, { key }), first);
    }
  });

  test('follows the configured prefix and length', () =>
    withServer({ config: { mobile: { prefix: '44', digits: 8 } } }, async (server) => {
      assertSold(await buy(server, { ...aPackage, mobile: '4412345600' }));
      assertRefused(await buy(server, aPackage), 'INVALID_MOBILE', 'errors');
    }));
});

describe('The price', () => {
  const same = ['10000', '10000.0', ' 10000 ', '۱۰۰۰۰', '١٠٠٠٠', '10000.000000000002', '9999.5'];

  test('is a plain decimal in any digits, rounded half up before it is compared', async () => {
    const key = newKey();
    const first = await buy(server, aPackage, { key });
    assertSold(first);
    for (const price of [...same, '10000.4999', '010000']) {
      const answer = await buy(server, { ...aPackage, price }, { key });
      assert.equal(answer.status, 200, price);
      assertRepeated(answer, first);
    }
    for (const price of ['9999.49', '10000.5']) {
      assertRefused(await buy(server, { ...aPackage, price }), 'PRICE_MISMATCH', 'expected_price');
    }
  });

  test('that is computed in floating point is accepted, as JSON and as text', async () => {
    // 3 times 1.1 is 3.3000000000000003, and the like.
    const bases = [3000, 30_000, 12_345, 999, 70_000, 1_100];
    const products = bases.map((base, index) => ({
      ...(catalogue[2] ?? assert.fail()),
      id: 1000 + index,
      price: Math.round(base * 1.1),
    }));
    await withServer({ products, balance: 10_000_000 }, async (server) => {
      for (const [index, base] of bases.entries()) {
        const fields = { ...aPackage, product_id: 1000 + index, price: base * 1.1 };
        const answer = await buy(server, fields);
        assertSold(answer);
        assert.equal(at(await purchaseOf(server, answer), 'price'), Math.round(base * 1.1));
        const headers = { 'idempotency-key': newKey() };
        assertSold(await request(server, packages, { headers, json: fields }));
      }
    });
  });

  test('with an exponent, a separator, a sign, or beyond the safe integers is refused', async () => {
    const wrong = ['1e4', '10,000', '10_000', '+10000', '-10000', '0x2710', '10000.', '.5', 'ten'];
    const more = ['NaN', 'Infinity', '9007199254740992', '1'.repeat(200), '0', '0.4', '١٠٬٠٠٠'];
    for (const price of [...wrong, ...more]) {
      const answer = await buy(server, { ...aPackage, price });
      assertRefused(answer, 'VALIDATION_FAILED', 'errors');
      assert.deepEqual(faultsIn(answer), ['price'], price);
    }
  });
});

describe('product_id', () => {
  test('is a number in any digits, as text or as JSON', async () => {
    const key = newKey();
    const first = await buy(server, aPackage, { key });
    for (const product_id of ['100', '100.0', ' 100 ', '۱۰۰', '١٠٠', '0100']) {
      assertRepeated(await buy(server, { ...aPackage, product_id }, { key }), first);
    }
  });

  test('that is not a whole number is VALIDATION_FAILED', async () => {
    for (const product_id of ['abc', '100.5', '-100', '0', '1e2', '9007199254740993']) {
      const answer = await buy(server, { ...aPackage, product_id });
      assertRefused(answer, 'VALIDATION_FAILED', 'errors');
      assert.deepEqual(faultsIn(answer), ['product_id'], product_id);
    }
  });
});

describe('webservice_code', () => {
  test('is 1 to 255 characters of any script, stored unchanged', async () => {
    for (const code of ['a', 'x'.repeat(255), 'ک'.repeat(255), '😀'.repeat(255), 'سفارش ۱']) {
      const answer = await buy(server, { ...aPackage, webservice_code: code });
      assertSold(answer);
      assert.equal(at(await purchaseOf(server, answer), 'webservice_code'), code);
    }
  });

  test('of more than 255 characters, or with unstorable ones, is refused', async () => {
    for (const code of ['x'.repeat(256), '😀'.repeat(256), 'a\0b']) {
      const answer = await buy(server, { ...aPackage, webservice_code: code });
      assertRefused(answer, 'VALIDATION_FAILED', 'errors');
      assert.deepEqual(faultsIn(answer), ['webservice_code']);
    }
  });

  test('need not be unique', async () => {
    const [one, two] = [await buy(server, aPackage), await buy(server, aPackage)];
    assertSold(one);
    assertSold(two);
    assert.notEqual(one.headers.get('purchase-id'), two.headers.get('purchase-id'));
  });

  test('may be a number in JSON, and is the text of it', async () => {
    const key = newKey();
    const headers = { 'idempotency-key': key };
    const first = await request(server, packages, {
      headers,
      json: { ...aPackage, webservice_code: 1001 },
    });
    assertSold(first);
    assertRepeated(await buy(server, { ...aPackage, webservice_code: '1001' }, { key }), first);
  });
});

describe('profile_id', () => {
  const operator = operatorThat();
  const ordered = (): unknown => operator.asked.buy.at(-1)?.profileId;

  const own = { ...aPackage, product_id: sold.withProfile };

  test('of the product goes to the operator, whether it is sent or not', () =>
    withServer(served(operator), async (server) => {
      for (const sent of [{}, { profile_id: '' }, { profile_id: ' 42 ' }]) {
        assertSold(await buy(server, { ...own, ...sent }));
        assert.equal(ordered(), '42');
      }
      const headers = { 'idempotency-key': newKey() };
      assertSold(await request(server, packages, { headers, json: { ...own, profile_id: 42 } }));
      assert.equal(ordered(), '42');
    }));

  test("other than the product's is 422 with errors.profile_id, recorded, and orders nothing", () =>
    withServer(served(operator), async (server) => {
      const [before, orders] = [await moneyOf(server), operator.asked.buy.length];
      const key = newKey();
      const other = { ...own, profile_id: '43' };
      const answer = await buy(server, other, { key });
      assertRefused(answer, 'VALIDATION_FAILED', 'errors');
      assert.deepEqual(faultsIn(answer), ['profile_id']);
      assertRepeated(await buy(server, other, { key }), answer);
      const checked = await request(server, '/api/top-up/check', { json: other });
      assertError(checked, 422, 'VALIDATION_FAILED');
      assert.deepEqual(faultsIn(checked), ['profile_id']);
      assert.equal(operator.asked.buy.length, orders);
      assert.deepEqual(await moneyOf(server), before);
    }));

  test('is ignored by a product that has none', () =>
    withServer(served(operator), async (server) => {
      assertSold(await buy(server, { ...aPackage, profile_id: 'mine' }));
      assert.equal(ordered(), undefined);
    }));

  test("is part of the request's identity, and empty is the same as absent", async () => {
    const key = newKey();
    const first = await buy(server, aPackage, { key });
    assertRepeated(await buy(server, { ...aPackage, profile_id: '' }, { key }), first);
    const other = await buy(server, { ...aPackage, profile_id: '7' }, { key });
    assertRefused(other, 'IDEMPOTENCY_KEY_REUSED');
  });

  test('of more than 255 characters is refused', async () => {
    const answer = await buy(server, { ...aPackage, profile_id: 'x'.repeat(256) });
    assertRefused(answer, 'VALIDATION_FAILED', 'errors');
    assert.deepEqual(faultsIn(answer), ['profile_id']);
  });
});

describe('offerCode and offerType', () => {
  test('are ignored on an ordinary product, whatever their values', async () => {
    const key = newKey();
    const first = await buy(server, { ...aPackage, offerCode: 'C', offerType: 'T' }, { key });
    assertSold(first);
    const purchase = await purchaseOf(server, first);
    assert.equal(at(purchase, 'offerCode'), null);
    assert.equal(at(purchase, 'offerType'), null);
    assertRepeated(await buy(server, aPackage, { key }), first);
    const long = 'x'.repeat(300);
    assertRepeated(await buy(server, { ...aPackage, offerCode: long }, { key }), first);
  });

  test('are ignored on a top-up', async () => {
    const key = newKey();
    const first = await buy(server, { ...aTopUp, offerCode: 'C' }, { key, path: topUps });
    assertSold(first);
    assertRepeated(await buy(server, aTopUp, { key, path: topUps }), first);
  });
});

describe('A product', () => {
  test('of every package type is bought at /api/top-up/package/', async () => {
    assertSold(await buy(server, aPackage));
    assertSold(await buy(server, { ...aPackage, product_id: sold.tdLte }));
    const permanent = { ...aPackage, product_id: sold.permanent, mobile: postpaid };
    assertSold(await buy(server, permanent));
  });

  test('of the top-up type is bought at /api/top-up/', async () => {
    assertSold(await buy(server, aTopUp, { path: topUps }));
    const permanent = { ...aTopUp, product_id: sold.topUpPermanent, mobile: postpaid };
    assertSold(await buy(server, permanent, { path: topUps }));
  });

  test('on the wrong path is 422 with errors.product_id, which names the right one', async () => {
    const wrong = [
      [packages, aTopUp, topUps],
      [topUps, aPackage, packages],
      [topUps, { ...aPackage, product_id: sold.tdLte }, packages],
      [topUps, { ...aPackage, product_id: 510 }, packages],
    ] as const;
    const before = await moneyOf(server);
    for (const [path, fields, right] of wrong) {
      const answer = await buy(server, fields, { path });
      assertRefused(answer, 'VALIDATION_FAILED', 'errors');
      assert.deepEqual(faultsIn(answer), ['product_id']);
      assert.ok(String(at(answer.body, 'errors', 'product_id', 0)).includes(`${right}.`));
    }
    assert.deepEqual(await moneyOf(server), before);
  });

  test('under another configured id is the personal-offer product', () =>
    withServer(
      {
        products: [{ ...(catalogue[0] ?? assert.fail()), id: 77 }],
        config: { personalOffers: { credit: 77, permanent: 78 } },
      },
      async (server) => {
        const answer = await buy(server, { ...aPackage, product_id: 77 });
        assertRefused(answer, 'VALIDATION_FAILED', 'errors');
        assert.deepEqual(faultsIn(answer), ['offerCode', 'offerType']);
      },
    ));
});

describe('The Idempotency-Key', () => {
  test('is required: without it, or empty, nothing is bought', async () => {
    const before = await recorded(server);
    const query = queryOf(aPackage);
    for (const keys of [[], [''], ['  '], ['""']]) {
      for (const method of ['GET', 'POST']) {
        assertRefused(await send({ method, query, keys }), 'IDEMPOTENCY_KEY_MISSING');
      }
    }
    assert.equal(await recorded(server), before);
  });

  test('is 1 to 255 visible ASCII characters', async () => {
    const visible = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index));
    const all = visible.filter((sign) => sign !== '"').join('');
    for (const key of ['k', 'k'.repeat(255), all, '0']) {
      assertSold(await send({ query: queryOf(aPackage), keys: [key] }));
    }
  });

  const invalid = {
    'of 256 characters': 'k'.repeat(256),
    'of 256 characters in quotes': `"${'k'.repeat(256)}"`,
    'with an inner space': 'a b',
    'with an inner space in quotes': '"a b"',
    'with an inner tab': 'a\tb',
    'outside ASCII': 'cl\u00e9',
    'with a lone quote before': '"abc',
    'with a lone quote after': 'abc"',
    'with a quote inside': 'ab"c',
    'that is one quote': '"',
    'with parameters after its quotes': '"abc";a=1',
    'with a broken escape': '"ab\\c"',
  } as const;

  for (const [what, key] of Object.entries(invalid)) {
    test(`${what} is IDEMPOTENCY_KEY_INVALID`, async () => {
      const answer = await send({ query: queryOf(aPackage), keys: [key] });
      assertRefused(answer, 'IDEMPOTENCY_KEY_INVALID');
    });
  }

  test('sent twice is IDEMPOTENCY_KEY_INVALID, the same or not', async () => {
    const query = queryOf(aPackage);
    for (const keys of [
      ['a', 'b'],
      ['a', 'a'],
      ['', 'a'],
    ]) {
      assertRefused(await send({ query, keys }), 'IDEMPOTENCY_KEY_INVALID');
    }
  });

  test('quoted and bare is one key, and so is one with surrounding space', async () => {
    const key = newKey();
    const first = await send({ query: queryOf(aPackage), keys: [key] });
    assertSold(first);
    for (const same of [`"${key}"`, ` ${key} `, ` "${key}" `]) {
      assertRepeated(await send({ query: queryOf(aPackage), keys: [same] }), first);
    }
    const escaped = await send({ query: queryOf(aPackage), keys: ['"a\\"b\\\\c"'] });
    assertSold(escaped);
    assert.equal(at(await purchaseOf(server, escaped), 'idempotency_key'), 'a"b\\c');
  });

  test('is case-sensitive', async () => {
    const key = newKey();
    const first = await buy(server, aPackage, { key });
    const second = await buy(server, aPackage, { key: key.toUpperCase() });
    assertSold(second);
    assert.notEqual(first.headers.get('purchase-id'), second.headers.get('purchase-id'));
  });

  test('has any name in upper or lower case', async () => {
    const key = newKey();
    const headers = { 'IDEMPOTENCY-KEY': key };
    const first = await send({ query: queryOf(aPackage), keys: [], headers });
    assertSold(first);
    assertRepeated(await buy(server, aPackage, { key }), first);
  });
});

describe('The order of the checks', () => {
  const hopeless = { method: 'POST', type: 'application/json', body: '{' } as const;

  test('is the token first, whatever else is wrong', async () => {
    for (const path of [packages, topUps]) {
      assertError(await request(server, path, { ...hopeless, token: null }), 401, 'TOKEN_MISSING');
      const token = 'simgate_unknown';
      assertError(await request(server, path, { ...hopeless, token }), 401, 'TOKEN_INVALID');
    }
  });

  test('then the client and the scope, before the key', async () => {
    const suspended = await addClient(server);
    await updateClient(server.deps, suspended.id, { status: 'suspended' });
    const banned = await request(server, packages, { ...hopeless, token: suspended.token });
    assertError(banned, 403, 'CLIENT_SUSPENDED');
    const { id } = await addClient(server);
    for (const scopes of [[], ['catalogue'], ['offers']] as const) {
      const { token } = await createToken(server.deps, id, { scopes: [...scopes] });
      assertError(await request(server, packages, { ...hopeless, token }), 403, 'SCOPE_MISSING');
    }
    const { token } = await createToken(server.deps, id, { scopes: ['purchase'] });
    assertRefused(await buy(server, aPackage, { token, key: null }), 'IDEMPOTENCY_KEY_MISSING');
    assertRefused(await buy(server, aPackage, { token }), 'INSUFFICIENT_BALANCE');
  });

  test('then the rate limit, before the key', () => {
    const client = { perSecond: 0.001, burst: 2 };
    return withServer({ config: { rateLimits: { client } } }, async (server) => {
      const key = newKey();
      assertSold(await buy(server, aPackage, { key }));
      assertRefused(await buy(server, aPackage, { key: null }), 'IDEMPOTENCY_KEY_MISSING');
      for (const one of [null, key, newKey()]) {
        const limited = await buy(server, aPackage, { key: one });
        assertRefused(limited, 'RATE_LIMITED');
        assert.match(limited.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
      }
      assert.equal(await recorded(server), 1);
    });
  });

  test('then the key, before the body and the fields', async () => {
    assertRefused(await send({ ...hopeless, keys: [] }), 'IDEMPOTENCY_KEY_MISSING');
    assertRefused(await send({ ...hopeless, keys: ['a', 'b'] }), 'IDEMPOTENCY_KEY_INVALID');
    assertRefused(await send({ query: '', keys: ['"'] }), 'IDEMPOTENCY_KEY_INVALID');
  });

  test('then the shape of the fields, before the known key', async () => {
    const key = newKey();
    assertSold(await buy(server, aPackage, { key }));
    const shapeless = await buy(server, { ...aPackage, price: 'much' }, { key });
    assertRefused(shapeless, 'VALIDATION_FAILED', 'errors');
    const mobile = await buy(server, { ...aPackage, mobile: 'none' }, { key });
    assertRefused(mobile, 'INVALID_MOBILE', 'errors');
  });

  test('then the known key, before the rules: other fields are a reused key, however invalid', async () => {
    const key = newKey();
    const first = await buy(server, aPackage, { key });
    assertSold(first);
    const before = await moneyOf(server);
    const others: readonly Fields[] = [
      { ...aPackage, product_id: 999_999 },
      { ...aPackage, product_id: sold.switchedOff },
      { ...aPackage, product_id: sold.permanent },
      { ...aPackage, mobile: '989123456702' },
      { ...aPackage, price: 10_001 },
      { ...aPackage, price: 900_000_000 },
      { ...aPackage, webservice_code: 'order 2' },
      { ...aPackage, profile_id: 'another' },
    ];
    for (const fields of others) {
      const answer = await buy(server, fields, { key });
      assertRefused(answer, 'IDEMPOTENCY_KEY_REUSED');
      assert.equal(answer.headers.get('idempotent-replayed'), null);
    }
    const elsewhere = await buy(server, aPackage, { key, path: topUps });
    assertRefused(elsewhere, 'IDEMPOTENCY_KEY_REUSED');
    assert.deepEqual(await moneyOf(server), before);
    assertRepeated(await buy(server, aPackage, { key }), first);
  });

  test('and last the rules: product, subscriber, price, funds, in this order', () =>
    withServer({ balance: 0 }, async (server) => {
      const wrong = { ...aPackage, mobile: '989123456791', price: 1 };
      const missing = await buy(server, { ...wrong, product_id: 999 });
      assertRefused(missing, 'PRODUCT_NOT_FOUND');
      const off = await buy(server, { ...wrong, product_id: sold.switchedOff });
      assertRefused(off, 'PRODUCT_INACTIVE');
      assertRefused(await buy(server, wrong), 'OPERATOR_MISMATCH');
      const otherSim = await buy(server, { ...aPackage, mobile: postpaid, price: 1 });
      assertRefused(otherSim, 'SIM_TYPE_MISMATCH');
      const dear = await buy(server, { ...aPackage, price: 1 });
      assertRefused(dear, 'PRICE_MISMATCH', 'expected_price');
      assertRefused(await buy(server, aPackage), 'INSUFFICIENT_BALANCE');
    }));
});

describe('A client that hangs up', () => {
  test('changes nothing: the purchase is made, and its answer is there for the repeat', async () => {
    const answer = Promise.withResolvers<void>();
    const operator = operatorThat({
      buy: async ({ ref }) => {
        await answer.promise;
        return { kind: 'done', ref };
      },
    });
    await withServer(served(operator), async (server) => {
      const key = newKey();
      const body = queryOf(aPackage);
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
      socket.write(
        `POST ${packages} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${server.client.token}\r\n` +
          `Idempotency-Key: ${key}\r\nContent-Type: ${formType}\r\n` +
          `Content-Length: ${body.length}\r\n\r\n${body}`,
      );
      await untilOrdered(operator, 1);
      socket.destroy();
      const repeat = buy(server, aPackage, { key });
      answer.resolve();
      assertSold(await repeat, true);
      assert.equal(operator.asked.buy.length, 1);
      assert.deepEqual(await moneyOf(server), { available: 990_000, held: 0 });
    });
  });
});

describe('The log', () => {
  test('contains no number, no query string and no key of a purchase, by any method', () =>
    withServer({}, async (server) => {
      const marked = { ...aPackage, webservice_code: 'secret-tracking-code' };
      await send({ query: queryOf(marked), keys: ['secret-key'] }, server);
      await buy(server, marked, { key: 'secret-key-2' });
      await buy(server, { ...marked, price: 1 });
      await send({ query: `${queryOf(marked)}&mobile=none`, keys: ['x'] }, server);
      await send({ query: queryOf(marked), keys: [] }, server);
      await request(server, `/api/purchases?webservice_code=secret-tracking-code`);
      const text = server.logged.join('');
      assert.ok(text.includes('/api/top-up/package'));
      assert.ok(!text.includes('secret'), text);
      assert.ok(!text.includes('mobile='));
      assert.ok(!/98\d{10}/.test(text.replaceAll(/[\da-f]{8}-[\da-f-]+/g, '')));
    }));
});
