/** Tests that sliced work gives the same results as work done at once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { filterInSlices, mapInSlices, sortInSlices } from './time-slices.ts';

/** Counts turns. */
const counted = () => {
  const turns = { taken: 0 };
  const turn = async (): Promise<void> => {
    turns.taken += 1;
  };
  return { turns, turn };
};

test('a list is sorted, mapped and filtered as by one call, stably', async () => {
  const lists = fc.record({
    length: fc.integer({ min: 0, max: 23_000 }),
    values: fc.integer({ min: 1, max: 5000 }),
    step: fc.integer({ min: 1, max: 9973 }),
  });
  await fc.assert(
    fc.asyncProperty(lists, async ({ length, values, step }) => {
      const items = Array.from({ length }, (_, place) => ({
        place,
        value: (place * step) % values,
      }));
      const compare = (one: { value: number }, other: { value: number }): number =>
        one.value - other.value;
      const { turns, turn } = counted();
      assert.deepEqual(await sortInSlices(items, compare, turn), items.toSorted(compare));
      const isEven = ({ value }: { value: number }): boolean => value % 2 === 0;
      assert.deepEqual(await filterInSlices(items, isEven, turn), items.filter(isEven));
      const valueOf = ({ value }: { value: number }, index: number): number => value + index;
      assert.deepEqual(await mapInSlices(items, valueOf, turn), items.map(valueOf));
      assert.ok(turns.taken >= Math.floor(length / 500));
    }),
    { numRuns: 30 },
  );
});
