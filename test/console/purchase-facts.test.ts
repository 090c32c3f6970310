/** Tests that the console has words in both languages for everything that is recorded about a purchase. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { own as english } from '../../console/src/i18n/en/index.ts';
import { own as persian } from '../../console/src/i18n/fa/index.ts';
import { createSay } from '../../console/src/i18n/say.ts';
import { causeOf, type Ended } from '../../console/src/purchases/cause.ts';
import { factWords, isKnownReason, moneyWords } from '../../console/src/purchases/facts.ts';
import { formatFor } from '../../console/src/writing.ts';
import type { RefusalCode } from '../../src/connector/connector.ts';
import { type Fact, type FactCode, factCodes } from '../../src/purchases/facts/facts.ts';
import { states } from '../../src/purchases/purchase.ts';
import { codeOfRefusal } from '../../src/purchases/replay/answers.ts';
import { moneyCodes } from '../../src/purchases/review/money.ts';

const sayEnglish = createSay(english);
const sayPersian = createSay(persian);
const inEnglish = (fact: Fact): string => factWords(fact, sayEnglish, formatFor('en'));
const inPersian = (fact: Fact): string => factWords(fact, sayPersian, formatFor('fa'));

const at = 1_769_851_800_000;
const last = { code: 'no_answer_within', values: { ms: 5000 } } as const;
const marked = { by: 'آنا', reason: 'دیده شد', forced: false };

/** One fact of each code, with Persian words where a person or a connector wrote them. */
const facts: { readonly [Code in FactCode]: Extract<Fact, { code: Code }>['values'] } = {
  text: { text: 'قطع شد' },
  error: { name: 'PRICE_MISMATCH' },
  attempt: { attempt: 1 },
  no_answer_within: { ms: 5000 },
  connection_failed: { name: '۱۲' },
  answer_unlisted: { status: 502, contentType: 'text/html' },
  order_pending: {},
  settings_unusable: {},
  answered_delivered: {},
  answered_reversed: {},
  answered_refused: {},
  answered_pending: {},
  not_found: {},
  not_found_yet: {},
  ordered_again: { attempt: 2 },
  sent_again: { attempt: 2 },
  refused_again: { reason: 'مسدود است' },
  resend_over: {},
  operator_unreachable: { operator: 3 },
  operator_removed: { operator: 3 },
  reported_delivered: { at },
  reported_reversed: { at: null },
  called_back: {},
  called_back_delivered: {},
  called_back_reversed: { at },
  called_back_refused: { reason: 'مسدود است' },
  moved_on: { supplier: 12 },
  left_reversed: { supplier: 101 },
  left_delivered: { supplier: 12 },
  may_be_elsewhere: {},
  late_delivered: {},
  late_refused: { reason: 'مسدود است' },
  reversed: { at },
  said_delivered: {},
  said_reversed: { at },
  said_refused: { reason: 'مسدود است' },
  said_not_found: {},
  marked_delivered: marked,
  marked_not_delivered: marked,
  now_delivered: {},
  now_reversed: { at },
  now_refused: { reason: 'مسدود است' },
  now_not_found: {},
  now_not_found_yet: {},
  now_pending: {},
  now_no_answer: { last },
  operator_not_configured: { operator: 3 },
  no_inquiries: { operator: 3 },
  operator_in_process: { operator: 3 },
  operator_settings_unreadable: { operator: 3, reason: 'کلید' },
  unresolved: { inquiries: 1234, last },
};

