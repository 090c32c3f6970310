/** Tests that compressed answers decompress correctly with any tail, and how the encoding is chosen. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { anyCharacter } from '../../../test/support/text.ts';
import { createCompressor, encodingFor, encodings } from './compression.ts';

const pack = createCompressor();
const unpack = { br: brotliDecompressSync, gzip: gunzipSync } as const;

for (const encoding of encodings) {
  test(`a start compressed as ${encoding} decompresses correctly with every tail`, async () => {
    const text = fc.string({ unit: anyCharacter, maxLength: 300 });
    const beginning = fc
      .tuple(text, fc.nat({ max: 400 }))
      .map(([part, times]) => part.repeat(times));
    await fc.assert(
      fc.asyncProperty(beginning, fc.array(text, { maxLength: 4 }), async (start, ends) => {
        const packed = await pack(Buffer.from(start), encoding);
        for (const end of ['', ...ends]) {
          const whole = unpack[encoding](Buffer.concat([packed.start, packed.end(end)]));
          assert.ok(whole.equals(Buffer.from(start + end)));
        }
      }),
      { numRuns: 50 },
    );
  });

  test(`a start that ${encoding} cannot shrink decompresses too, with its tail`, async () => {
    for (const beginning of [randomBytes(1_000_000), Buffer.from('a small one'), Buffer.alloc(0)]) {
      const packed = await pack(beginning, encoding);
      const whole = unpack[encoding](Buffer.concat([packed.start, packed.end('')]));
      assert.ok(whole.equals(beginning));
    }
  });

  test(`a tail may be longer than one block of ${encoding}`, async () => {
    const packed = await pack(Buffer.from('a beginning'), encoding);
    for (const length of [65_534, 65_535, 65_536, 65_537, 131_070, 131_071, 200_000]) {
      const end = 'ü'.repeat(length / 2).padEnd(length, 'x');
      const whole = unpack[encoding](Buffer.concat([packed.start, packed.end(end)]));
      assert.equal(whole.toString(), `a beginning${end}`);
    }
  });
}

test('a client gets its preferred encoding of ours, and a plain answer if it accepts none', () => {
  const cases = [
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['deflate, zstd', undefined],
    ['gzip', 'gzip'],
    ['GZIP', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=1.0, br;q=0', 'gzip'],
    ['br;q=0.1, gzip', 'gzip'],
    ['gzip;q=0.5, br; q=0.5', 'br'],
    ['identity, gzip;q=0.5', undefined],
    ['identity;q=0.5, gzip', 'gzip'],
    ['identity;q=0, gzip;q=0.1', 'gzip'],
    ['*', 'br'],
    ['br;q=0, *', 'gzip'],
    ['gzip;q=nonsense', undefined],
  ] as const;
  for (const [accepted, encoding] of cases) {
    assert.equal(encodingFor(accepted), encoding, String(accepted));
  }
});
