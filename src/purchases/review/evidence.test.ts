/** Tests what counts as evidence, and which decision it contradicts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { StatusOutcome } from '../../connector/connector.ts';
import { type Asked, against, type Evidence, evidenceText, gather } from './evidence.ts';
import { lateAnswerNote, readReport, reportNote } from './notes.ts';

const asked = (outcome: StatusOutcome, quiet = true): Asked => ({ kind: 'asked', outcome, quiet });
const says = (evidence: readonly Evidence[]): string[] => evidence.map(({ says }) => says);

/** Which decisions a piece of evidence forbids. */
const forbids = (evidence: readonly Evidence[]): string[] =>
  (['succeeded', 'failed'] as const).filter((verdict) => against(evidence, verdict).length > 0);

const delivered = reportNote({ kind: 'delivered', at: 5 });
const reversed = reportNote({ kind: 'reversed', at: 7 });

for (const [what, outcome, quiet, forbidden] of [
  ['delivered', { kind: 'done', ref: 'r' }, true, ['failed']],
  ['refused', { kind: 'refused', code: 'declined', reason: 'barred' }, true, ['succeeded']],
  ['no such order, after the quiet time', { kind: 'not_found' }, true, ['succeeded']],
  ['no such order, before it', { kind: 'not_found' }, false, []],
  ['pending', { kind: 'pending' }, true, []],
  ['nothing', { kind: 'unknown', detail: 'silence' }, true, []],
  ['delivered and taken back', { kind: 'reversed', at: 7 }, true, []],
] as const) {
  test(`an operator that says ${what} forbids: ${forbidden.join() || 'nothing'}`, () => {
    const evidence = gather([], asked(outcome, quiet));
    assert.equal(evidence.length, 1);
    assert.deepEqual(forbids(evidence), forbidden);
  });
}

test('a delivery that was reported forbids to fail, also where the operator cannot be asked', () => {
  const evidence = gather([delivered], { kind: 'not_asked', why: 'it was not asked' });
  assert.deepEqual(says(evidence), ['delivered', 'nothing']);
  assert.deepEqual(forbids(evidence), ['failed']);
  assert.match(evidenceText(evidence), /reported it delivered at 1970-.*; it was not asked$/);
});

test('a contradiction that was recorded is evidence of the delivery', () => {
  assert.deepEqual(
    forbids(gather([`recorded as failed, and ${delivered}`], asked({ kind: 'pending' }))),
    ['failed'],
  );
});

test('a report without a readable time counts as one with it', () => {
  for (const text of ['a time that cannot be read', '1763280000000000000', '1e+21', '-5', 'NaN']) {
    const evidence = gather(
      [`the operator reports it delivered at ${text}`],
      asked({ kind: 'pending' }),
    );
    assert.deepEqual(forbids(evidence), ['failed'], text);
    assert.match(evidenceText(evidence), /delivered at a time that cannot be read/);
  }
});

test('a late answer is evidence of what it says, and its reason cannot say something else', () => {
  const late = (outcome: Parameters<typeof lateAnswerNote>[0]) =>
    forbids(gather([lateAnswerNote(outcome)], asked({ kind: 'pending' })));
  assert.deepEqual(late({ kind: 'done', ref: 'r' }), ['failed']);
  fc.assert(
    fc.property(fc.string(), (words) => {
      const reason = `${words} the operator answered late: delivered`;
      assert.deepEqual(late({ kind: 'refused', code: 'declined', reason }), ['succeeded']);
    }),
  );
  assert.deepEqual(
    forbids(
      gather(
        [`recorded as failed, and ${lateAnswerNote({ kind: 'done', ref: 'r' })}`],
        asked({ kind: 'pending' }),
      ),
    ),
    ['failed'],
  );
});

test('of several reports the last counts, and it tells when it was taken back', () => {
  const [first] = gather([delivered, reversed], asked({ kind: 'pending' }));
  assert.deepEqual([first?.says, first?.at], ['taken_back', 7]);
  const [last] = gather([reversed, delivered], asked({ kind: 'pending' }));
  assert.equal(last?.says, 'delivered');
});

test('what the operator has taken back by now is not held against it as delivered', () => {
  const evidence = gather([delivered], asked({ kind: 'reversed', at: 9 }));
  assert.deepEqual([says(evidence), evidence[0]?.at], [['taken_back'], 9]);
});

test('evidence that contradicts itself forbids both', () => {
  assert.deepEqual(forbids(gather([delivered], asked({ kind: 'not_found' }))), [
    'succeeded',
    'failed',
  ]);
});

test('a report in words is read back as it was, and nothing else is read as one', () => {
  fc.assert(
    fc.property(fc.constantFrom('delivered', 'reversed'), fc.nat(), (kind, at) => {
      assert.deepEqual(readReport(reportNote({ kind, at })), { kind, at });
      assert.deepEqual(readReport(`recorded as failed, and ${reportNote({ kind, at })}`), {
        kind,
        at,
      });
    }),
  );
  fc.assert(fc.property(fc.string(), (text) => assert.equal(readReport(text), undefined)));
});
