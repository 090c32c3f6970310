/** Tests the filter on a real server, as the contract and our decisions describe it. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { ImportedProduct } from '../../src/catalogue/product.ts';
import { readConfig } from '../../src/config/config.ts';
import { writePostings } from '../../src/ledger/store.ts';
import { createToken } from '../support/clients.ts';
import { type Answer, request, startServer, type TestServer } from '../support/server.ts';
import { envelopeText } from './pagination.ts';
import { rawRequest } from './raw-request.ts';
import { sampleCategory, sampleProduct } from './sample-product.ts';

const path = '/api/filter';

const PageSchema = Type.Object({
  data: Type.Array(
    Type.Object({
      id: Type.Integer(),
      categories: Type.Array(Type.Object({ id: Type.Integer() })),
    }),
  ),
  links: Type.Object({
    first: Type.String(),
    last: Type.String(),
    prev: Type.Union([Type.String(), Type.Null()]),
    next: Type.Union([Type.String(), Type.Null()]),
  }),
  meta: Type.Object({
    current_page: Type.Integer(),
    from: Type.Union([Type.Integer(), Type.Null()]),
    last_page: Type.Integer(),
    path: Type.String(),
    per_page: Type.Integer(),
    to: Type.Union([Type.Integer(), Type.Null()]),
    total: Type.Integer(),
  }),
  balance: Type.Number(),
});

const ErrorSchema = Type.Object({
  message: Type.String({ minLength: 1 }),
  code: Type.String(),
  charged: Type.Literal('no'),
  retry: Type.Literal('no'),
  request_id: Type.String({ minLength: 1 }),
  docs: Type.String({ minLength: 1 }),
  errors: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
});

const pageOf = ({ status, text, body }: Answer) => {
  assert.equal(status, 200, text);
  if (!Value.Check(PageSchema, body)) assert.fail(`not a page of products: ${text}`);
  return body;
};

const idsOf = (answer: Answer): number[] => pageOf(answer).data.map(({ id }) => id);

/** The body of an error, after checking its status and code. */
const errorOf = (answer: { readonly status: number; readonly text: string }) => {
  const body: unknown = JSON.parse(answer.text);
  if (!Value.Check(ErrorSchema, body)) assert.fail(`not an error: ${answer.text}`);
  return { status: answer.status, ...body };
};

/** The invalid fields of a refused body. */
const faultsOf = (answer: Answer): Readonly<Record<string, readonly string[]>> => {
  const { status, code, errors } = errorOf(answer);
  assert.deepEqual([status, code], [422, 'VALIDATION_FAILED'], answer.text);
  assert.ok(errors);
  return errors;
};

const products: ImportedProduct[] = [
  sampleProduct({
    id: 1,
    name: 'بسته ۳۰ روزه',
    name_en: 'Monthly Package',
    order: 9,
    categories: [sampleCategory(1, 5), sampleCategory(1, 6)],
  }),
  sampleProduct({ id: 2, name: 'شارژ مستقيم', type: 'cell_direct_charge', order: 8 }),
  sampleProduct({ id: 3, name: 'هفتگی', sim_card_type: 'permanent', operator_id: 3, order: 7 }),
  sampleProduct({
    id: 4,
    name: 'TD-LTE ٣٠',
    type: 'td_lte_internet',
    operator_id: 2,
    order: 6,
    categories: [sampleCategory(4, 5)],
  }),
  sampleProduct({ id: 5, name: 'Off', status: 0, operator_id: 5, sim_card_type: 'permanent' }),
  sampleProduct({ id: 6, name: 'می‌خواهم كتاب', operator_id: 4, order: 5 }),
];
const everything = [5, 6, 4, 3, 2, 1];

let server: TestServer;
before(async () => {
  server = await startServer({ products });
});
after(() => server.stop());

const filter = (items: unknown, rest: object = {}, query = ''): Promise<Answer> =>
  request(server, path + query, { json: { table: 'product', items, ...rest } });

