/** Tests that the console has words for every audit action, in both languages. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changesOf, summaryOf } from '../../console/src/audit/entry.ts';
import { filterIn, paramsOf, queryOf } from '../../console/src/audit/filter.ts';
import { pageOfSubject, subjectWords } from '../../console/src/audit/subject.ts';
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

/** Without what isolates the values, which a test of its own expects. */
const shown = (lines: readonly string[]) =>
  lines.map((line) => line.replaceAll(/[\u2068\u2069]/g, ''));

const inPersian = (before: Record<string, unknown>, after: Record<string, unknown>) =>
  shown(changesOf(createSay(persian), { before, after }, formatFor('fa')));

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

test('the commissions of a price list are in the page’s language, and those of older entries too', () => {
  const entries = 'operator_id 2, product_type cell_internet: 4%; *: 1.5%';
  const [line = ''] = inPersian({}, { entries });
  assert.match(line, /اپراتور ۲، نوع .+: ۴%، همهٔ .+: ۱\.۵%/);
  assert.doesNotMatch(line, /[a-z]/i);
  const [own] = shown(
    changesOf(createSay(english), { before: {}, after: { entries } }, formatFor('en')),
  );
  assert.equal(own, 'commissions: operator 2, product type Data package: 4%, All products: 1.5%');
});

test('a summary begins with what people know, not with an ID', () => {
  const after = { client: '019ad419-032b-73b5-be3f-99f27828f602', month: '2025-12' };
  const lines = shown(changesOf(createSay(english), { before: {}, after }, formatFor('en')));
  assert.match(lines[0] ?? '', /December 2025/);
  assert.match(lines[1] ?? '', /019ad419/);
});

test('a currency is shown by its name and an example, in the page’s language', () => {
  const [line] = inPersian({ currency: null }, { currency: currencyOf('IRR') });
  assert.equal(line, 'واحد پول: از — به ریال، مانند ۱٬۰۰۰\u00a0ریال');
});

test('amounts have their currency, and other numbers have not', () => {
  const format = formatFor('en', undefined, currencyOf('IRR'));
  const after = { amount: 1500, daily_limit: 2000, pending_status: 202 };
  assert.deepEqual(shown(changesOf(createSay(english), { before: {}, after }, format)), [
    'amount: 1,500\u00a0IRR',
    'daily limit: 2,000\u00a0IRR',
    'status of unfinished purchases: 202',
  ]);
});

test('codes and IDs have Latin digits in both languages, and counts have not', () => {
  const after = { pending_status: 202, products: [1008, 1009], sessions: 3 };
  assert.deepEqual(inPersian({}, after), [
    'کد وضعیت خرید ناتمام: 202',
    'محصولات: 1008، 1009',
    'نشست‌ها: ۳',
  ]);
  const prices = (value: number) => ({ prices: [{ id: 12, field: 'price', value }] });
  assert.deepEqual(inPersian(prices(1000), prices(1100)), [
    'قیمت‌ها · 12 · قیمت: از ۱٬۰۰۰ به ۱٬۱۰۰',
  ]);
});

