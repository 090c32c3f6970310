/** Tests that the pagination envelope matches the contract exactly, on known and on random listings. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import type { ImportedProduct } from '../../src/catalogue/product.ts';
import { pageLinks, pageMeta, readPage } from '../../src/lib/page.ts';
import { startServer, type TestServer } from '../support/server.ts';
import {
  envelopeOf,
  envelopeText,
  itemsOf,
  lastOf,
  pageOf,
  parametersOf,
  perPageOf,
} from './pagination.ts';
import cases from './pagination-cases.json' with { type: 'json' };
import { type RawAnswer, rawRequest } from './raw-request.ts';
import { sampleProduct } from './sample-product.ts';

const publicUrl = 'http://localhost';
const path = `${publicUrl}/api/clients/products`;

// Several thousand products take seconds to import; larger cases test the functions alone.
const largestCatalogue = 3000;

/** Products whose ids, positions and storage order all differ, with many equal positions. */
const catalogueOf = (size: number): ImportedProduct[] =>
  Array.from({ length: size }, (_, index) => {
    const id = ((index * 7919) % 10_007) + 1;
    return sampleProduct({ id, order: (id * 31) % 11 });
  });

const list = (server: TestServer, query: string): Promise<RawAnswer> =>
  rawRequest(server, `/api/clients/products${query === '' ? '' : `?${query}`}`);

/** The response's text from `links` on: no quote of a product's own can be unescaped before it. */
const envelopeIn = (text: string): string => text.slice(text.indexOf('"links":{"first":'));

const PageSchema = Type.Object({ data: Type.Array(Type.Object({ id: Type.Integer() })) });

const idsIn = (text: string): number[] => {
  const body: unknown = JSON.parse(text);
  if (!Value.Check(PageSchema, body)) assert.fail(`not a page of products: ${text}`);
  return body.data.map((product) => product.id);
};

describe('the known cases', () => {
  for (const { total, per_page: perPage, page, path, expected } of cases) {
    const name = `${total} items, ${perPage} a page, page ${page}`;

    test(`${name}: the envelope's functions print what Laravel prints`, () => {
      const address = { path, query: '' };
      const paging = { total, perPage, page };
      assert.equal(JSON.stringify(pageLinks(paging, address)), JSON.stringify(expected.links));
      assert.equal(JSON.stringify(pageMeta(paging, address)), JSON.stringify(expected.meta));
    });

    test(`${name}: the judge of the random listings prints it too`, () => {
      assert.equal(
        JSON.stringify(envelopeOf({ total, perPage, page, path })),
        JSON.stringify(expected),
      );
    });
  }
});

describe('page numbers', () => {
  test('that are not positive integers count as 1, and as 100 a page', () => {
    const none = ['0', '-1', '', 'abc', '2.0', '1e2', '02', '9007199254740992', undefined];
    for (const value of none) assert.deepEqual(readPage(value, value), { page: 1, perPage: 100 });
  });

  test('may have a leading plus sign and white space around them', () => {
    for (const value of ['7', '+7', ' 7', '7\t', '\n +7 ']) {
      assert.deepEqual(readPage(value, value), { page: 7, perPage: 7 });
    }
  });
});

describe('the known cases on a real server', () => {
  const shown = cases.filter((one) => one.total <= largestCatalogue && one.per_page <= 100);
  for (const [total, ofTotal] of Map.groupBy(shown, (one) => one.total)) {
    describe(`with ${total} products`, () => {
      let server: TestServer;
      before(async () => {
        server = await startServer({ products: catalogueOf(total), config: { publicUrl } });
      });
      after(() => server.stop());

      for (const { per_page: perPage, page, expected } of ofTotal) {
        test(`page ${page} of ${perPage} each has the known links and meta`, async () => {
          assert.equal(expected.meta.path, path);
          const { links, meta } = expected;
          const known = `"links":${JSON.stringify(links)},"meta":${JSON.stringify(meta)}`;
          if (perPage === 100) {
            const { text } = await list(server, `page=${page}`);
            assert.equal(envelopeIn(text), `${known},"balance":1000000}`);
          }
          // If requested by name, the page size is in every link before the page.
          const named = known.replaceAll('?page=', `?per_page=${perPage}&page=`);
          const { text } = await list(server, `page=${page}&per_page=${perPage}`);
          assert.equal(envelopeIn(text), `${named},"balance":1000000}`);
        });
      }
    });
  }
});