describe('the body', () => {
  test('names the table `product`, and nothing else', async () => {
    for (const table of ['products', 'Product', 'user', 1, true, {}, ['product']]) {
      const faults = faultsOf(await request(server, path, { json: { table, items: {} } }));
      assert.deepEqual(Object.keys(faults), ['table']);
      assert.match(String(faults['table']), /\bproduct\b/);
    }
  });

  test('without a table, or with an empty one, is 422 and names it', async () => {
    for (const json of [{}, { items: {} }, { table: null }, { table: '' }]) {
      const faults = faultsOf(await request(server, path, { json }));
      assert.deepEqual(Object.keys(faults), ['table']);
    }
  });

  test('may leave items out, or send null or the empty list that PHP writes', async () => {
    for (const json of [
      { table: 'product' },
      { table: 'product', items: null },
      { table: 'product', items: [] },
      { table: 'product', items: {} },
    ]) {
      assert.deepEqual(idsOf(await request(server, path, { json })), everything);
    }
  });

  test('with items that are not an object is 422 and names them', async () => {
    for (const items of ['name', 5, true, [1], [{ name: 'x' }]]) {
      assert.deepEqual(Object.keys(faultsOf(await filter(items))), ['items']);
    }
  });

  const fields = ['name', 'categories', 'sim_card_type', 'type', 'operator', 'pagination'];

  test('takes null and empty text in any field of items for absent', async () => {
    for (const nothing of [null, '']) {
      for (const field of fields) {
        assert.deepEqual(idsOf(await filter({ [field]: nothing })), everything, field);
      }
      const all = Object.fromEntries(fields.map((field) => [field, nothing]));
      const { data, meta } = pageOf(await filter(all));
      assert.equal(meta.per_page, 100);
      assert.ok(data.every(({ categories }) => categories.length === 0));
    }
  });

  test('with unknown keys in items is 422 and names each of them', async () => {
    const faults = faultsOf(await filter({ name: 'x', operator_id: 2, Type: 'cell_internet' }));
    assert.deepEqual(Object.keys(faults).sort(), ['items.Type', 'items.operator_id']);
    assert.match(String(faults['items.operator_id']), /operator_id/);
  });

  test('with an unknown key in items is 422 even if its value is null or empty', async () => {
    for (const value of [null, '']) {
      const faults = faultsOf(await filter({ colour: value }));
      assert.deepEqual(Object.keys(faults), ['items.colour']);
    }
  });

  test('may carry unknown keys beside items, which are ignored', async () => {
    const rest = { name: 'nothing', operator: 'operator_9', columns: ['id'], order: 'price' };
    assert.deepEqual(idsOf(await filter({}, rest)), everything);
  });

  test('reports all invalid fields at once', async () => {
    const faults = faultsOf(await filter({ type: 'sms', operator: 'unknown', name: 7, x: 1 }));
    assert.deepEqual(Object.keys(faults).sort(), [
      'items.name',
      'items.operator',
      'items.type',
      'items.x',
    ]);
  });

  test('that is not an object is 422 and says so', async () => {
    for (const json of ['product', 5, true, false, ['product'], [{ table: 'product' }]]) {
      const faults = faultsOf(await request(server, path, { json }));
      assert.deepEqual(Object.keys(faults), ['body']);
      assert.match(String(faults['body']), /object/);
    }
  });

  test('that is null or an empty list is 422 for want of a table', async () => {
    for (const json of [null, []]) {
      assert.deepEqual(Object.keys(faultsOf(await request(server, path, { json }))), ['table']);
    }
  });

  test('that is missing is 422 for want of a table', async () => {
    const plain = await request(server, path, { method: 'POST' });
    assert.deepEqual(Object.keys(faultsOf(plain)), ['table']);
    const headers = { 'content-type': 'application/json' };
    const empty = await request(server, path, { method: 'POST', headers, body: '' });
    assert.deepEqual(Object.keys(faultsOf(empty)), ['table']);
  });
});

