/** Tests that tokens and mobile numbers are masked in the log, and IDs are not. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { anyCharacter } from '../../../test/support/text.ts';
import type { MobileFormat } from '../mobile.ts';
import { uuidV7 } from '../random.ts';
import { createLog } from './log.ts';

const iran: MobileFormat = { prefix: '98', digits: 10 };

/** A log that keeps its lines. */
const listen = (mobile = iran) => {
  const lines: string[] = [];
  const log = createLog({ level: 'trace', mobile }, { write: (line) => void lines.push(line) });
  return { log, lines };
};

const loggedAs = (fields: object, message = 'something happened'): string => {
  const { log, lines } = listen();
  log.info(fields, message);
  assert.equal(lines.length, 1);
  return lines[0] ?? '';
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const parsed = (line: string): Record<string, unknown> => {
  const value: unknown = JSON.parse(line);
  assert.ok(isRecord(value));
  return value;
};

const letters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'.split('');
const secret = fc.string({ unit: fc.constantFrom(...letters), minLength: 36, maxLength: 36 });
const token = fc
  .tuple(fc.constantFrom('simgate_', 'simgate_test_'), secret)
  .map(([prefix, body]) => prefix + body);
const tenDigits = fc.string({
  unit: fc.constantFrom(...'0123456789'.split('')),
  minLength: 10,
  maxLength: 10,
});
const mobile = tenDigits.map((rest) => `98${rest}`);

/** Any text that does not end, or begin, with a digit that would change the number. */
const beside = fc.oneof(
  fc
    .string({ unit: anyCharacter })
    .filter((text) => text.isWellFormed() && !/[0-9٠-٩۰-۹]/.test(text)),
  fc.constantFrom(
    '',
    ' ',
    '\n',
    '\t',
    '\0',
    '\u0001',
    '"',
    '\\',
    '\\u',
    '+',
    '_',
    'tel-',
    'x',
    '،',
  ),
);

/** Puts a text into every kind of position in a log object. */
const places: Readonly<Record<string, (text: string) => object>> = {
  'a field': (text) => ({ value: text }),
  'a nested field': (text) => ({ a: { b: [{ c: text }] } }),
  'a list': (text) => ({ list: ['x', text, text] }),
  'the name of a field': (text) => ({ nested: { [text]: 1 } }),
  'an error': (text) => ({ err: new Error(text) }),
  'the cause of an error': (text) => ({ err: new Error('outer', { cause: new Error(text) }) }),
  'JSON inside a field': (text) => ({ body: JSON.stringify({ mobile: text }) }),
};

for (const [place, put] of Object.entries(places)) {
  test(`a mobile number in ${place} is masked, and the line stays JSON`, () => {
    fc.assert(
      fc.property(mobile, beside, beside, (number, before, after) => {
        const line = loggedAs(put(before + number + after));
        assert.ok(!line.includes(number), line);
        assert.ok(line.includes(`98******${number.slice(-4)}`), line);
        parsed(line);
      }),
    );
  });

  test(`a token in ${place} is masked, and the line stays JSON`, () => {
    fc.assert(
      fc.property(token, beside, (token, before) => {
        const line = loggedAs(put(`${before}${token} and more`));
        assert.ok(!line.includes(token.slice('simgate_'.length)), line);
        assert.ok(line.includes('simgate_***'), line);
        parsed(line);
      }),
    );
  });
}

test('a token and a number in the message itself are masked', () => {
  fc.assert(
    fc.property(token, mobile, (token, number) => {
      const line = loggedAs({}, `${number} came with ${token}`);
      assert.equal(parsed(line)['msg'], `98******${number.slice(-4)} came with simgate_***`);
    }),
  );
});

test('everything after the word Bearer is masked, even if it is not our token', () => {
  for (const header of ['Bearer secret.of-another/kind', 'bearer  secret.of-another/kind']) {
    const line = loggedAs({ headers: { authorization: header } });
    assert.ok(!line.includes('secret'), line);
    parsed(line);
  }
});

test('a number in another script’s digits, or dialled with zeros, is masked', () => {
  for (const text of ['۹۸۹۱۲۱۲۳۴۵۶۷', '٩٨٩١٢١٢٣٤٥٦٧', '00989121234567', '+989121234567']) {
    const value = parsed(loggedAs({ value: text }))['value'];
    assert.equal(String(value).replace('+', ''), '98******4567');
  }
});

test('a mobile number that is logged as a number is masked, and the line stays JSON', () => {
  assert.equal(parsed(loggedAs({ value: 989121234567 }))['value'], '98******4567');
  assert.deepEqual(parsed(loggedAs({ value: [1, 989121234567, { a: 989121234567 }] }))['value'], [
    1,
    '98******4567',
    { a: '98******4567' },
  ]);
});

test('an id stays readable, even if its end looks like a mobile number', () => {
  const end = tenDigits.map((rest) => `98${rest}`);
  const start = fc.uint8Array({ minLength: 10, maxLength: 10 });
  fc.assert(
    fc.property(fc.nat(), start, end, (now, noise, end) => {
      const id = uuidV7({ now: () => now }, () => noise)().slice(0, -12) + end;
      assert.equal(parsed(loggedAs({ request: id }))['request'], id);
      assert.equal(
        parsed(loggedAs({}, `the request ${id} failed`))['msg'],
        `the request ${id} failed`,
      );
    }),
  );
});

test('other numbers and texts stay unchanged', () => {
  const fields = {
    balance: 1_000_000,
    at: 1_769_851_800_000,
    text: '98 is the prefix, 9891212345678 has a digit too many, 98912123456 one too few',
    ms: 0.5,
    negative: -12.5,
    none: null,
    yes: true,
  };
  const { time: _time, level: _level, msg: _msg, ...logged } = parsed(loggedAs(fields));
  assert.deepEqual(logged, fields);
});

test('the configured format decides what a mobile number is', () => {
  const { log, lines } = listen({ prefix: '49', digits: 11 });
  log.info({ ours: '4915112345678', theirs: '989121234567' });
  const { ours, theirs } = parsed(lines[0] ?? '');
  assert.deepEqual({ ours, theirs }, { ours: '49*******5678', theirs: '989121234567' });
});

test('a prefix may begin with a zero', () => {
  const { log, lines } = listen({ prefix: '09', digits: 9 });
  log.info({ ours: '09121234567' });
  assert.equal(parsed(lines[0] ?? '')['ours'], '09*****4567');
});

test('a line has its level by name, its time in ISO form, and nothing about the machine', () => {
  const line = parsed(loggedAs({ a: 1 }));
  assert.deepEqual(Object.keys(line), ['level', 'time', 'a', 'msg']);
  assert.equal(line['level'], 'info');
  assert.match(String(line['time']), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

test('lines below the configured level are not logged', () => {
  const lines: string[] = [];
  const log = createLog(
    { level: 'warn', mobile: iran },
    { write: (line) => void lines.push(line) },
  );
  log.info('no');
  log.warn('yes');
  assert.equal(lines.length, 1);
});
