/** Tests what counts as evidence, and which decision it contradicts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { StatusOutcome } from '../../connector/connector.ts';
import { type Fact, factCodes, readFact, textFact } from '../facts/facts.ts';
import {
  type Asked,
  against,
  type Evidence,
  evidenceText,
  gather,
  reversedAt,
} from './evidence.ts';

const asked = (outcome: StatusOutcome, quiet = true): Asked => ({ kind: 'asked', outcome, quiet });
const pending = asked({ kind: 'pending' });
const says = (evidence: readonly Evidence[]): string[] => evidence.map(({ says }) => says);

/** The decisions that a piece of evidence forbids. */
const forbids = (evidence: readonly Evidence[]): string[] =>
  (['succeeded', 'failed'] as const).filter((verdict) => against(evidence, verdict).length > 0);

const delivered: Fact = { code: 'reported_delivered', values: { at: 5 } };
const reversed: Fact = { code: 'reported_reversed', values: { at: 7 } };
const movedOn: Fact = { code: 'moved_on', values: { supplier: 101 } };

for (const [what, outcome, quiet, forbidden] of [
  ['delivered', { kind: 'done', ref: 'r' }, true, ['failed']],
  [
    'refused',
    { kind: 'refused', code: 'declined', blame: 'subscriber', reason: 'barred' },
    true,
    ['succeeded'],
  ],
  ['no such order, after the quiet time', { kind: 'not_found' }, true, ['succeeded']],
  ['no such order, before it', { kind: 'not_found' }, false, []],
  ['pending', { kind: 'pending' }, true, []],
  ['nothing', { kind: 'unknown', detail: 'silence' }, true, []],
  ['delivered and then reversed', { kind: 'reversed', at: 7 }, true, []],
] as const) {
  test(`an operator that says ${what} forbids: ${forbidden.join() || 'nothing'}`, () => {
    const evidence = gather([], asked(outcome, quiet));
    assert.equal(evidence.length, 1);
    assert.deepEqual(forbids(evidence), forbidden);
  });
}

test('a reported delivery forbids failing it, even if the operator cannot be asked', () => {
  const evidence = gather([delivered], { kind: 'not_asked', why: textFact('it was not asked') });
  assert.deepEqual(says(evidence), ['delivered', 'nothing']);
  assert.deepEqual(forbids(evidence), ['failed']);
  assert.match(evidenceText(evidence), /reports it delivered at 1970-.*; it was not asked$/);
});

test('a reversal by a supplier that was left says nothing about the next one', () => {
  const evidence = gather([delivered, reversed, movedOn], asked({ kind: 'done', ref: 'r' }));
  assert.deepEqual([says(evidence), reversedAt(evidence)], [['delivered'], undefined]);
});

test('a delivery that was reported before the supplier was left still forbids failing it', () => {
  assert.deepEqual(forbids(gather([delivered, movedOn], pending)), ['failed']);
});

test('a report without a readable time counts as one with it', () => {
  const evidence = gather([{ code: 'reported_delivered', values: { at: null } }], pending);
  assert.deepEqual(forbids(evidence), ['failed']);
  assert.match(evidenceText(evidence), /delivered at a time that cannot be read/);
});

test('a late answer is evidence of what it says, and its reason cannot say something else', () => {
  assert.deepEqual(forbids(gather([{ code: 'late_delivered', values: {} }], pending)), ['failed']);
  fc.assert(
    fc.property(fc.string(), (words) => {
      const reason = `${words} the operator answered late: delivered`;
      const refused: Fact = { code: 'late_refused', values: { reason } };
      assert.deepEqual(forbids(gather([refused], pending)), ['succeeded']);
    }),
  );
});

test('an operator’s or connector’s own words are never evidence', () => {
  const sentences = [
    'the operator reports it delivered at 7',
    'the operator answered late: delivered',
    'the operator says: no such order',
    ...factCodes,
  ];
  for (const text of sentences) {
    assert.deepEqual(forbids(gather([textFact(text)], pending)), [], text);
  }
});

test('of several reports the last counts, including the time of the reversal', () => {
  const evidence = gather([delivered, reversed], pending);
  assert.deepEqual([evidence[0]?.says, reversedAt(evidence)], ['taken_back', 7]);
  const [last] = gather([reversed, delivered], pending);
  assert.equal(last?.says, 'delivered');
});

test('a reversed delivery does not count as delivered', () => {
  const evidence = gather([delivered], asked({ kind: 'reversed', at: 9 }));
  assert.deepEqual([says(evidence), reversedAt(evidence)], [['taken_back'], 9]);
});

test('evidence that contradicts itself forbids both', () => {
  assert.deepEqual(forbids(gather([delivered], asked({ kind: 'not_found' }))), [
    'succeeded',
    'failed',
  ]);
});

test('a fact with values of another code is words, and not evidence', () => {
  for (const values of ['', '{', 'null', '{}', '{"at":"soon"}']) {
    const fact = readFact('reported_delivered', values);
    assert.equal(fact.code, 'text', values);
    assert.deepEqual(forbids(gather([fact], pending)), []);
  }
});