describe('a body that cannot be read', () => {
  const post = (body: string | Buffer, type: string | null = 'application/json') =>
    rawRequest(server, path, {
      method: 'POST',
      body,
      headers: {
        'content-length': String(Buffer.byteLength(body)),
        ...(type === null ? {} : { 'content-type': type }),
      },
    });
  const valid = '{"table":"product"}';

  test('because it is not JSON is 400 MALFORMED_REQUEST', async () => {
    for (const body of ['{', '{"table":"product"', "{'table':'product'}", 'table=product', 'x']) {
      const { status, code } = errorOf(await post(body));
      assert.deepEqual([status, code], [400, 'MALFORMED_REQUEST'], body);
    }
  });

  test('because it is not UTF-8 is 400 MALFORMED_REQUEST', async () => {
    const body = Buffer.from('{"table":"product","items":{"name":"\u00e9"}}', 'latin1');
    const { status, code } = errorOf(await post(body));
    assert.deepEqual([status, code], [400, 'MALFORMED_REQUEST']);
  });

  test('because it is neither JSON nor a form is 415 UNSUPPORTED_MEDIA_TYPE', async () => {
    const types = ['text/plain', 'application/xml', 'json'];
    for (const type of [...types, 'multipart/form-data; boundary=x', null]) {
      const { status, code } = errorOf(await post(valid, type));
      assert.deepEqual([status, code], [415, 'UNSUPPORTED_MEDIA_TYPE'], String(type));
    }
  });

  test('is none where the JSON type carries parameters or capital letters', async () => {
    for (const type of ['application/json; charset=utf-8', 'Application/JSON']) {
      assert.equal((await post(valid, type)).status, 200, type);
    }
  });

  test('because it is too large is 413 PAYLOAD_TOO_LARGE, and one just as large is read', async () => {
    const limit = readConfig({}).http.bodyBytes;
    const { status, code } = errorOf(await post(valid.padEnd(limit + 1)));
    assert.deepEqual([status, code], [413, 'PAYLOAD_TOO_LARGE']);
    assert.equal((await post(valid.padEnd(limit))).status, 200);
  });
});

describe('the filters', () => {
  test('without any show all products, those switched off too', async () => {
    assert.deepEqual(idsOf(await filter({})), everything);
  });

  test('by SIM card type show credit or permanent products', async () => {
    assert.deepEqual(idsOf(await filter({ sim_card_type: 'credit' })), [6, 4, 2, 1]);
    assert.deepEqual(idsOf(await filter({ sim_card_type: 'permanent' })), [5, 3]);
  });

  test('by type show products of that type', async () => {
    assert.deepEqual(idsOf(await filter({ type: 'cell_internet' })), [5, 6, 3, 1]);
    assert.deepEqual(idsOf(await filter({ type: 'cell_direct_charge' })), [2]);
    assert.deepEqual(idsOf(await filter({ type: 'td_lte_internet' })), [4]);
  });

  test('by operator show the products of the operator of that name', async () => {
    const found = await Promise.all(
      [1, 2, 3, 4, 5].map(async (id) => idsOf(await filter({ operator: `operator_${id}` }))),
    );
    assert.deepEqual(found, [[2, 1], [4], [3], [6], [5]]);
  });

  test('together show the products that match all of them', async () => {
    const items = { sim_card_type: 'credit', type: 'cell_internet', operator: 'operator_1' };
    assert.deepEqual(idsOf(await filter(items)), [1]);
    assert.deepEqual(idsOf(await filter({ ...items, name: 'monthly' })), [1]);
    assert.deepEqual(idsOf(await filter({ ...items, name: 'weekly' })), []);
    assert.deepEqual(idsOf(await filter({ ...items, sim_card_type: 'permanent' })), []);
  });

  test('with a value outside an enumeration are 422 and name the allowed values', async () => {
    const allowed = {
      categories: ['categories'],
      sim_card_type: ['credit', 'permanent'],
      type: ['cell_internet', 'cell_direct_charge', 'td_lte_internet'],
      operator: ['operator_1', 'operator_2', 'operator_3', 'operator_4', 'operator_5'],
      pagination: ['false'],
    };
    for (const [field, values] of Object.entries(allowed)) {
      for (const wrong of ['other', 'CREDIT', 2, {}, ['credit']]) {
        const faults = faultsOf(await filter({ [field]: wrong }));
        assert.deepEqual(Object.keys(faults), [`items.${field}`]);
        for (const value of values) assert.ok(String(faults[`items.${field}`]).includes(value));
      }
    }
  });

  test('by a name that is not text are 422', async () => {
    for (const name of [30, true, {}, ['x']]) {
      assert.deepEqual(Object.keys(faultsOf(await filter({ name }))), ['items.name']);
    }
  });

  test('take the operator names of the configuration, and only those', async () => {
    const config = readConfig({});
    const operators = config.operators.map((one) =>
      one.id === 3 ? { ...one, name: 'North-3' } : one,
    );
    const other = await startServer({ products, config: { operators } });
    try {
      const ask = (operator: string) =>
        request(other, path, { json: { table: 'product', items: { operator } } });
      assert.deepEqual(idsOf(await ask('North-3')), [3]);
      assert.deepEqual(idsOf(await ask('operator_2')), [4]);
      const faults = faultsOf(await ask('operator_3'));
      const names = 'operator_1, operator_2, North-3, operator_4, operator_5';
      assert.ok(String(faults['items.operator']).includes(names));
    } finally {
      await other.stop();
    }
  });
});

