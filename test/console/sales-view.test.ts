/** Tests the view of the sales report: its address, its days and its query. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  daysOf,
  paramsOf,
  queryOf,
  sortOf,
  viewIn,
  writeSort,
} from '../../console/src/sales/view.ts';

const viewOf = (address: string) => viewIn(new URLSearchParams(address));
const now = Date.parse('2026-01-31T21:00:00Z');

describe('The view of the sales report', () => {
  test('is in its address, and comes back from it', () => {
    for (const address of [
      'span=today&by=operator',
      'span=yesterday&by=day&second=operator&compare=1&sort=-sold&client_id=c&product_id=3',
      'from=2026-01-01&to=2026-01-31&by=product&operator_id=1',
    ]) {
      assert.equal(paramsOf(viewOf(address)).toString(), address);
    }
  });

  test('has defaults for what is missing or unknown', () => {
    const plain = 'span=today&by=operator';
    for (const address of [
      '',
      'span=year&by=price&second=price&product_id=one',
      'by=operator&second=operator',
      'from=2026-02-30&to=2026-03-01',
      'from=2026-02-02&to=2026-02-01',
    ]) {
      assert.equal(paramsOf(viewOf(address)).toString(), plain, address);
    }
  });

  test('has days of the business time zone', () => {
    const daysIn = (address: string, zone: string) => daysOf(viewOf(address), now, zone);
    const first = { from: '2026-02-01', to: '2026-02-01' };
    const last = { from: '2026-01-31', to: '2026-01-31' };
    assert.deepEqual(daysIn('', 'UTC'), last);
    assert.deepEqual(daysIn('', 'Asia/Tehran'), first, 'it is half past midnight there');
    assert.deepEqual(daysIn('span=yesterday', 'Asia/Tehran'), last);
    assert.deepEqual(daysIn('span=last_7_days', 'UTC'), { from: '2026-01-25', to: '2026-01-31' });
    assert.deepEqual(daysIn('span=last_30_days', 'UTC'), { from: '2026-01-02', to: '2026-01-31' });
    const own = { from: '2025-03-01', to: '2025-03-05' };
    assert.deepEqual(daysIn('from=2025-03-01&to=2025-03-05', 'Asia/Tehran'), own);
  });

  test('asks for what it shows', () => {
    assert.deepEqual(queryOf(viewOf('span=yesterday'), now, 'UTC'), {
      from: '2026-01-30',
      to: '2026-01-30',
      by: 'operator',
    });
    const more = viewOf('by=day&second=client&compare=1&client_id=c&operator_id=2');
    assert.deepEqual(queryOf(more, now, 'UTC'), {
      from: '2026-01-31',
      to: '2026-01-31',
      by: 'day,client',
      compare: 'true',
      client_id: 'c',
      operator_id: '2',
    });
  });

  test('is sorted by day, or else by the largest amount, unless one chooses', () => {
    assert.deepEqual(sortOf(viewOf('by=day')), { key: 'day', descending: false });
    assert.deepEqual(sortOf(viewOf('by=client')), { key: 'amount', descending: true });
    for (const sort of ['sold', '-reversed_amount']) {
      assert.equal(writeSort(sortOf(viewOf(`sort=${sort}`))), sort);
    }
  });
});
