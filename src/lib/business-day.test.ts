/** Tests that business days follow the clocks of any time zone, without gaps or overlaps. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { daysIn, isTimeZone, lastDays, utcDays } from './business-day.ts';
import { formatDay } from './calendar-day.ts';

const zones = ['UTC', ...Intl.supportedValuesOf('timeZone')];
const hourMs = 3_600_000;

const wallIn = (timeZone: string, moment: number): string =>
  new Intl.DateTimeFormat('sv', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(moment);

const shown = (timeZone: string, moment: string): readonly string[] => {
  const { begins, ends } = daysIn(timeZone)(Date.parse(moment));
  return [begins, ends].map((one) => new Date(one).toISOString());
};

test('a day contains its moment, its neighbours adjoin it, and it has one date', () => {
  // Until 2011 some clocks were put back over midnight, which gave a day two dates.
  const moment = fc.integer({ min: Date.UTC(2012, 0), max: Date.UTC(2037, 0) });
  fc.assert(
    fc.property(fc.constantFrom(...zones), moment, (zone, now) => {
      const dayAt = daysIn(zone);
      const day = dayAt(now);
      assert.ok(day.begins <= now && now < day.ends);
      assert.deepEqual(dayAt(day.begins), day);
      assert.deepEqual(dayAt(day.ends - 1), day);
      assert.equal(dayAt(day.begins - 1).ends, day.begins);
      assert.equal(dayAt(day.ends).begins, day.ends);
      const hours = (day.ends - day.begins) / hourMs;
      assert.ok(hours >= 22 && hours <= 26, `${zone} has a day of ${hours} hours`);
      const [date] = wallIn(zone, day.begins).split(' ');
      assert.ok(wallIn(zone, day.ends - 1).startsWith(String(date)), zone);
      assert.ok(!wallIn(zone, day.ends).startsWith(String(date)), zone);
    }),
    { numRuns: 100 },
  );
});

test('days of UTC are the same by their own function', () => {
  const dayAt = daysIn('UTC');
  fc.assert(
    fc.property(fc.integer({ min: 0, max: Date.UTC(2100, 0) }), (now) => {
      assert.deepEqual(utcDays(now), dayAt(now));
    }),
    { numRuns: 50 },
  );
});

test('a day in Tehran begins at 20:30 UTC, and at 19:30 while there was summer time', () => {
  assert.deepEqual(shown('Asia/Tehran', '2026-07-01T20:29:59.999Z'), [
    '2026-06-30T20:30:00.000Z',
    '2026-07-01T20:30:00.000Z',
  ]);
  assert.deepEqual(shown('Asia/Tehran', '2022-07-01T12:00:00Z'), [
    '2022-06-30T19:30:00.000Z',
    '2022-07-01T19:30:00.000Z',
  ]);
  // 2022-03-22 began at 01:00 by its clocks.
  assert.deepEqual(shown('Asia/Tehran', '2022-03-21T21:00:00Z'), [
    '2022-03-21T20:30:00.000Z',
    '2022-03-22T19:30:00.000Z',
  ]);
});

test('days of clocks that change have 23 or 25 hours', () => {
  assert.deepEqual(shown('Europe/Berlin', '2026-03-29T12:00:00Z'), [
    '2026-03-28T23:00:00.000Z',
    '2026-03-29T22:00:00.000Z',
  ]);
  assert.deepEqual(shown('Europe/Berlin', '2026-10-25T12:00:00Z'), [
    '2026-10-24T22:00:00.000Z',
    '2026-10-25T23:00:00.000Z',
  ]);
  // Havana repeats the hour from midnight: its day begins with the first.
  assert.deepEqual(shown('America/Havana', '2026-11-01T12:00:00Z'), [
    '2026-11-01T04:00:00.000Z',
    '2026-11-02T05:00:00.000Z',
  ]);
});

test('a date that a country skipped is no day', () => {
  assert.deepEqual(shown('Pacific/Apia', '2011-12-30T09:00:00Z'), [
    '2011-12-29T10:00:00.000Z',
    '2011-12-30T10:00:00.000Z',
  ]);
  assert.deepEqual(shown('Pacific/Apia', '2011-12-30T10:00:00Z'), [
    '2011-12-30T10:00:00.000Z',
    '2011-12-31T10:00:00.000Z',
  ]);
});

test('where clocks were put back over midnight, the next day begins once', () => {
  // At 00:01 it was 23:01 again.
  const days = [
    ['2006-10-28T02:30:00.000Z', '2006-10-29T03:30:00.000Z'],
    ['2006-10-29T03:30:00.000Z', '2006-10-30T03:30:00.000Z'],
  ];
  for (const moment of ['2006-10-29T02:30:30Z', '2006-10-29T03:00:00Z', '2006-10-29T03:29:59Z']) {
    assert.deepEqual(shown('America/St_Johns', moment), days[0], moment);
  }
  assert.deepEqual(shown('America/St_Johns', '2006-10-29T03:30:00Z'), days[1]);
});

test('the last days end with the current one', () => {
  const now = Date.parse('2026-11-18T00:00:00Z');
  const days = lastDays(daysIn('Asia/Tehran'), now, 3);
  assert.deepEqual(
    days.map(({ begins }) => new Date(begins).toISOString()),
    ['2026-11-15T20:30:00.000Z', '2026-11-16T20:30:00.000Z', '2026-11-17T20:30:00.000Z'],
  );
});

test('a time zone has a name; an offset is none', () => {
  for (const name of ['UTC', 'Asia/Tehran', 'europe/berlin']) assert.ok(isTimeZone(name), name);
  for (const name of ['+03:30', 'Mars/Olympus', '', 'Asia']) assert.ok(!isTimeZone(name), name);
});

const dayText = (timeZone: string, at: string): string =>
  formatDay(daysIn(timeZone)(Date.parse(at)).date);

test('the date of a day is the one that a clock on the wall shows, in every time zone', () => {
  // Until 2011 some clocks were put back over midnight, which gave a day two dates.
  const moment = fc.integer({ min: Date.UTC(2012, 0), max: Date.UTC(2080, 0) });
  fc.assert(
    fc.property(fc.constantFrom(...zones), moment, (timeZone, at) => {
      assert.equal(formatDay(daysIn(timeZone)(at).date), wallIn(timeZone, at).split(' ')[0]);
    }),
    { numRuns: 100 },
  );
});

test('dates change at the local midnight, on either side of a change of the clocks', () => {
  // Tehran set its clocks forward on 2022-03-22 at midnight, and never again after that year.
  assert.equal(dayText('Asia/Tehran', '2022-03-21T20:29:59.999Z'), '2022-03-21');
  assert.equal(dayText('Asia/Tehran', '2022-03-21T20:30:00.000Z'), '2022-03-22');
  assert.equal(dayText('Asia/Tehran', '2022-07-01T19:29:59.999Z'), '2022-07-01');
  assert.equal(dayText('Asia/Tehran', '2022-07-01T19:30:00.000Z'), '2022-07-02');
  assert.equal(dayText('Asia/Tehran', '2026-07-01T20:29:59.999Z'), '2026-07-01');
  assert.equal(dayText('Asia/Tehran', '2026-07-01T20:30:00.000Z'), '2026-07-02');
  assert.equal(dayText('America/New_York', '2026-11-01T04:30:00Z'), '2026-11-01');
  assert.equal(dayText('America/New_York', '2026-11-02T04:59:59Z'), '2026-11-01');
  // Samoa crossed the date line: it had no December 30 in 2011.
  assert.equal(dayText('Pacific/Apia', '2011-12-30T09:59:59Z'), '2011-12-29');
  assert.equal(dayText('Pacific/Apia', '2011-12-30T10:00:00Z'), '2011-12-31');
});