describe('a name', () => {
  const matched = async (name: string): Promise<number[]> =>
    idsOf(await filter({ name })).toSorted((a, b) => a - b);

  test('matches anywhere in `name`', async () => {
    assert.deepEqual(await matched('بسته'), [1]);
    assert.deepEqual(await matched('روزه'), [1]);
    assert.deepEqual(await matched('LTE'), [4]);
  });

  test('matches anywhere in `name_en`', async () => {
    assert.deepEqual(await matched('Package'), [1]);
    assert.deepEqual(await matched('thly Pack'), [1]);
  });

  test('does not match across the two, nor in other fields', async () => {
    assert.deepEqual(await matched('روزه Monthly'), []);
    assert.deepEqual(await matched('A package'), []);
    assert.deepEqual(await matched('Category'), []);
  });

  test('matches without regard to case', async () => {
    assert.deepEqual(await matched('mONTHLY pACKAGE'), [1]);
    assert.deepEqual(await matched('td-lte'), [4]);
  });

  test('matches without regard to Arabic or Persian spelling of yeh', async () => {
    assert.deepEqual(await matched('مستقیم'), [2]);
    assert.deepEqual(await matched('مستقيم'), [2]);
    assert.deepEqual(await matched('هفتگي'), [3]);
    assert.deepEqual(await matched('هفتگی'), [3]);
  });

  test('matches without regard to Arabic or Persian spelling of kaf', async () => {
    assert.deepEqual(await matched('کتاب'), [6]);
    assert.deepEqual(await matched('كتاب'), [6]);
  });

  test('matches without regard to Arabic, Persian or Latin digits', async () => {
    for (const digits of ['30', '۳۰', '٣٠', '۳0']) {
      assert.deepEqual(await matched(digits), [1, 4], digits);
    }
  });

  test('matches without regard to half-spaces', async () => {
    for (const name of ['می\u200cخواهم', 'میخواهم', 'مي\u200cخواهم', 'خوا\u200cهم', 'می خواهم']) {
      assert.deepEqual(await matched(name), [6], name);
    }
    assert.deepEqual(await matched('هفت\u200cگی'), [3]);
  });

  test('is plain text: pattern characters stand for themselves', async () => {
    for (const name of ['%', '_', '.*', 'M.nthly', 'M_nthly', '[M]', '\\', "'"]) {
      assert.deepEqual(await matched(name), [], name);
    }
  });

  test('without a match gives an empty page with status 200', async () => {
    const { data, meta } = pageOf(await filter({ name: 'nothing like it' }));
    assert.deepEqual([data, meta.total, meta.from, meta.to], [[], 0, null, null]);
  });
});

describe('categories', () => {
  test('are empty in every product unless they are requested', async () => {
    const { data } = pageOf(await filter({}));
    assert.ok(data.every(({ categories }) => categories.length === 0));
  });

  test('are there for categories: "categories", as in the list', async () => {
    const answer = await filter({ categories: 'categories' });
    const own = pageOf(answer).data.map(({ id, categories }) => [
      id,
      categories.map(({ id }) => id),
    ]);
    assert.deepEqual(own, [
      [5, []],
      [6, []],
      [4, [5]],
      [3, []],
      [2, []],
      [1, [5, 6]],
    ]);
    const list = await request(server, '/api/clients/products');
    const dataOf = (text: string) => text.slice(0, text.indexOf('"links":{"first"'));
    assert.equal(dataOf(answer.text), dataOf(list.text));
  });
});

