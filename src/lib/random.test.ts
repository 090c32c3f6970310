/** Tests that IDs are UUIDv7, sort by time, and depend only on clock and randomness. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { manualClock } from '../../test/support/manual-clock.ts';
import { type Random, systemRandom, uuidV7 } from './random.ts';

const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The largest time in the 48 bits of an id. */
const lastTime = 2 ** 48 - 1;
const time = fc.integer({ min: 0, max: lastTime });
const bytes = fc.uint8Array({ minLength: 10, maxLength: 10 });
const idOf = (at: number, noise: Uint8Array): string => uuidV7({ now: () => at }, () => noise)();

test('an id has the form of UUID version 7, at every time and with every randomness', () => {
  fc.assert(
    fc.property(time, bytes, (at, noise) => {
      assert.match(idOf(at, noise), shape);
    }),
  );
});

test('an id carries its millisecond and the randomness beside version, variant and counter', () => {
  fc.assert(
    fc.property(time, bytes, (at, noise) => {
      const hex = idOf(at, noise).replaceAll('-', '');
      assert.equal(Number.parseInt(hex.slice(0, 12), 16), at);
      const kept = Buffer.from(hex.slice(12), 'hex');
      const given = Buffer.from(noise);
      assert.equal(kept.readUInt8(0) & 0x0f, given.readUInt8(0) & 0x07);
      assert.equal(kept.readUInt8(2) & 0x3f, given.readUInt8(2) & 0x3f);
      assert.equal(kept.readUInt8(1), given.readUInt8(1));
      assert.deepEqual(kept.subarray(3), given.subarray(3));
    }),
  );
});

test('an id of a later millisecond sorts after an earlier one as text', () => {
  fc.assert(
    fc.property(time, time, bytes, bytes, (one, other, noise, otherNoise) => {
      fc.pre(one < other);
      assert.ok(idOf(one, noise) < idOf(other, otherNoise));
    }),
  );
});

test('ids of one millisecond sort in the order in which they were created', () => {
  fc.assert(
    fc.property(time, (at) => {
      const newId = uuidV7({ now: () => at }, systemRandom);
      const created = Array.from({ length: 2048 }, newId);
      assert.deepEqual(created.toSorted(), created);
    }),
    { numRuns: 20 },
  );
});

test('the same clock and the same randomness give the same ids', () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const seeded = (): Random => {
        let state = seed;
        return (count) =>
          Uint8Array.from({ length: count }, () => {
            state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
            return state >>> 24;
          });
      };
      const [one, other] = [uuidV7(manualClock(), seeded()), uuidV7(manualClock(), seeded())];
      for (let count = 0; count < 10; count += 1) assert.equal(one(), other());
    }),
  );
});

test('ids follow the given clock', async () => {
  const clock = manualClock(0);
  const newId = uuidV7(clock, systemRandom);
  assert.equal(newId().slice(0, 13), '00000000-0000');
  await clock.advance(0x1_0001);
  assert.equal(newId().slice(0, 13), '00000001-0001');
});

test('ids of one millisecond differ', () => {
  const newId = uuidV7({ now: () => 0 }, systemRandom);
  const count = 20_000;
  assert.equal(new Set(Array.from({ length: count }, newId)).size, count);
});

test('randomness has the requested length, and no part of it is used twice', () => {
  for (const count of [0, 1, 10, 4095, 4096, 4097, 100_000]) {
    assert.equal(systemRandom(count).length, count);
  }
  const first = systemRandom(16);
  const before = Buffer.from(first).toString('hex');
  const others = new Set(
    Array.from({ length: 1000 }, () => Buffer.from(systemRandom(16)).toString('hex')),
  );
  assert.equal(others.size, 1000);
  assert.ok(!others.has(before));
  assert.equal(Buffer.from(first).toString('hex'), before, 'returned bytes never change');
});
