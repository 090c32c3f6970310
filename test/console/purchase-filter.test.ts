/** Tests that the filter of the purchases survives its address, and that numbers are never in it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  bodyOf,
  bulkActionOf,
  filterIn,
  noFilter,
  paramsOf,
  spanOf,
} from '../../console/src/purchases/filter.ts';

const now = Date.parse('2026-01-31T09:30:00Z');
const tehran = 'Asia/Tehran';

test('an address has the filter, and gives it back', () => {
  const filter = {
    ...noFilter,
    q: 'order-7',
    client_id: 'c',
    state: 'failed',
    disputed: '1',
    operator_id: '2',
    product_id: '2008',
    type: 'cell_internet',
    reason: 'OPERATOR_DECLINED',
    min_amount: '10000',
    max_amount: '20000',
    days: 'week',
    order: 'oldest',
  };
  assert.deepEqual(filterIn(paramsOf(filter)), filter);
  assert.equal(String(paramsOf({ ...noFilter, q: '0912 345 6700', number: '989123456700' })), '');
});

test('what means nothing in an address is ignored', () => {
  const typed =
    'state=lost&needs_person=2&disputed=0&operator_id=x&product_id=-1&type=sms&reason=%3Cb%3E&min_amount=1.5&max_amount=0&days=tomorrow&order=random';
  assert.deepEqual(filterIn(new URLSearchParams(typed)), noFilter);
});

test('days that move are those of the time zone, and replace fixed ones', () => {
  const filter = filterIn(new URLSearchParams('days=yesterday&from=2020-01-01&to=2020-01-02'));
  assert.deepEqual([filter.from, filter.to], ['', '']);
  const span = { from: '2026-01-29T20:30:00.000Z', to: '2026-01-30T20:30:00.000Z' };
  assert.deepEqual(spanOf(filter, now, tehran), span);
  assert.deepEqual(bodyOf(filter, now, tehran), span);
  const week = spanOf({ ...noFilter, days: 'week' }, now, tehran);
  assert.deepEqual(week, { from: '2026-01-24T20:30:00.000Z', to: '2026-01-31T20:30:00.000Z' });
});

test('the gateway gets what is set, and nothing of the page’s own', () => {
  const filter = {
    ...noFilter,
    state: 'open',
    type: 'cell_internet',
    order: 'oldest',
    number: '1',
  };
  assert.deepEqual(bodyOf(filter, now, tehran), {
    state: 'open',
    type: 'cell_internet',
    number: '1',
  });
});

test('several are decided where they wait for a decision, and asked about where they are open', () => {
  const actionOf = (address: string) => bulkActionOf(filterIn(new URLSearchParams(address)));
  for (const address of ['needs_person=1', 'disputed=1', 'state=review', 'state=failed&disputed=1'])
    assert.equal(actionOf(address), 'decide', address);
  for (const address of ['state=open', 'state=unknown', 'state=submitted'])
    assert.equal(actionOf(address), 'inquire', address);
  for (const address of ['', 'state=failed']) assert.equal(actionOf(address), undefined, address);
});
