/** Tests that pages are compressed once, one at a time, where it pays, within a memory limit. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { type CompressedPages, createCompressedPages } from './compressed.ts';

/** A page that counts how often its bytes are requested. */
const pageOf = (key: string, bytes = Buffer.from(`{"data":["${`${key} `.repeat(500)}"]`)) => {
  const page = {
    key,
    asked: 0,
    data: (): Buffer => {
      page.asked += 1;
      return bytes;
    },
  };
  return page;
};
type Counted = ReturnType<typeof pageOf>;

const gzipped = async (packing: CompressedPages, page: Counted): Promise<boolean> => {
  await packing.prepare(page, 'gzip');
  return packing.find(page, 'gzip') !== undefined;
};

test('a page is compressed once in each encoding, and cached from then on', async () => {
  const packing = createCompressedPages();
  const page = pageOf('a');
  const text = page.data().toString();
  for (const [encoding, unpack] of [
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
  ] as const) {
    assert.equal(packing.find(page, encoding), undefined);
    page.asked = 0;
    for (const _time of [1, 2, 3]) await packing.prepare(page, encoding);
    assert.equal(page.asked, 1);
    const packed = packing.find(page, encoding) ?? assert.fail();
    const whole = unpack(Buffer.concat([packed.start, packed.end('}')])).toString();
    assert.equal(whole, `${text}}`);
  }
});

test('a page requested during another compression does not wait, and is compressed at its next request', async () => {
  const packing = createCompressedPages();
  const [first, second] = [pageOf('first'), pageOf('second')];
  const packed = packing.prepare(first, 'gzip');
  assert.equal(await gzipped(packing, second), false);
  assert.equal(second.asked, 0);
  await packed;
  assert.ok(packing.find(first, 'gzip') !== undefined);
  assert.equal(await gzipped(packing, second), true);
});

test('pages that are empty, incompressible or very large stay plain, and are not tried again', async () => {
  const packing = createCompressedPages();
  for (const page of [
    pageOf('empty', Buffer.from('{"data":[]')),
    pageOf('noise', randomBytes(10_000)),
    pageOf('large', Buffer.alloc(1024 * 1024 + 1, 'x')),
  ]) {
    for (const _time of [1, 2]) assert.equal(await gzipped(packing, page), false, page.key);
    assert.equal(page.asked, 1, page.key);
  }
  assert.equal(await gzipped(packing, pageOf('just', Buffer.alloc(1024 * 1024, 'x'))), true);
});

test('a page that fails to render does not block the compression of others', async () => {
  const packing = createCompressedPages();
  const data = (): Buffer => {
    throw new Error('away');
  };
  await assert.rejects(packing.prepare({ key: 'broken', data }, 'gzip'), /away/);
  assert.equal(await gzipped(packing, pageOf('whole')), true);
});

test('the cache is bounded: the least recently used page makes room', async () => {
  const packing = createCompressedPages();
  // Compressed they take some 100 KB each, and 6 MB in all.
  const pages = Array.from({ length: 60 }, (_, index) =>
    pageOf(String(index), Buffer.from(randomBytes(100_000).toString('hex'))),
  );
  for (const page of pages) assert.equal(await gzipped(packing, page), true);
  const kept = pages.filter((page) => packing.find(page, 'gzip') !== undefined);
  assert.ok(kept.length > 20 && kept.length < 45, `${kept.length} are kept`);
  assert.deepEqual(kept, pages.slice(-kept.length));
});
