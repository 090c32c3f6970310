/** Tests that database faults are logged with limits, and reported only while they last. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualClock } from '../../test/support/manual-clock.ts';
import { createDatabaseHealth } from './health.ts';

const full = Object.assign(new Error('database or disk is full'), { errcode: 13 });
// The extended code of an error in writing.
const failing = Object.assign(new Error('disk I/O error'), { errcode: 778 });

const createStage = () => {
  const clock = manualClock();
  const lines: unknown[][] = [];
  const write = (...line: unknown[]): void => void lines.push(line);
  const trouble = createDatabaseHealth({ warn: write, error: write }, clock);
  return { clock, lines, trouble };
};

test('a fault that affects every request logs one line per kind every ten seconds, with a count of the rest', async () => {
  const { clock, lines, trouble } = createStage();
  for (let count = 0; count < 1000; count += 1) {
    trouble.log.error({ err: full, purchase: count }, 'could not begin');
  }
  trouble.log.error({ err: full }, 'could not settle');
  assert.deepEqual(lines, [
    [
      { trouble: 'the disk or the database is full', err: full, purchase: 0, leftOut: 0 },
      'could not begin',
    ],
    [{ trouble: 'the disk or the database is full', err: full, leftOut: 0 }, 'could not settle'],
  ]);
  await clock.advance(10_000);
  trouble.log.error({ err: failing }, 'could not begin');
  assert.deepEqual(lines.at(-1), [
    { trouble: 'the disk fails, or takes no more', err: failing, leftOut: 999 },
    'could not begin',
  ]);
});

test('other errors are logged immediately', () => {
  const { lines, trouble } = createStage();
  for (const err of [new Error('wrong'), undefined]) {
    trouble.log.error({ err }, 'text');
    trouble.log.error({ err }, 'text');
    trouble.log.warn({ err }, 'text');
  }
  trouble.log.warn({ err: full }, 'text');
  assert.equal(lines.length, 7);
  assert.equal(trouble.now(), undefined);
});

test('it is reported for five seconds after it last occurred', async () => {
  const { clock, trouble } = createStage();
  assert.equal(trouble.now(), undefined);
  trouble.log.error({ err: full }, 'text');
  await clock.advance(4000);
  trouble.log.error({ err: failing }, 'text');
  await clock.advance(4999);
  assert.equal(trouble.now(), 'the disk fails, or takes no more');
  await clock.advance(1);
  assert.equal(trouble.now(), undefined);
});
