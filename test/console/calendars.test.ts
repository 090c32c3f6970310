/** Tests that times are typed in the time zone in which they are shown, and in the language's calendar. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  daysIn,
  firstYear,
  lastYear,
  readPersian,
  stepPersian,
  toGregorian,
  toPersian,
  writePersian,
} from '../../console/src/persian-calendar.ts';
import { formatFor } from '../../console/src/writing.ts';
import {
  dayBegins,
  daysBack,
  fromField,
  momentOf,
  readWall,
  toField,
  wallAt,
} from '../../console/src/zoned.ts';

const minute = 60_000;
const day = 86_400_000;

// Half hours, quarters, daylight saving on either hemisphere and at midnight, and none.
const zones = [
  'UTC',
  'Asia/Tehran',
  'Asia/Kathmandu',
  'Europe/Berlin',
  'America/New_York',
  'America/Sao_Paulo',
  'America/Havana',
  'Africa/Cairo',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Kiritimati',
];

const zone = fc.constantFrom(...zones);
const moment = fc
  .integer({ min: Date.UTC(1975, 0) / minute, max: Date.UTC(2075, 0) / minute })
  .map((minutes) => minutes * minute);

describe('the clocks of a zone', () => {
  test('show a moment, and the first such moment is found', () => {
    fc.assert(
      fc.property(moment, zone, (at, zone) => {
        const wall = wallAt(at, zone);
        const found = momentOf(wall, zone);
        assert.deepEqual(wallAt(found, zone), wall);
        assert.ok(found <= at && at - found <= 2 * 60 * minute, `${at - found}`);
        const iso = new Date(found).toISOString();
        assert.equal(fromField(toField(iso, zone), zone), iso);
      }),
      { numRuns: 2000 },
    );
  });

  test('are those in which times are written', () => {
    fc.assert(
      fc.property(moment, zone, (at, zone) => {
        const iso = new Date(at).toISOString();
        const [, shown = ''] = toField(iso, zone).split('T');
        assert.equal(formatFor('en', zone).time(iso, 'minute'), shown);
      }),
    );
  });

  test('that change at midnight start the day at the change', () => {
    const begins = (day: string, zone: string): string => dayBegins(day, zone) ?? '';
    assert.equal(begins('2021-03-22', 'Asia/Tehran'), '2021-03-21T20:30:00.000Z');
    assert.equal(begins('2018-11-04', 'America/Sao_Paulo'), '2018-11-04T03:00:00.000Z');
    assert.equal(begins('2018-11-03', 'America/Sao_Paulo'), '2018-11-03T03:00:00.000Z');
    assert.equal(begins('2026-02-30', 'UTC'), '');
    assert.equal(dayBegins('2026-12-31', 'UTC', 1), '2027-01-01T00:00:00.000Z');
  });

  test('count days', () => {
    fc.assert(
      fc.property(moment, zone, (now, zone) => {
        const { from, to } = daysBack(now, zone, 0, 0);
        assert.ok(Date.parse(from) <= now && now < Date.parse(to));
        const begins = wallAt(Date.parse(from), zone);
        assert.equal(begins.day, wallAt(now, zone).day);
        assert.notEqual(wallAt(Date.parse(from) - minute, zone).day, begins.day);
        assert.equal(daysBack(now, zone, 1, 1).to, from);
      }),
    );
  });

  test('are read from nothing but a time', () => {
    for (const text of ['', 'x', '2026-13-01', '2026-02-29', '2026-01-01T24:00', '2026-1-1']) {
      assert.equal(readWall(text), undefined, text);
    }
  });
});

const shownBy = new Intl.DateTimeFormat('en-u-ca-persian-nu-latn', {
  timeZone: 'UTC',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
});

const inPersian = (at: number): { year: number; month: number; day: number } => {
  const parts = shownBy.formatToParts(at);
  const read = (name: string): number => Number(parts.find(({ type }) => type === name)?.value);
  return { year: read('year'), month: read('month'), day: read('day') };
};

describe('the Persian calendar', () => {
  test('shows times, on every day of two hundred years', () => {
    const begins = Date.UTC(1921, 2, 21);
    assert.deepEqual(inPersian(begins), { year: firstYear, month: 1, day: 1 });
    let at = begins;
    for (; ; at += day) {
      const expected = inPersian(at);
      const { year, month, day } = wallAt(at, 'UTC');
      if (expected.year > lastYear) break;
      assert.deepEqual(toPersian({ year, month, day }), expected);
      assert.deepEqual(toGregorian(expected), { year, month, day });
    }
    assert.ok(at - begins > 201 * 365 * day);
  });

  test('is typed in any digits, and reads back as written', () => {
    const field = moment.map((at) => toField(new Date(at).toISOString(), 'UTC'));
    fc.assert(
      fc.property(field, (field) => {
        const text = writePersian(field, 'moment');
        assert.match(text, /^[۰-۹]{4}\/[۰-۹]{2}\/[۰-۹]{2} [۰-۹]{2}:[۰-۹]{2}$/);
        assert.equal(readPersian(text, 'moment'), field);
        const [date = ''] = field.split('T');
        assert.equal(readPersian(writePersian(date, 'day'), 'day'), date);
      }),
    );
    assert.equal(readPersian(' 1405/1/2 ', 'moment'), '2026-03-22T00:00');
    assert.equal(readPersian('۱۴۰۵-۱-۲ ۷:۰۵', 'moment'), '2026-03-22T07:05');
    assert.equal(readPersian('١٤٠٥.٠١.٠٢', 'day'), '2026-03-22');
  });

  test('rejects other days', () => {
    for (const typed of [
      '',
      '1405',
      '1405/13/1',
      '1405/7/31',
      '1404/12/30',
      '1405/0/1',
      '1299/1/1',
      '1501/1/1',
      '2026/03/22',
      '1405/1/2 24:00',
      '1405/1/2 1:60',
    ]) {
      assert.equal(readPersian(typed, 'moment'), undefined, typed);
    }
    assert.equal(readPersian('1403/12/30', 'day'), '2025-03-20');
    assert.equal(readPersian('1405/1/2 7:05', 'day'), undefined);
    assert.equal(daysIn(1403, 12), 30);
  });

  test('steps up and down by the part at the cursor', () => {
    const step = (typed: string, caret: number, by: 1 | -1): string | undefined =>
      stepPersian(typed, 'moment', { caret, by })?.typed;
    const typed = '۱۴۰۵/۰۶/۳۱ ۲۳:۰۰';
    assert.equal(step(typed, 2, 1), '۱۴۰۶/۰۶/۳۱ ۲۳:۰۰');
    assert.equal(step(typed, 6, 1), '۱۴۰۵/۰۷/۳۰ ۲۳:۰۰', 'a shorter month');
    assert.equal(step(typed, 9, 1), '۱۴۰۵/۰۶/۰۱ ۲۳:۰۰');
    assert.equal(step(typed, 12, 1), '۱۴۰۵/۰۶/۳۱ ۰۰:۰۰');
    assert.equal(step(typed, 16, -1), '۱۴۰۵/۰۶/۳۱ ۲۳:۵۹');
    assert.equal(step('1405/6/31', 9, -1), '۱۴۰۵/۰۶/۳۰ ۰۰:۰۰');
    assert.equal(step('1405/6', 2, 1), undefined);
    assert.deepEqual(stepPersian('1405/6/31', 'day', { caret: 5, by: -1 }), {
      typed: '۱۴۰۵/۰۵/۳۱',
      from: 5,
      to: 7,
    });
  });
});
