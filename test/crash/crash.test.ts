/** Runs a short crash test: a real server is killed under load, and nothing is bought twice or lost. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { temporaryFolders } from '../support/command.ts';
import { crash } from './crash.ts';

const folder = temporaryFolders();

test('a server that is killed again and again delivers every key once, and its books are right', {
  timeout: 900_000,
}, async (t) => {
  const report = await crash({
    folder: folder(),
    seed: 7,
    kills: 7,
    buyers: 8,
    points: [
      'after begin',
      'before commit',
      'after commit',
      'after a message to the operator is written',
      "after the operator's answer",
      'before the answer to the client',
    ],
    terms: 1,
    halts: 0,
    restores: 0,
    putBacks: 0,
    // Each of these is passed in every life, however late.
    pointMs: 180_000,
    say: (line) => t.diagnostic(line),
  });
  const { doubles, lost, contradictions, open, cutOff, books, gate } = report;
  assert.deepEqual(
    { doubles, lost, contradictions, open, cutOff, books, gate },
    { doubles: [], lost: [], contradictions: [], open: [], cutOff: [], books: [], gate: [] },
  );
  assert.ok(report.byPoint >= 6, 'a point was never passed');
  assert.ok(report.deliveries > 0 && report.answers.has('200'), 'nothing was sold');
});
