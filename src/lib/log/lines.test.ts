/** Tests when log lines are written: at once or buffered, always in order. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { bufferLines } from './lines.ts';

const createStage = () => {
  const written: string[] = [];
  const clock = manualClock();
  const lines = bufferLines({ write: (text) => void written.push(text) }, clock);
  return { written, clock, lines };
};

test('deferrable lines are written together, 50 ms after the first of them', async () => {
  const { written, clock, lines } = createStage();
  lines.later('1\n');
  await clock.advance(30);
  lines.later('2\n');
  await clock.advance(19);
  assert.deepEqual(written, []);
  await clock.advance(1);
  assert.deepEqual(written, ['1\n2\n']);
  lines.later('3\n');
  await clock.advance(50);
  assert.deepEqual(written, ['1\n2\n', '3\n']);
  assert.equal(clock.pending(), 0);
});

test('an urgent line is written at once, after the earlier ones', async () => {
  const { written, clock, lines } = createStage();
  lines.later('1\n');
  lines.write('2\n');
  assert.deepEqual(written, ['1\n', '2\n']);
  await clock.advance(50);
  assert.deepEqual(written, ['1\n', '2\n']);
  assert.equal(clock.pending(), 0);
});

test('the buffer is bounded, and written on flush', () => {
  const { written, lines } = createStage();
  const line = `${'x'.repeat(999)}\n`;
  for (let count = 0; count < 17; count += 1) lines.later(line);
  assert.deepEqual(written, [line.repeat(17)]);
  lines.later(line);
  lines.flush();
  lines.flush();
  assert.deepEqual(written, [line.repeat(17), line]);
});
