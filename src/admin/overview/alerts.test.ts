/** Tests when many failures are a spike, and the order of alerts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Float } from '../../purchases/floats/float.ts';
import { noCounts } from '../../purchases/stats/tally.ts';
import { type AlertSources, alertsOf, isSpike } from './alerts.ts';

const ended = (succeeded: number, failed: number) => ({ ...noCounts(), succeeded, failed });

test('failures are a spike if they are many, a fifth of all, and twice as many as usual', () => {
  const cases = [
    { recent: ended(0, 9), usual: ended(1000, 9), spike: false, why: 'too few' },
    { recent: ended(0, 10), usual: ended(0, 10), spike: true, why: 'nothing is usual yet' },
    { recent: ended(41, 10), usual: ended(1041, 10), spike: false, why: 'less than a fifth' },
    { recent: ended(40, 10), usual: ended(1040, 10), spike: true, why: 'a fifth' },
    { recent: ended(40, 10), usual: ended(940, 110), spike: true, why: 'twice the usual tenth' },
    { recent: ended(40, 10), usual: ended(840, 210), spike: false, why: 'a fifth is usual' },
  ];
  for (const { recent, usual, spike, why } of cases)
    assert.equal(isSpike(recent, usual), spike, why);
});

/** A float of this amount, at ten an hour. */
const floatWith = (held: number): Float => ({
  supplierId: 1,
  held,
  inFlight: 0,
  free: held,
  perHour: 10,
  coverHours: held / 10,
});

test('the most urgent alerts come first, and a healthy operator has none', () => {
  const names = { en: 'One', fa: 'یک' };
  const row = { span: 'minute', at: 0, operator_id: 3, ...ended(0, 12) } as const;
  const sources: AlertSources = {
    live: { review: 2, reviewNewestAt: 5 },
    low: { count: 1, lowest: { id: 'c', name: 'Shop', available: 1 } },
    credit: { usedUp: [{ id: 'd', name: 'Kiosk' }], nearly: [{ id: 'c', name: 'Shop' }] },
    recent: [row],
    usual: [row],
    operators: [
      { id: 1, names, health: 'suspended', since: 7 },
      { id: 2, names, health: 'down', since: 8 },
      { id: 3, names, health: 'up', since: undefined },
      { id: 4, names, health: 'degraded', since: 9, float: floatWith(0), losses: 3 },
      { id: 5, names, health: 'up', since: undefined, float: floatWith(23 * 10) },
      { id: 6, names, health: 'up', since: undefined, float: floatWith(5 * 10) },
      { id: 7, names, health: 'up', since: undefined, float: floatWith(24 * 10), losses: 0 },
    ],
  };
  assert.deepEqual(
    alertsOf(sources).map(({ id, count, since }) => [id, count, since]),
    [
      ['operator_down:2', undefined, 8],
      ['float_empty:4', 0, undefined],
      ['failures:3', 12, undefined],
      ['float_low:6', 5, undefined],
      ['margin_below_zero:4', 3, undefined],
      ['review', 2, 5],
      ['operator_suspended:1', undefined, 7],
      ['float_approaching:5', 23, undefined],
      ['credit_used_up', 1, undefined],
      ['credit_nearly_used_up', 1, undefined],
      ['low_balances', 1, undefined],
    ],
  );
  const nothing = { live: { review: 0, reviewNewestAt: null }, low: undefined };
  const noCredit = { credit: { usedUp: [], nearly: [] } };
  const quiet = { ...nothing, ...noCredit, recent: [], usual: [], operators: [] };
  assert.deepEqual(alertsOf(quiet), []);
});