describe('the envelope', () => {
  test('is the same as that of the list: data, links, meta, balance', async () => {
    const { body, text } = await filter({ sim_card_type: 'credit' });
    if (!Value.Check(PageSchema, body)) assert.fail('not a page');
    assert.deepEqual(Object.keys(body), ['data', 'links', 'meta', 'balance']);
    const expected = envelopeText({ total: 4, perPage: 100, page: 1, path: server.url + path });
    assert.ok(text.endsWith(`,${expected},"balance":1000000}`));
  });

  test('carries the balance without held funds', async () => {
    const other = await startServer({ balance: 900 });
    try {
      const hold = { kind: 'hold', amount: 250, purchaseId: 'one' } as const;
      await other.deps.db
        .transaction()
        .execute((db) => writePostings(db, other.client.id, [hold], 0));
      const answer = await request(other, path, { json: { table: 'product' } });
      assert.equal(pageOf(answer).balance, 650);
    } finally {
      await other.stop();
    }
  });

  test('may be cached by the client only, and must be revalidated', async () => {
    const { headers } = await filter({});
    assert.equal(headers.get('cache-control'), 'private, no-cache');
  });

  test('is the same with and without the trailing slash, and its path never has one', async () => {
    const json = { table: 'product', items: { type: 'cell_internet' } };
    const without = await request(server, `${path}?per_page=2`, { json });
    const withSlash = await request(server, `${path}/?per_page=2`, { json });
    assert.equal(pageOf(withSlash).meta.path, server.url + path);
    assert.equal(withSlash.text, without.text);
  });
});

describe('paging', () => {
  const ids = async (rest: object, query: string): Promise<number[]> =>
    idsOf(await filter({}, rest, query));

  test('is read from the query string, as on the list', async () => {
    assert.deepEqual(await ids({}, '?per_page=2'), [5, 6]);
    assert.deepEqual(await ids({}, '?per_page=2&page=3'), [2, 1]);
    assert.deepEqual(await ids({}, '?per_page=2&page=9'), []);
    assert.deepEqual(await ids({}, '?per_page=abc&page=-1'), everything);
  });

  test('is read from the top level of the body, as numbers or as text', async () => {
    assert.deepEqual(await ids({ per_page: 2 }, ''), [5, 6]);
    assert.deepEqual(await ids({ per_page: 2, page: 2 }, ''), [4, 3]);
    assert.deepEqual(await ids({ per_page: '2', page: ' +3 ' }, ''), [2, 1]);
    assert.deepEqual(await ids({ per_page: 4, page: 'abc' }, ''), [5, 6, 4, 3]);
  });

  test('in the body overrides the query string', async () => {
    assert.deepEqual(await ids({ per_page: 2, page: 3 }, '?per_page=1&page=1'), [2, 1]);
    assert.deepEqual(await ids({ page: 2 }, '?per_page=2&page=1'), [4, 3]);
    assert.deepEqual(await ids({ per_page: 2 }, '?per_page=1&page=2'), [4, 3]);
    assert.deepEqual(await ids({ per_page: 3, page: 0 }, '?page=2'), [5, 6, 4]);
  });

  test('of more than 100 a page is 100 a page', async () => {
    assert.equal(pageOf(await filter({}, { per_page: 1000 })).meta.per_page, 100);
    assert.equal(pageOf(await filter({}, {}, '?per_page=1000')).meta.per_page, 100);
  });

  test('prints the links and meta of the list, with the query kept in every link', async () => {
    const query = 'x=%20y&per_page=1&order=id';
    const { text } = await filter({}, { page: 4 }, `?${query}`);
    const asked = { total: 6, perPage: 1, page: 4, path: server.url + path, query };
    assert.ok(text.endsWith(`,${envelopeText(asked)},"balance":1000000}`), text);
  });
});

describe('the order', () => {
  const ids = async (query: string): Promise<number[]> => idsOf(await filter({}, {}, query));

  test('is that of the list', async () => {
    assert.deepEqual(await ids(''), everything);
  });

  test('is read from the query string', async () => {
    assert.deepEqual(await ids('?order=id'), [1, 2, 3, 4, 5, 6]);
    assert.deepEqual(await ids('?order=id&type_order=DESC'), [6, 5, 4, 3, 2, 1]);
    assert.deepEqual(await ids('?type_order=desc'), everything.toReversed());
    assert.deepEqual(await ids('?order=&type_order='), everything);
  });

  test('of another value is 422 and says what is allowed', async () => {
    const faults = faultsOf(await filter({}, {}, '?order=price&type_order=up'));
    assert.match(String(faults['order']), /one of: id\b/);
    assert.match(String(faults['type_order']), /one of: asc, desc\b/);
  });
});

