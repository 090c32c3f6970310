/** Tests what the form of an operator's settings makes of its input: what is sent, wrong, or changed. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  changesOf,
  type Edits,
  edited,
  textOf,
  wantedOf,
} from '../../console/src/operators/draft.ts';
import { type Field, fieldsOf, leavesOf, valueAt } from '../../console/src/operators/fields.ts';
import { faultNames, isRate, readFault, typedOf } from '../../console/src/operators/rates.ts';
import { matches } from '../../console/src/settings/setting.ts';

const raw = (name: string, type: string, more: object = {}) => ({
  name,
  type,
  description: '',
  required: false,
  secret: false,
  default: null,
  minimum: null,
  maximum: null,
  ...more,
});

const fields = fieldsOf([
  raw('url', 'string', { required: true }),
  raw('token', 'string', { secret: true }),
  raw('atOnce', 'integer', { default: 100, minimum: 1, maximum: 500 }),
  raw('share', 'number'),
  raw('offers', 'boolean', { default: false }),
  raw('mode', 'enum', { values: ['fast', 'safe', 3] }),
  raw('extra', 'json'),
  raw('pauses', 'object', {
    fields: [raw('first', 'integer', { required: true }), raw('last', 'integer', { default: 9 })],
  }),
  raw('login', 'object', {
    fields: [raw('user', 'string'), raw('pin', 'string', { secret: true })],
  }),
]);

const fieldAt = (path: string): Field => {
  const field = leavesOf(fields).find((one) => one.path === path);
  assert.ok(field !== undefined, path);
  return field;
};

const before = { url: 'https://one.example', token: '***', atOnce: 100, offers: false };

const typing = (settings: object, typed: Record<string, string | null | undefined>): Edits =>
  Object.entries(typed).reduce<Edits>(
    (edits, [path, text]) => edited(edits, fieldAt(path), text, { ...settings }),
    {},
  );

const sent = (typed: Record<string, string | null | undefined>, settings: object = before) =>
  wantedOf(fields, { ...settings }, typing(settings, typed));

const changed = (typed: Record<string, string | null>, settings: object = before) =>
  changesOf(fields, { ...settings }, typing(settings, typed)).map(({ field, before, after }) => [
    field.path,
    before,
    after,
  ]);

describe('what is sent', () => {
  test('is the current value, without secrets, if nothing was typed', () => {
    const { token: _secret, ...plain } = before;
    assert.deepEqual(sent({}), { settings: plain, problems: {} });
    assert.deepEqual(changed({}), []);
  });

  test('has each type as it is', () => {
    const { settings, problems } = sent({
      atOnce: '۱۵۰',
      share: '۰٫۵',
      offers: 'true',
      mode: '3',
      extra: '{"a":[1]}',
      'pauses.first': '7',
    });
    assert.deepEqual(problems, {});
    assert.deepEqual(settings, {
      url: before.url,
      atOnce: 150,
      share: 0.5,
      offers: true,
      mode: 3,
      extra: { a: [1] },
      pauses: { first: 7 },
    });
  });

  test('keeps, replaces or removes a secret', () => {
    assert.equal('token' in sent({}).settings, false);
    assert.equal(sent({ token: 'new' }).settings['token'], 'new');
    assert.equal(sent({ token: null }).settings['token'], null);
    assert.equal('token' in sent({ token: undefined }).settings, false);
    assert.deepEqual(sent({ token: '' }).problems, { token: 'required' });
  });

  test('has a group if a part is given or a secret of it stays, and else not', () => {
    const login = { ...before, login: { user: 'we', pin: '***' } };
    assert.deepEqual(sent({ 'login.user': '' }, login).settings['login'], {});
    assert.equal('login' in sent({ 'login.user': '', 'login.pin': null }, login).settings, false);
    assert.deepEqual(sent({ 'login.pin': 'new' }).settings['login'], { pin: 'new' });
    assert.deepEqual(sent({ 'pauses.last': '3' }).problems, { 'pauses.first': 'required' });
  });

  test('reports errors', () => {
    const wrong = { url: ' ', atOnce: '0', share: 'half', extra: '{', 'pauses.first': '1.5' };
    assert.deepEqual(sent(wrong).problems, {
      url: 'required',
      atOnce: 'tooSmall',
      share: 'notNumber',
      extra: 'notJson',
      'pauses.first': 'notWhole',
    });
    assert.deepEqual(sent({ atOnce: '501' }).problems, { atOnce: 'tooLarge' });
  });
});

describe('what changes', () => {
  test('is named with before and after, and the default for an empty field', () => {
    assert.deepEqual(changed({ url: 'https://two.example', atOnce: '200' }), [
      ['url', 'https://one.example', 'https://two.example'],
      ['atOnce', 100, 200],
    ]);
    assert.deepEqual(changed({ atOnce: '' }, { ...before, atOnce: 7 }), [['atOnce', 7, 100]]);
    // The same number in other digits.
    assert.deepEqual(changed({ atOnce: '۱۰۰' }), []);
    assert.deepEqual(typing(before, { atOnce: '۱۰۰' }), {});
    assert.deepEqual(changed({ 'pauses.first': '1' }), [
      ['pauses.first', undefined, 1],
      ['pauses.last', undefined, 9],
    ]);
    assert.deepEqual(changed({ token: null }), [['token', '***', undefined]]);
    assert.deepEqual(
      changed({ token: null }, { url: 'x' }).filter(([path]) => path === 'token'),
      [],
    );
  });

  test('is empty if the input equals the current value', () => {
    fc.assert(
      fc.property(
        fc.record({
          url: fc.string({ minLength: 1 }).filter((text) => text.trim() !== ''),
          atOnce: fc.integer({ min: 1, max: 500 }),
          share: fc.double({ min: -1000, max: 1000, noNaN: true }),
          offers: fc.boolean(),
          mode: fc.constantFrom('fast', 'safe', 3),
          extra: fc.dictionary(fc.string(), fc.integer(), { minKeys: 1 }),
          pauses: fc.record({ first: fc.integer(), last: fc.integer() }),
        }),
        (settings) => {
          const typed = leavesOf(fields).flatMap((field) =>
            field.secret
              ? []
              : [[field.path, textOf(field, valueAt(settings, field.path))] as const],
          );
          const edits = typing(settings, Object.fromEntries(typed));
          assert.deepEqual(edits, {});
          assert.deepEqual(changesOf(fields, settings, edits), []);
        },
      ),
    );
  });
});

describe('faults', () => {
  test('are typed in percent and milliseconds, and read back unchanged', () => {
    assert.equal(typedOf('errors', 0.07), '7');
    assert.equal(readFault('errors', '۱۲٫۵'), 0.125);
    for (const text of ['101', '-1', '', 'x']) assert.equal(readFault('errors', text), undefined);
    assert.equal(readFault('delayMs', '1,500'), 1500);
    for (const text of ['60001', '1.5', '-1']) assert.equal(readFault('delayMs', text), undefined);
    fc.assert(
      fc.property(
        fc.constantFrom(...faultNames),
        fc.integer({ min: 0, max: 10_000 }),
        (name, n) => {
          const value = isRate(name) ? n / 10_000 : n;
          assert.equal(readFault(name, typedOf(name, value)), value);
        },
      ),
    );
  });
});

test('a setting is found by words of its name, its value or its description', () => {
  const setting = {
    name: 'log.level',
    value: 'info',
    default: 'info',
    from: 'default',
    description: 'LOG_LEVEL: how much is logged.',
  } as const;
  for (const wanted of ['', 'level', 'INFO', 'much logged', ' log_level ']) {
    assert.ok(matches(wanted, setting), wanted);
  }
  for (const wanted of ['debug', 'level debug']) assert.ok(!matches(wanted, setting), wanted);
});
