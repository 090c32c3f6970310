/** Tests that a simulated operator deduplicates orders only where configured. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { createBook } from '../../../test/support/simulator-book.ts';
import { createOperator, slowness } from './operator.ts';

const openOperator = (deduplicates: boolean) => {
  const clock = manualClock();
  const book = createBook(clock, 'book');
  const newId = (): string => 'id';
  const operator = createOperator({
    book,
    clock,
    newId,
    offers: true,
    reversesAfter: 10,
    deduplicates,
  });
  const order = (digits: string) =>
    operator.order({ ref: 'r1', mobile: `9891200000${digits}`, amount: 5, productId: 1 });
  return { clock, book, order };
};

for (const digits of ['00', '92', '93', '95', '99']) {
  test(`${digits}: concurrent orders are delivered once if the operator deduplicates`, async () => {
    for (const [deduplicates, times] of [
      [true, 1],
      [false, 3],
    ] as const) {
      const { clock, book, order } = openOperator(deduplicates);
      const answers = [order(digits), order(digits), order(digits)];
      await clock.advance(slowness);
      const [first, ...others] = await Promise.all(answers);
      assert.equal(book.deliveries.length, times);
      for (const other of others) assert.deepEqual(other, first);
    }
  });
}

test('a repeat gets the outcome of the first: delivered, pending, or reversed', async () => {
  const { clock, book, order } = openOperator(true);
  assert.equal((await order('99')).kind, 'done');
  await clock.advance(10);
  await book.inquire('r1');
  assert.equal((await order('99')).kind, 'done');
  assert.equal(book.deliveries.length, 1);
  const waiting = openOperator(true);
  assert.equal((await waiting.order('98')).kind, 'pending');
  assert.equal((await waiting.order('98')).kind, 'pending');
});

test('a refused or lost order may be sent again', async () => {
  const { book, order } = openOperator(true);
  assert.equal((await order('90')).kind, 'refused');
  assert.equal((await order('94')).kind, 'silence');
  assert.equal((await order('00')).kind, 'done');
  assert.equal(book.deliveries.length, 1);
});