test('every fact has words in both languages, complete and unmixed', () => {
  for (const code of factCodes) {
    const fact = { code, values: { ...facts[code] } };
    const [inEn, inFa] = [
      factWords(fact, sayEnglish, formatFor('en')),
      factWords(fact, sayPersian, formatFor('fa')),
    ];
    for (const words of [inEn, inFa]) {
      assert.doesNotMatch(words, /%\{|undefined|null/, code);
      assert.notEqual(words.trim(), '', code);
    }
    // A status is a code, and has Latin digits.
    assert.doesNotMatch(inFa.replace('(کد 502)', ''), /[a-z0-9]/i, code);
    assert.equal(inFa.includes('(کد 502)'), code === 'answer_unlisted', code);
  }
});

test('values follow the language’s format, and others’ words stay', () => {
  const unresolved = { code: 'unresolved', values: facts.unresolved } as const;
  assert.equal(
    inEnglish(unresolved),
    'Not known after 1,234 inquiries: No answer within 5,000 milliseconds',
  );
  assert.match(inPersian(unresolved), /۱٬۲۳۴ استعلام .*۵٬۰۰۰ میلی‌ثانیه/);
  assert.match(inPersian({ code: 'late_refused', values: { reason: 'Barred' } }), /Barred$/);
  const words = 'Barred; ask the shop';
  assert.equal(inPersian({ code: 'text', values: { text: words } }), words);
  const unread = { code: 'reported_delivered', values: { at: null } } as const;
  assert.match(inEnglish(unread), /at a time that cannot be read$/);
});

test('a decision against the evidence says so', () => {
  for (const code of ['marked_delivered', 'marked_not_delivered'] as const) {
    for (const forced of [true, false]) {
      const fact = { code, values: { by: 'Ana', reason: 'seen', forced } } as const;
      assert.match(inPersian(fact), /^توسط Ana .+: seen$/);
      assert.equal(inPersian(fact).includes('برخلاف شواهد'), forced);
      assert.equal(inEnglish(fact).includes(' against the evidence: '), forced);
    }
  }
});

test('the effect on the money has words in both languages, with the amount', () => {
  for (const code of moneyCodes) {
    const money = { code, amount: 10_000 };
    const inEn = moneyWords(money, sayEnglish, formatFor('en'));
    const inFa = moneyWords(money, sayPersian, formatFor('fa'));
    assert.doesNotMatch(inFa, /[a-z]/i);
    if (code === 'unchanged') continue;
    assert.match(inEn, /^The held 10,000 is /);
    assert.match(inFa, /^۱۰٬۰۰۰ مسدودشده /);
  }
});

test('every reason and every state has words', () => {
  const refusals: readonly RefusalCode[] = [
    'declined',
    'unreachable',
    'out_of_stock',
    'out_of_funds',
    'throttled',
    'not_subscriber',
    'wrong_sim_type',
    'offer_gone',
    'price_changed',
  ];
  const judged = [
    'PRODUCT_NOT_FOUND',
    'PRODUCT_INACTIVE',
    'VALIDATION_FAILED',
    'OPERATOR_MISMATCH',
    'SIM_TYPE_MISMATCH',
    'PRICE_MISMATCH',
    'AMOUNT_OUT_OF_RANGE',
    'OFFER_NOT_FOUND',
    'LIKELY_DUPLICATE',
    'INSUFFICIENT_BALANCE',
    'ORDER_NOT_RECEIVED',
    'NOT_DELIVERED',
  ];
  for (const name of [...refusals.map(codeOfRefusal), ...judged]) {
    assert.ok(isKnownReason(name), name);
    assert.doesNotMatch(inPersian({ code: 'error', values: { name } }), /[a-z]/i);
  }
  assert.match(inEnglish({ code: 'error', values: { name: 'RETIRED' } }), /recorded as RETIRED/);
  for (const part of ['state', 'means', 'charged'] as const) {
    assert.deepEqual(Object.keys(english.purchaseWords[part]).sort(), [...states].sort());
  }
});

/** A failed purchase as the back office reads it. */
const failedBy = (name: string, reason?: string, by?: string): Ended => ({
  reason: { code: 'error', values: reason === undefined ? { name } : { name, reason } },
  decisions: by === undefined ? [] : [{ by, before: { state: 'review' } }],
});

test('the cause is who decided, the operator’s words, or the recorded error', () => {
  const cause = (purchase: Ended): string => causeOf(purchase, sayEnglish);
  const marked = 'Marked as not delivered by Ana.';
  const unheard = 'The operator has no record of the order: it never arrived, or was not accepted.';
  assert.equal(cause(failedBy('NOT_DELIVERED', undefined, 'Ana')), marked);
  assert.equal(cause(failedBy('ORDER_NOT_RECEIVED')), unheard);
  assert.equal(cause(failedBy('OPERATOR_DECLINED', 'Barred.')), 'The operator refused: Barred.');
  assert.equal(cause(failedBy('OPERATOR_DECLINED')), 'The operator refused.');
});