test('a browser is named, and not by what it sends', () => {
  const agent = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Gecko/20100101 Firefox/142.0';
  assert.deepEqual(inEnglish({}, { agent }), ['browser: Firefox · Windows']);
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

const inEnglish = (before: Record<string, unknown>, after: Record<string, unknown>) =>
  shown(changesOf(createSay(english), { before, after }, formatFor('en', 'UTC')));

test('fields within fields are compared one by one, and never shown as JSON', () => {
  const token = {
    name: 'shop',
    scopes: ['offers', 'purchase'],
    networks: [],
    expires_at: null,
  };
  const expires_at = '2026-01-31T09:30:00.000000Z';
  assert.deepEqual(inEnglish({ token }, { token: { ...token, scopes: ['offers'], expires_at } }), [
    'token · scopes: Personal offers, Purchases and own account → Personal offers',
    'token · expires: — → 31 Jan 2026, 09:30',
  ]);
  assert.deepEqual(inEnglish({}, { token }), [
    'token · name: shop',
    'token · scopes: Personal offers, Purchases and own account',
  ]);
  const settings = { url: 'https://a.example', retries: { most: 3 } };
  assert.deepEqual(inEnglish({ settings }, { settings: { ...settings, retries: { most: 4 } } }), [
    'settings · retries · most: 3 → 4',
  ]);
});

test('each price that changed is named by its product', () => {
  const prices = (value: number) => [
    { id: 12, field: 'price', value },
    { id: 13, field: 'second_price', value: 7 },
  ];
  assert.deepEqual(inEnglish({ prices: prices(1000) }, { prices: prices(1100) }), [
    'prices · 12 · price: 1,000 → 1,100',
  ]);
});

test('entries of any form are in words: lists, lists of lists, and unknown objects', () => {
  const odd = { list: [1, 'a', null], rows: [{ x: [{ y: true }] }, 5], deep: { a: { b: [] } } };
  const lines = inEnglish({}, odd);
  assert.deepEqual(lines, ['list: 1, a, —', 'rows · 1 · x · 1 · y: Yes', 'rows · 2: 5']);
  for (const line of lines) assert.doesNotMatch(line, /[{}[\]"]|object/);
});

test('what only programs tell apart comes last', () => {
  const [before, after] = [
    { version: 'a', on: true },
    { version: 'b', on: false },
  ];
  assert.deepEqual(inEnglish(before, after), ['on sale: Yes → No', 'catalogue version: a → b']);
});

test('a summary is the first change, and how many there are besides', () => {
  const say = createSay(english);
  const format = formatFor('en');
  assert.equal(summaryOf(say, [], format), '—');
  assert.equal(summaryOf(say, ['a'], format), 'a');
  assert.equal(summaryOf(say, ['a', 'b', 'c'], format), 'a, and 2 more');
});

test('a value does not reorder the words around it, whatever its direction', () => {
  const lines = (before: Record<string, unknown>, after: Record<string, unknown>) =>
    changesOf(createSay(persian), { before, after }, formatFor('fa'));
  const [was, is] = [{ name: 'Shop (old).' }, { name: 'مغازه', note: 'Call at 9!' }];
  assert.deepEqual(lines(was, is), [
    'نام: از \u2068Shop (old).\u2069 به \u2068مغازه\u2069',
    'یادداشت: \u2068Call at 9!\u2069',
  ]);
});

const someId = '019a8f3e-6c1d-7b52-9a41-3f0c5d2e7b18';

test('every subject leads to its page, for those who may see it', () => {
  const to = (action: string, subject: string) => pageOfSubject({ action, subject })?.to;
  assert.equal(to('client rules', someId), `/clients/${someId}`);
  assert.equal(to('purchase resolve', someId), `/purchases/${someId}`);
  assert.equal(to('purchase export', 'purchases'), '/purchases');
  assert.equal(to('operator suspend', 'operator 3'), '/operators/3');
  assert.equal(to('product change', 'product 1008'), '/catalogue/products/1008');
  assert.equal(to('settings change', 'settings'), '/settings');
  assert.equal(to('catalogue prices', 'catalogue'), '/catalogue');
  assert.equal(to('secrets reseal', 'secrets'), undefined);
  assert.equal(to('sign in failed', 'sign-in'), undefined);
  assert.equal(to('something old', 'somewhere'), undefined);
  assert.deepEqual(pageOfSubject({ action: 'account change', subject: someId }), {
    to: '/accounts',
    right: 'accounts',
  });
});

test('a subject has a name in the page’s language', () => {
  const named = (subject: string, action?: string, name: string | null = null) =>
    subjectWords(createSay(persian), formatFor('fa'), { action, subject, name });
  assert.equal(named(someId, 'client rules', 'Bazaar'), 'Bazaar');
  assert.equal(named('operator 3'), 'اپراتور ۳');
  assert.equal(named('product 1008'), 'محصول 1008');
  assert.equal(named('settings'), 'تنظیمات');
  assert.equal(named(someId, 'purchase resolve'), 'خرید 5d2e7b18');
  assert.equal(named('something old'), 'something old');
});

test('the filter is in the address, by whole days of the business time zone', () => {
  const params = new URLSearchParams(
    'subject=settings&actor=office&action=&from=2026-01-30&to=nonsense&page=2',
  );
  const filter = filterIn(params);
  assert.deepEqual(paramsOf(filter), { subject: 'settings', actor: 'office', from: '2026-01-30' });
  assert.deepEqual(queryOf({ ...filter, to: '2026-01-30' }, 'Asia/Tehran'), {
    subject: 'settings',
    actor: 'office',
    from: '2026-01-29T20:30:00.000Z',
    to: '2026-01-30T20:30:00.000Z',
  });
});