describe('without pagination', () => {
  let large: TestServer;
  before(async () => {
    const many = Array.from({ length: 230 }, (_, index) =>
      sampleProduct({ id: index + 1, operator_id: index < 150 ? 1 : 2 }),
    );
    large = await startServer({ products: many });
  });
  after(() => large.stop());

  const all = (items: object, query = '') =>
    request(large, path + query, { json: { table: 'product', items } });

  for (const pagination of ['false', false]) {
    const written = JSON.stringify(pagination);

    test(`(${written}) everything is in one page`, async () => {
      const { data, links, meta } = pageOf(await all({ pagination }));
      assert.equal(data.length, 230);
      assert.deepEqual([meta.total, meta.per_page, meta.last_page], [230, 230, 1]);
      assert.deepEqual([meta.current_page, meta.from, meta.to], [1, 1, 230]);
      assert.deepEqual([links.prev, links.next], [null, null]);
    });

    test(`(${written}) an empty result has one item a page and none on it`, async () => {
      const { data, links, meta } = pageOf(await all({ pagination, name: 'nothing' }));
      assert.deepEqual(data, []);
      assert.deepEqual([meta.total, meta.per_page, meta.last_page], [0, 1, 1]);
      assert.deepEqual([meta.from, meta.to], [null, null]);
      assert.deepEqual([links.prev, links.next], [null, null]);
    });
  }

  test('the other filters and the order still hold', async () => {
    const answer = await all({ pagination: 'false', operator: 'operator_1' }, '?type_order=desc');
    const expected = Array.from({ length: 150 }, (_, index) => 150 - index);
    assert.deepEqual(idsOf(answer), expected);
    assert.equal(pageOf(answer).meta.per_page, 150);
  });

  test('page and per_page are ignored', async () => {
    const { data, meta } = pageOf(await all({ pagination: 'false' }, '?page=3&per_page=10'));
    assert.deepEqual([data.length, meta.current_page, meta.per_page], [230, 1, 230]);
  });

  test('links and meta are those of one page by the rules of pagination', async () => {
    const { text } = await all({ pagination: false, operator: 'operator_2' });
    const asked = { total: 80, perPage: 80, page: 1, path: large.url + path };
    assert.ok(text.endsWith(`,${envelopeText(asked)},"balance":1000000}`));
  });

  test('is not what "true" asks for', async () => {
    for (const pagination of ['true', true]) {
      assert.equal(pageOf(await all({ pagination })).data.length, 100);
    }
  });
});

describe('access', () => {
  const json = { table: 'product' };

  test('a request without a token is 401 TOKEN_MISSING', async () => {
    const { status, code } = errorOf(await request(server, path, { token: null, json }));
    assert.deepEqual([status, code], [401, 'TOKEN_MISSING']);
  });

  test('a token without the scope of the catalogue is 403 SCOPE_MISSING', async () => {
    const { token } = await createToken(server.deps, server.client.id, { scopes: ['purchase'] });
    const { status, code } = errorOf(await request(server, path, { token, json }));
    assert.deepEqual([status, code], [403, 'SCOPE_MISSING']);
  });

  test('another method than POST is 405 and says what is allowed', async () => {
    const answer = await request(server, path);
    assert.equal(errorOf(answer).code, 'METHOD_NOT_ALLOWED');
    assert.deepEqual([answer.status, answer.headers.get('allow')], [405, 'POST']);
  });
});

describe('A filter as other languages write it', () => {
  const form = (text: string): Promise<Answer> =>
    request(server, path, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: text,
    });
  const json = (body: unknown): Promise<Answer> => request(server, path, { json: body });

  test('is the same as a form with nested names, as PHP sends it', async () => {
    const items = { name: 'Package', pagination: 'false' };
    const asForm = await form('table=product&items%5Bname%5D=Package&items[pagination]=false');
    assert.equal(asForm.text, (await json({ table: 'product', items })).text);
    assert.ok(idsOf(asForm).length > 0);
    assert.deepEqual(Object.keys(faultsOf(await form('table=product&items[colour]=red'))), [
      'items.colour',
    ]);
    assert.deepEqual(Object.keys(faultsOf(await form(''))), ['table']);
  });

  test('is never cached as the answer to an empty JSON body', async () => {
    assert.equal((await form('table=product')).status, 200);
    const empty = await request(server, path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '',
    });
    assert.equal(empty.status, 422);
  });

  test('disables paging by false as a boolean or as text in three cases', async () => {
    const all = (await json({ table: 'product', items: { pagination: 'false' } })).text;
    for (const pagination of [false, 'False', 'FALSE']) {
      assert.equal((await json({ table: 'product', items: { pagination } })).text, all);
    }
    for (const pagination of ['fAlse', 'no', 0, ['false']]) {
      assert.ok(faultsOf(await json({ table: 'product', items: { pagination } })));
    }
  });
});
