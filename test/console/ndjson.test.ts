/** Tests that a streamed answer of lines is read the same, wherever it is split. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bytesOf, readLines } from '../../console/src/api/ndjson.ts';

/** The bytes in chunks that end at the cuts; chunks may be empty. */
const cutAt = (bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] => {
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return ends.map((end, index) => bytes.slice(ends[index - 1] ?? 0, end));
};

async function* pieces(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* chunks;
}

const gathered = async (lines: AsyncIterable<unknown>): Promise<unknown[]> => {
  const all: unknown[] = [];
  for await (const line of lines) all.push(line);
  return all;
};

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

const read = (text: string, cuts: readonly number[] = []): Promise<unknown[]> =>
  gathered(readLines(pieces(cutAt(encode(text), cuts))));

test('lines are read whole, wherever they are cut and in any script', async () => {
  const values = fc.array(
    fc.oneof(
      fc.record(
        { name: fc.string({ unit: 'grapheme' }), done: fc.nat() },
        { noNullPrototype: true },
      ),
      fc.constantFrom({ name: 'بسته ۳۰ روزه' }, { name: '📦\n' }, { line: '\u2028' }),
    ),
  );
  const cuts = fc.array(fc.nat());
  await fc.assert(
    fc.asyncProperty(values, cuts, fc.boolean(), async (lines, where, isEnded) => {
      const text = lines.map((one) => JSON.stringify(one)).join('\n') + (isEnded ? '\n' : '');
      assert.deepEqual(await read(text, where), lines);
    }),
  );
});

test('a byte at a time is enough', async () => {
  const text = '{"progress":{"done":1}}\n{"name":"ایرانسل"}\n';
  const every = Array.from({ length: encode(text).length }, (_, index) => index);
  assert.deepEqual(await read(text, every), [{ progress: { done: 1 } }, { name: 'ایرانسل' }]);
});

test('a line is returned before the next one has arrived', async () => {
  const given = Promise.withResolvers<void>();
  async function* slow(): AsyncGenerator<Uint8Array> {
    yield encode('{"first":1}\n{"sec');
    await given.promise;
    yield encode('ond":2}\n');
  }
  const lines = readLines(slow());
  assert.deepEqual((await lines.next()).value, { first: 1 });
  given.resolve();
  assert.deepEqual((await lines.next()).value, { second: 2 });
});

test('a stream that ends within a line or a character is an error, not a shorter answer', async () => {
  await assert.rejects(read('{"result":{"created"'), SyntaxError);
  const half = encode('"ب"').slice(0, 2);
  await assert.rejects(gathered(readLines(pieces([half]))), TypeError);
});

test('a body is read to its end, and then released', async () => {
  const body = new Blob(['{"a":1}\n', '{"b":2}']).stream();
  assert.deepEqual(await gathered(readLines(bytesOf(body))), [{ a: 1 }, { b: 2 }]);
  assert.equal(body.locked, false);
});
