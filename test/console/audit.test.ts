/** Tests that the console has words for every audit action, in both languages. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesOf } from '../../console/src/audit/entry.ts';
import { own as english } from '../../console/src/i18n/en/index.ts';
import { own as persian } from '../../console/src/i18n/fa/index.ts';
import { createSay } from '../../console/src/i18n/say.ts';
import { formatFor } from '../../console/src/writing.ts';
import { auditActions } from '../../src/admin/audit/audit.ts';
import { states } from '../../src/purchases/purchase.ts';
import { currencyOf } from '../../src/settings/currency.ts';

// The compiler allows only actions of this list to be recorded.
test('every audit action has words in both languages, and nothing else has', () => {
  const written = [...auditActions].sort();
  for (const { audit } of [english, persian]) {
    assert.deepEqual(Object.keys(audit.actions).sort(), written);
    for (const words of Object.values(audit.actions)) assert.notEqual(words.trim(), '');
  }
});

const inPersian = (before: Record<string, unknown>, after: Record<string, unknown>) =>
  changesOf(createSay(persian), { before, after }, formatFor('fa'));

test('states, roles and decisions are in the page’s language', () => {
  const values = [
    ...states.map((state) => ({ state })),
    ...['viewer', 'support', 'manager', 'owner'].map((role) => ({ role })),
    ...['active', 'disabled', 'suspended'].map((status) => ({ status })),
    ...['succeeded', 'failed'].map((decided) => ({ decided })),
  ];
  for (const value of values) {
    const [line = ''] = inPersian({}, value);
    assert.doesNotMatch(line, /[a-z]|^$/i, JSON.stringify(value));
  }
});

test('the contradiction of an outcome is in the page’s language, or as it was written', () => {
  const disputed = { code: 'late_delivered', values: {} };
  const [line = ''] = inPersian({ disputed }, { disputed: null });
  assert.match(line, /پاسخ دیرهنگام اپراتور: تحویل شده است/);
  assert.match(inPersian({ disputed: 'in words' }, { disputed: null })[0] ?? '', /in words/);
});

test('a currency is shown by its name and an example, in the page’s language', () => {
  const [line] = inPersian({ currency: null }, { currency: currencyOf('IRR') });
  assert.equal(line, 'واحد پول: از — به ریال، مانند ۱٬۰۰۰\u00a0ریال');
});

test('amounts have their currency, and other numbers have not', () => {
  const format = formatFor('en', undefined, currencyOf('IRR'));
  const after = { amount: 1500, daily_limit: 2000, pending_status: 202 };
  assert.deepEqual(changesOf(createSay(english), { before: {}, after }, format), [
    'amount: 1,500\u00a0IRR',
    'daily limit: 2,000\u00a0IRR',
    'status of unfinished purchases: 202',
  ]);
});

test('a name stays unchanged, whatever it means elsewhere', () => {
  assert.deepEqual(inPersian({}, { name: 'owner' }), ['نام: owner']);
});

test('a value on one side only is shown, and not as a change', () => {
  assert.deepEqual(inPersian({ state: 'unknown' }, { reason: 'because' }), [
    'وضعیت: نامعلوم',
    'دلیل: because',
  ]);
  assert.deepEqual(inPersian({ state: 'review' }, { state: 'failed' }), [
    'وضعیت: از نیازمند بررسی به ناموفق',
  ]);
});