describe('random listings', () => {
  const sizes = [0, 1, 9, 100, 101, 350, 1500];
  const served: { readonly server: TestServer; readonly products: ImportedProduct[] }[] = [];
  before(async () => {
    for (const size of sizes) {
      const products = catalogueOf(size);
      served.push({ server: await startServer({ products, config: { publicUrl } }), products });
    }
  });
  after(async () => {
    for (const { server } of served) await server.stop();
  });

  const garbage = [
    '',
    ' ',
    '+',
    '-',
    '0',
    '00',
    '+0',
    '-1',
    '-0',
    '02',
    '+02',
    '2.0',
    '2.',
    '.5',
    '1e2',
    'abc',
    '0x10',
    '1_0',
    '1,000',
    '1 2',
    '2a',
    'NaN',
    'Infinity',
    'null',
    'true',
    '²',
    '+ 3',
    '++3',
    '9007199254740992',
    '99999999999999999999',
    '+3',
    ' 4 ',
    '\t5\n',
    ' +6 ',
    '9007199254740991',
    '100',
    '101',
    '1000',
  ];
  const numberText = fc.oneof(
    fc.integer({ min: 1, max: 20 }).map(String),
    fc.integer({ min: -3, max: 1600 }).map(String),
    fc.constantFrom(...garbage),
  );

  const oddText = fc.string({
    unit: fc.constantFrom(
      ...Array.from('aB7 +%&=?#/!\'()*~-._[]{}|"<>\\^`;:@$,é€ی۳😀\u200c\u0000\n'),
    ),
    maxLength: 6,
  });
  const escaped = (text: string, plain: RegExp): string =>
    Array.from(text, (sign) => (plain.test(sign) ? sign : encodeURIComponent(sign))).join('');
  /** One text as different clients encode it in an address. */
  const written = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
    fc.tuple(text, fc.constantFrom('strict', 'form', 'loose', 'broken')).map(([text, style]) => {
      if (style === 'strict') return escaped(text, /[A-Za-z0-9._~-]/);
      if (style === 'form') return encodeURIComponent(text).replaceAll('%20', '+');
      if (style === 'loose') return escaped(text, /[A-Za-z0-9._~!'()*[\]{}|^`;:@$,/?-]/);
      return escaped(text, /[A-Za-z0-9._~!'()*%-]/);
    });

  const parameter = (name: string, value: fc.Arbitrary<string>): fc.Arbitrary<string> =>
    written(value).map((text) => `${name}=${text}`);
  const extra = fc.oneof(
    fc.tuple(written(oddText), written(oddText)).map(([name, value]) => `x${name}=${value}`),
    written(oddText).map((name) => `flag${name.replaceAll('=', '%3D')}`),
    fc.constant(''),
  );
  /** Escaped bytes that are not UTF-8 are refused, whatever is listed. */
  const isUtf8 = (query: string): boolean => {
    try {
      decodeURIComponent(query.replaceAll(/%(?![\dA-Fa-f]{2})/g, '%25'));
      return true;
    } catch {
      return false;
    }
  };
  const query = fc
    .tuple(
      fc.array(parameter('per_page', numberText), { maxLength: 2 }),
      fc.array(parameter('page', numberText), { maxLength: 2 }),
      fc.array(parameter('order', fc.constantFrom('', 'id')), { maxLength: 2 }),
      fc.array(parameter('type_order', fc.constantFrom('', 'asc', 'desc', 'DESC', 'Asc')), {
        maxLength: 2,
      }),
      fc.array(extra, { maxLength: 4 }),
    )
    .chain((parts) => {
      const all = parts.flat();
      return fc.shuffledSubarray(all, { minLength: all.length }).map((some) => some.join('&'));
    })
    .filter(isUtf8);

  const sortedIds = (products: readonly ImportedProduct[], query: string): number[] => {
    const byId = (a: ImportedProduct, b: ImportedProduct) => a.id - b.id;
    const byPosition = (a: ImportedProduct, b: ImportedProduct) => a.order - b.order || byId(a, b);
    const ids = products
      .toSorted(lastOf(query, 'order') === 'id' ? byId : byPosition)
      .map((product) => product.id);
    return lastOf(query, 'type_order')?.toLowerCase() === 'desc' ? ids.toReversed() : ids;
  };

  test('five hundred listings print what the rules, written a second time, say', async () => {
    const kinds = { filled: 0, past: 0, dots: 0, kept: 0, reversed: 0 };
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: sizes.length - 1 }), query, async (index, query) => {
        const one = served[index];
        assert.ok(one);
        const perPage = perPageOf(query);
        const page = pageOf(query);
        const total = one.products.length;
        const ids = itemsOf(sortedIds(one.products, query), perPage, page);

        const { status, text } = await list(one.server, query);

        const expected = envelopeText({ total, perPage, page, path, query });
        assert.equal(status, 200, text);
        assert.equal(envelopeIn(text), `${expected},"balance":1000000}`);
        assert.deepEqual(idsIn(text), ids);
        if (ids.length > 0) kinds.filled += 1;
        else kinds.past += 1;
        if (expected.includes('"..."')) kinds.dots += 1;
        if (parametersOf(query).some(([name]) => /^(?:x|flag)/.test(name))) kinds.kept += 1;
        if (lastOf(query, 'type_order')?.toLowerCase() === 'desc') kinds.reversed += 1;
      }),
      { numRuns: 500 },
    );
    for (const [kind, count] of Object.entries(kinds)) {
      assert.ok(count >= 10, `only ${count} of the listings were of the kind "${kind}"`);
    }
  });
});
