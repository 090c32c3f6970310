/** Tests that tasks run one at a time and in order, also after one that fails. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextTurn } from './clock.ts';
import { createOneAtATime } from './one-at-a-time.ts';

test('tasks run one at a time, in order, and only the one that fails rejects', async () => {
  const run = createOneAtATime();
  const seen: string[] = [];
  const task = (name: string) => async () => {
    seen.push(`${name} begins`);
    await nextTurn();
    seen.push(`${name} ends`);
    if (name === 'b') throw new Error('It failed.');
    return name;
  };
  const results = await Promise.allSettled(['a', 'b', 'c'].map((name) => run(task(name))));
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  const whole = ['a', 'b', 'c'].flatMap((name) => [`${name} begins`, `${name} ends`]);
  assert.deepEqual(seen, whole);
});
