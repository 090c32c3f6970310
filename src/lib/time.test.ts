/** Tests how times are parsed: every valid notation, and nothing else. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatMicros, formatTime, readQueryMicros, readQueryTime, readTime } from './time.ts';

const moment = Date.parse('2026-01-31T09:30:05.123Z');

test('a time is the same in every notation', () => {
  for (const text of [
    '2026-01-31T09:30:05.123Z',
    '2026-01-31T09:30:05.123000Z',
    '2026-01-31 09:30:05,123',
    '2026-01-31t09:30:05.123z',
    '2026-01-31T13:00:05.123+03:30',
    '2026-01-31T13:00:05.123+0330',
    '2026-01-31T04:30:05.123-05',
  ]) {
    assert.equal(readTime(text), moment, text);
    assert.equal(readQueryTime(text), moment, text);
  }
});

test('a printed time reads back, for every time of four-digit years', () => {
  const [first, last] = [Date.parse('0001-01-01T00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')];
  fc.assert(
    fc.property(fc.integer({ min: first, max: last }), (time) => {
      assert.equal(readTime(formatTime(time)), time);
    }),
  );
});

test('microseconds print and read back, and whole milliseconds look like any time', () => {
  const last = Date.parse('2200-01-01T00:00Z') * 1000;
  fc.assert(
    fc.property(fc.integer({ min: 0, max: last }), (micros) => {
      assert.equal(readQueryMicros(formatMicros(micros)), micros);
      assert.equal(formatMicros(micros - (micros % 1000)), formatTime(Math.floor(micros / 1000)));
    }),
  );
  assert.equal(formatMicros(1_001), '1970-01-01T00:00:00.001001Z');
  assert.equal(readQueryMicros('1970-01-01T00:00:00.0010019'), 1_001);
  assert.equal(readQueryMicros('1970-01-02'), 86_400_000_000);
  assert.equal(readQueryMicros('never'), undefined);
});

test('in a query a day is its beginning, and a plus sign may have become a space', () => {
  assert.equal(readQueryTime('2026-01-31'), Date.parse('2026-01-31T00:00:00Z'));
  assert.equal(readQueryTime(' 2026-01-31T13:00:05.123 03:30'), moment);
  assert.equal(readQueryTime('2026-01-31 09:30'), Date.parse('2026-01-31T09:30:00Z'));
  assert.equal(readTime('2026-01-31'), undefined);
});

test('impossible days and hours, and other texts, are not times', () => {
  for (const text of [
    '2026-02-30',
    '2026-02-30T00:00Z',
    '2026-13-01',
    '2026-01-31T24:01Z',
    '2026-01-31T09:30+24:00',
    '2026-01-31T09:30+03:60',
    '31.01.2026',
    '2026-1-31',
    '1769851800',
    'yesterday',
    '2026-01-31T',
    '',
  ]) {
    assert.equal(readQueryTime(text), undefined, text);
  }
});
