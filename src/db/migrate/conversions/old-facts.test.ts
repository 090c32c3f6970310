/** Tests that each sentence of earlier versions becomes the code and values that it stands for. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { factOfDispute, factOfNote, factOfReason, factOfRestore } from './old-facts.ts';

const notes = [
  ['order', 'no answer within 5000 ms', 'no_answer_within', { ms: 5000 }],
  ['order', 'the operator took the order: pending', 'order_pending', {}],
  ['order', 'the connection failed: ECONNRESET', 'connection_failed', { name: 'ECONNRESET' }],
  [
    'order',
    'the operator answered HTTP 502, text/html, which is not on the list',
    'answer_unlisted',
    { status: 502, contentType: 'text/html' },
  ],
  [
    'inquiry',
    'the operator answered HTTP 502, no type, which is not on the list',
    'answer_unlisted',
    { status: 502, contentType: '' },
  ],
  ['inquiry', 'it has no settings that can be used', 'settings_unusable', {}],
  ['inquiry', 'done', 'answered_delivered', {}],
  ['inquiry', 'refused', 'answered_refused', {}],
  ['inquiry', 'reversed', 'answered_reversed', {}],
  ['inquiry', 'the operator says that it is pending', 'answered_pending', {}],
  ['inquiry', 'the operator knows no such order', 'not_found', {}],
  ['inquiry', 'the operator knows no such order, which is no proof yet', 'not_found_yet', {}],
  [
    'inquiry',
    'the operator knows no such order: submitted again, attempt 2',
    'ordered_again',
    { attempt: 2 },
  ],
  [
    'inquiry',
    'operator 3 cannot be asked from any running instance',
    'operator_unreachable',
    { operator: 3 },
  ],
  [
    'inquiry',
    'operator null cannot be asked from any running instance',
    'operator_unreachable',
    { operator: null },
  ],
  ['inquiry', 'operator 3 is not configured any more', 'operator_removed', { operator: 3 }],
  ['report', 'the operator reports it delivered at 7', 'reported_delivered', { at: 7 }],
  ['report', 'the operator reports it reversed at 7', 'reported_reversed', { at: 7 }],
  ['late answer', 'the operator answered late: delivered', 'late_delivered', {}],
  [
    'late answer',
    'the operator answered late: refused (a line\n(broken))',
    'late_refused',
    { reason: 'a line\n(broken)' },
  ],
  ['testimony', 'the operator says: delivered', 'said_delivered', {}],
  ['testimony', 'the operator says: taken back at 9', 'said_reversed', { at: 9 }],
  ['testimony', 'the operator says: no such order', 'said_not_found', {}],
  ['testimony', 'the operator says: refused (barred)', 'said_refused', { reason: 'barred' }],
  [
    'contradiction',
    'recorded as failed, and the operator reports it delivered at 7',
    'reported_delivered',
    { at: 7 },
  ],
  [
    'contradiction',
    'recorded as failed, and the operator answered late: delivered',
    'late_delivered',
    {},
  ],
  ['reversal', 'the operator took it back at 7', 'reversed', { at: 7 }],
  [
    'decision',
    'marked as delivered by Ana: seen: twice',
    'marked_delivered',
    { by: 'Ana', reason: 'seen: twice', forced: false },
  ],
  [
    'decision',
    'marked as not delivered by Ana against the evidence: seen',
    'marked_not_delivered',
    { by: 'Ana', reason: 'seen', forced: true },
  ],
  [
    'decision',
    'marked as delivered by Ana: it was decided against the evidence: she said',
    'marked_delivered',
    { by: 'Ana', reason: 'it was decided against the evidence: she said', forced: false },
  ],
  [
    'dispute closed',
    'failed, decided by Ana: seen',
    'marked_not_delivered',
    { by: 'Ana', reason: 'seen', forced: false },
  ],
  [
    'dispute closed',
    'succeeded, decided by Ana against the evidence: seen',
    'marked_delivered',
    { by: 'Ana', reason: 'seen', forced: true },
  ],
] as const;

for (const [kind, text, code, values] of notes) {
  test(`a note of the kind "${kind}", ${JSON.stringify(text)}, is ${code}`, () => {
    assert.deepEqual(factOfNote(kind, text), { code, values });
  });
}

test('an unreadable time is null', () => {
  for (const at of ['a time that cannot be read', '1763280000000000000', '1e+21', '-5', 'NaN']) {
    const text = `the operator reports it delivered at ${at}`;
    assert.deepEqual(factOfNote('report', text), {
      code: 'reported_delivered',
      values: { at: null },
    });
  }
});

test('an unknown text stays, and so does a sentence of another kind', () => {
  const isText = (kind: string, text: string): void =>
    assert.deepEqual(factOfNote(kind, text), { code: 'text', values: { text } });
  fc.assert(fc.property(fc.constantFrom('order', 'report', 'a kind'), fc.string(), isText));
  // An operator's own words, on which no decision may be based.
  for (const text of ['the operator reports it delivered at 7', 'the operator says: delivered']) {
    isText('inquiry', text);
    isText('order', text);
  }
  isText('late answer', 'the operator reports it delivered at 7');
});

test('the reason of an open purchase is its last fact, or that it was given up after it', () => {
  assert.deepEqual(factOfReason('not known after 5 inquiries: no answer within 5000 ms'), {
    code: 'unresolved',
    values: { inquiries: 5, last: { code: 'no_answer_within', values: { ms: 5000 } } },
  });
  assert.deepEqual(factOfReason('not known after 5 inquiries: the answer is torn'), {
    code: 'unresolved',
    values: { inquiries: 5, last: { code: 'text', values: { text: 'the answer is torn' } } },
  });
  for (const [kind, text, code, values] of notes) {
    if (['contradiction', 'reversal', 'decision', 'dispute closed'].includes(kind)) continue;
    assert.deepEqual(factOfReason(text), { code, values }, text);
  }
  // A client that reads it again finds the same words.
  const odd = 'the operator reports it delivered at 1763280000000000000';
  assert.deepEqual(factOfReason(odd), { code: 'text', values: { text: odd } });
  assert.deepEqual(factOfReason('socket hang up'), {
    code: 'text',
    values: { text: 'socket hang up' },
  });
});

test('a dispute is what contradicts the recorded end', () => {
  assert.deepEqual(
    factOfDispute('recorded as failed, and the operator reports it delivered at 7'),
    { code: 'reported_delivered', values: { at: 7 } },
  );
});

test('the result of asking an operator about a restore', () => {
  assert.deepEqual(factOfRestore('it has told all that it delivered'), {
    code: 'complete',
    values: {},
  });
  assert.deepEqual(factOfRestore('it gave no answer (no answer within 9 ms); asked again'), {
    code: 'no_answer',
    values: { last: { code: 'no_answer_within', values: { ms: 9 } } },
  });
  assert.deepEqual(factOfRestore('else'), { code: 'text', values: { text: 'else' } });
});
