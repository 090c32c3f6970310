/** Tests that pages come in the encoding that a client requests, with the same content. */
import assert from 'node:assert/strict';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { deposit } from '../support/clients.ts';
import { importProducts } from '../support/import-products.ts';
import { eventually } from '../support/live.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { sampleProduct } from './sample-product.ts';

const listPath = '/api/clients/products';
const unpack = { gzip: gunzipSync, br: brotliDecompressSync } as const;
const encodings = ['gzip', 'br'] as const;

type Asked = {
  readonly path: string;
  readonly filter?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
};
type Answer = {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
};

/** Sends no Accept-Encoding by default: the bytes are those that were sent. */
const ask = async (server: TestServer, { path, filter, headers = {} }: Asked): Promise<Answer> => {
  const body = filter === undefined ? '' : JSON.stringify({ table: 'product', items: filter });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const type = filter === undefined ? {} : { 'content-type': 'application/json' };
    const authorization = `Bearer ${server.client.token}`;
    const options = {
      method: filter === undefined ? 'GET' : 'POST',
      headers: { authorization, ...type, ...headers },
    };
    request(server.url + path, options, resolve)
      .on('error', reject)
      .end(body);
  });
  const bytes = await buffer(response);
  return { status: response.statusCode, headers: response.headers, bytes };
};

const accepting = (asked: Asked, encoding: string): Asked => ({
  ...asked,
  headers: { ...asked.headers, 'accept-encoding': encoding },
});

/** Pages that no other request uses: the address names the caller. */
const pagesOf = (who: string): readonly Asked[] => [
  { path: `${listPath}?per_page=7&of=${who}` },
  { path: `${listPath}?per_page=7&page=2&of=${who}` },
  { path: `/api/filter?per_page=9&of=${who}`, filter: { type: 'cell_internet' } },
  { path: `/api/filter?of=${who}`, filter: { pagination: 'false', categories: 'categories' } },
];

describe('A page in an encoding', () => {
  let server: TestServer;
  before(async () => {
    const products = Array.from({ length: 30 }, (_, index) => sampleProduct({ id: index + 1 }));
    server = await startServer({ products });
  });
  after(() => server.stop());

  for (const encoding of encodings) {
    test(`as ${encoding} is the page that comes without one, the first time and later`, async () => {
      for (const page of pagesOf(encoding)) {
        for (const _time of ['first', 'later']) {
          const { status, headers, bytes } = await ask(server, accepting(page, encoding));
          assert.deepEqual([status, headers['content-encoding']], [200, encoding], page.path);
          assert.equal(headers['content-type'], 'application/json; charset=utf-8');
          assert.equal(headers['content-length'], String(bytes.length));
          assert.equal(headers.vary, 'accept-encoding');
          const plain = await ask(server, page);
          assert.equal(unpack[encoding](bytes).toString(), plain.bytes.toString());
          assert.ok(bytes.length < plain.bytes.length);
        }
      }
    });

    test(`as ${encoding} comes soon if it was known without one`, async () => {
      const page = { path: `${listPath}?per_page=11&of=${encoding}` };
      const plain = await ask(server, page);
      await eventually('it is compressed', async () => {
        const { headers, bytes } = await ask(server, accepting(page, encoding));
        if (headers['content-encoding'] === undefined) {
          assert.deepEqual(bytes, plain.bytes);
          return false;
        }
        assert.equal(unpack[encoding](bytes).toString(), plain.bytes.toString());
        return true;
      });
    });

    test(`as ${encoding} has its own ETag, which is as good for a 304 as the other`, async () => {
      const page = { path: `${listPath}?per_page=5` };
      const packed = accepting(page, encoding);
      const plainTag = String((await ask(server, page)).headers.etag);
      await eventually('it is compressed', async () => {
        const { headers } = await ask(server, packed);
        return headers['content-encoding'] === encoding && headers.etag !== plainTag;
      });
      const packedTag = String((await ask(server, packed)).headers.etag);
      const having = (tag: string) => ({ 'if-none-match': tag });
      for (const tag of [plainTag, packedTag]) {
        const same = await ask(server, accepting({ ...page, headers: having(tag) }, encoding));
        assert.deepEqual([same.status, same.headers.etag, same.bytes.length], [304, tag, 0]);
        assert.equal(same.headers.vary, 'accept-encoding');
      }
      // A client that cannot read the compressed one must not get a 304 for it.
      const other = await ask(server, { ...page, headers: having(packedTag) });
      assert.deepEqual([other.status, other.headers.etag], [200, plainTag]);
    });
  }

  test('is not sent without a request for it, and the page still varies', async () => {
    for (const page of pagesOf('plain')) {
      for (const accepted of [
        'identity',
        '',
        'deflate, zstd',
        'gzip;q=0',
        'identity, gzip;q=0.5',
      ]) {
        const { status, headers, bytes } = await ask(server, accepting(page, accepted));
        assert.deepEqual([status, headers['content-encoding']], [200, undefined], accepted);
        assert.equal(headers.vary, 'accept-encoding');
        assert.match(bytes.toString(), /^\{"data":\[\{.*\}$/);
      }
    }
  });

  test('is not used for an empty page', async () => {
    const { headers, bytes } = await ask(server, accepting({ path: `${listPath}?page=99` }, 'br'));
    assert.equal(headers['content-encoding'], undefined);
    assert.match(bytes.toString(), /^\{"data":\[\],/);
  });

  test('carries the current balance and the current products', async () => {
    const page = accepting({ path: listPath }, 'gzip');
    const textNow = async (): Promise<string> => {
      const { headers, bytes } = await ask(server, page);
      assert.equal(headers['content-encoding'], 'gzip');
      return gunzipSync(bytes).toString();
    };
    assert.match(await textNow(), /"balance":1000000\}$/);
    await deposit(server.deps, { clientId: server.client.id, amount: 5 });
    await eventually('it is shown', async () => (await textNow()).endsWith('"balance":1000005}'));
    await importProducts(server.deps, [sampleProduct({ id: 900 })]);
    await eventually('it is shown', async () => (await textNow()).includes('{"id":900,'));
  });
});
