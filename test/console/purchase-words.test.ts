/** Tests that the console has words in both languages for everything the gateway reports about a purchase. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { own as english } from '../../console/src/i18n/en/index.ts';
import { own as persian } from '../../console/src/i18n/fa/index.ts';
import { createSay } from '../../console/src/i18n/say.ts';
import { causeOf, type Ended } from '../../console/src/purchases/cause.ts';
import { isKnownReason, translate } from '../../console/src/purchases/purchase-words.ts';
import { formatFor } from '../../console/src/writing.ts';
import type { RefusalCode, StatusOutcome } from '../../src/connector/connector.ts';
import { begin, isOpen, type Purchase, states } from '../../src/purchases/purchase.ts';
import { codeOfRefusal } from '../../src/purchases/replay/answers.ts';
import { gather } from '../../src/purchases/review/evidence.ts';
import { type Move, type SettleContext, stepOf } from '../../src/purchases/settle.ts';
import { purchaseRequestOf, termsOfWorld } from '../support/purchase-world.ts';

const sayEnglish = createSay(english);
const sayPersian = createSay(persian);
const inEnglish = (text: string): string => translate(text, sayEnglish, formatFor('en'));
const inPersian = (text: string): string => translate(text, sayPersian, formatFor('fa'));

/** Fails where a sentence is shown as the gateway wrote it, or has holes. */
const assertTold = (sentence: string): void => {
  for (const told of [inEnglish(sentence), inPersian(sentence)]) {
    assert.notEqual(told, sentence);
    assert.doesNotMatch(told, /%\{|undefined/, sentence);
  }
  assert.doesNotMatch(inPersian(sentence), /[a-z]/i, sentence);
};

const outcomes: readonly StatusOutcome[] = [
  { kind: 'done', ref: 'r' },
  { kind: 'refused', code: 'declined', reason: 'no' },
  { kind: 'unknown', detail: 'no answer within 5000 ms' },
  { kind: 'pending' },
  { kind: 'not_found' },
  { kind: 'reversed', at: 1_769_851_800_000 },
];

const contextOf = (terms: Partial<SettleContext['terms']>): SettleContext => ({
  terms: { ...termsOfWorld, ...terms },
  chance: 0,
  refusal: { code: 'OPERATOR_DECLINED' },
});

const begun = begin(purchaseRequestOf({ clientId: 'c', id: 'i' }), 0, {
  sendBefore: 1,
  quietAt: 10,
  dueAt: 20,
}).after;

/** What a move leaves in a purchase for people to read. */
const saidBy = (move: Move, purchase: Purchase, now: number): string[] => {
  const step = stepOf(move)(purchase, now);
  assert.ok(step !== undefined, move.kind);
  const { reason, disputed } = step.after;
  return [reason, disputed, step.note?.detail].filter((text) => typeof text === 'string');
};

test('every word of the course of a purchase is said in both languages', () => {
  const late = { ...begun, inquiries: 5 };
  for (const outcome of outcomes) {
    for (const context of [
      contextOf({}),
      contextOf({ deduplicates: true, reviewAfterMs: 1_000_000 }),
    ]) {
      for (const [purchase, now] of [
        [begun, 5],
        [begun, 1000],
        [late, 100_000],
      ] as const) {
        const move = { kind: 'inquiry', outcome, context, askedAt: now } as const;
        for (const sentence of saidBy(move, purchase, now)) assertTold(sentence);
      }
    }
  }
  for (const kind of ['delivered', 'reversed'] as const) {
    const failing = stepOf({
      kind: 'order',
      outcome: { kind: 'refused', code: 'declined', reason: 'no' },
      context: contextOf({}),
    })(begun, 5);
    assert.ok(failing !== undefined && !isOpen(failing.after));
    for (const at of [1_769_851_800_000, null]) {
      const report = { kind: 'report', report: { ref: 'r', at, kind }, seenNotes: 0 } as const;
      for (const sentence of saidBy(report, failing.after, 6)) assertTold(sentence);
    }
  }
  for (const sentence of saidBy({ kind: 'no operator' }, begun, 5)) assertTold(sentence);
  const answer = { kind: 'late answer', context: contextOf({}), attempts: 1 } as const;
  const delivered = { ...answer, outcome: { kind: 'done', ref: 'r' } } as const;
  for (const sentence of saidBy(delivered, begun, 5)) assertTold(sentence);
  assert.match(inPersian('the operator answered late: refused (Barred)'), /Barred$/);
  for (const marked of ['delivered', 'not delivered']) {
    for (const against of ['', ' against the evidence']) {
      assert.match(inPersian(`marked as ${marked} by Ana${against}: seen`), /^توسط Ana .+: seen$/);
      assert.match(
        inEnglish(`marked as ${marked} by Ana${against}: seen`),
        new RegExp(`^Marked as ${marked} by Ana${against}: seen$`),
      );
    }
  }
  assert.equal(inEnglish('failed, decided by Ana: seen'), 'Marked as not delivered by Ana: seen');
  assertTold('attempt 1');
  assertTold('the operator took it back at 1769851800000');
  assertTold('the operator took it back at a time that cannot be read');
});

test('evidence is said in both languages, and an operator’s own words stay', () => {
  const reports = [
    ...['delivered', 'reversed'].flatMap((kind) =>
      ['7', 'a time that cannot be read'].map((at) => `the operator reports it ${kind} at ${at}`),
    ),
    'the operator answered late: delivered',
    'the operator answered late: refused (no)',
    'the operator says: delivered',
    'the operator says: taken back at 7',
    'the operator says: no such order',
    'the operator says: refused (no)',
  ];
  for (const report of reports.filter((text) => !text.includes('refused'))) assertTold(report);
  for (const report of reports) {
    for (const outcome of outcomes.filter(({ kind }) => kind !== 'refused')) {
      for (const quiet of [true, false]) {
        for (const { text } of gather([report], { kind: 'asked', outcome, quiet })) {
          assertTold(text);
        }
      }
    }
  }
  const why = 'operator 9 is not configured and was not asked';
  for (const { text } of gather([], { kind: 'not_asked', why })) assertTold(text);
  assert.match(inPersian('the operator was asked just now and says: Barred'), /Barred$/);
  assert.equal(inPersian('Barred; ask the shop'), 'Barred; ask the shop');
});

test('what becomes of the money is said in both languages, with the amount', () => {
  const sentences = [
    '10000 that was held goes back to the client, and the key answers 422 from now on.',
    '10000 that was held becomes the sale and then goes back to the client, because the operator took it back; the key answers 200 from now on.',
    '10000 that was held becomes the sale, and the key answers 200 from now on.',
  ];
  for (const sentence of sentences) {
    assertTold(sentence);
    assert.match(inEnglish(sentence), /^The held 10,000 is /);
    assert.match(inPersian(sentence), /^۱۰٬۰۰۰ مسدودشده /);
  }
  assert.doesNotMatch(inPersian('No money moves and the recorded answer stays: …'), /[a-z]/i);
});

test('every reason that a purchase can carry has its words, and every state', () => {
  const refusals: readonly RefusalCode[] = [
    'declined',
    'unreachable',
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
  for (const code of [...refusals.map(codeOfRefusal), ...judged]) {
    assert.ok(isKnownReason(code), code);
    assertTold(code);
  }
  for (const part of ['state', 'means', 'charged'] as const) {
    assert.deepEqual(Object.keys(english.purchaseWords[part]).sort(), [...states].sort());
  }
});

/** A failed purchase as the back office reads it. */
const failedBy = (reason: string, words: string, by?: string): Ended => ({
  reason,
  answer: {
    body: JSON.stringify({
      message: `The mobile operator did not deliver: ${words}. Nothing was charged.`,
    }),
  },
  decisions: by === undefined ? [] : [{ by, before: { state: 'review' } }],
});

test('what nobody refused is not told as refused, nor what was recorded so before', () => {
  const cause = (purchase: Ended): string => causeOf(purchase, sayEnglish, formatFor('en'));
  const marked = 'Marked as not delivered by Ana.';
  const unheard = 'The operator has no record of the order: it never arrived, or was not accepted.';
  assert.equal(cause(failedBy('NOT_DELIVERED', '', 'Ana')), marked);
  assert.equal(cause(failedBy('OPERATOR_DECLINED', 'that was found out by hand', 'Ana')), marked);
  assert.equal(cause(failedBy('ORDER_NOT_RECEIVED', '')), unheard);
  assert.equal(cause(failedBy('OPERATOR_DECLINED', 'it knows of no such order')), unheard);
  assert.equal(cause(failedBy('OPERATOR_DECLINED', 'Barred')), 'The operator refused: Barred.');
});
