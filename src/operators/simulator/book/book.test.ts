/** Tests that a bounded book keeps recent orders and pending events, and drops the rest. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualClock } from '../../../../test/support/manual-clock.ts';
import { createRecentBook } from './book.ts';

const goods = (ref: string) => ({ ref, mobile: '989120000000', amount: 1000 });

test('the latest orders are known, and older ones are not', async () => {
  const book = createRecentBook(manualClock(), 'book', 100);
  for (let index = 0; index < 1000; index += 1) await book.deliver(goods(`ref-${index}`));
  for (let index = 910; index < 1000; index += 1) {
    assert.equal((await book.inquire(`ref-${index}`)).kind, 'done');
  }
  assert.equal((await book.inquire('ref-0')).kind, 'not_found');
});

test('an order that is pending, or due to be reversed, is kept however many follow', async () => {
  const clock = manualClock();
  const book = createRecentBook(clock, 'book', 100);
  await book.accept(goods('waits'), 2);
  await book.deliver(goods('reversed'), { reverseAfter: 1000 });
  for (let index = 0; index < 1000; index += 1) await book.deliver(goods(`ref-${index}`));
  assert.equal((await book.inquire('waits')).kind, 'pending');
  assert.equal((await book.inquire('waits')).kind, 'done');
  await clock.advance(1000);
  assert.equal((await book.inquire('reversed')).kind, 'reversed');
});

test('a cursor continues after dropped lines: nothing repeats, and nothing is skipped', async () => {
  const book = createRecentBook(manualClock(), 'book', 100);
  const told: string[] = [];
  let cursor = '';
  for (let index = 0; index < 1000; index += 1) {
    await book.deliver(goods(`ref-${index}`));
    if (index % 70 !== 0) continue;
    const events = await book.eventsFrom(cursor);
    told.push(...events.reports.map(({ ref }) => ref));
    cursor = events.cursor;
  }
  assert.deepEqual(
    told,
    Array.from({ length: 981 }, (_, index) => `ref-${index}`),
  );
  assert.equal((await book.eventsFrom('')).reports.length < 200, true);
});
