/** Tests that alarms do not flap, whatever is seen. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type AlarmState, nextState, type Step } from './state.ts';

const steadiness = { raiseAfterMs: 60_000, resolveAfterMs: 300_000 };
const levels = ['bad', 'near', 'clear'] as const;
type Level = (typeof levels)[number];
type Moment = { readonly level: Level; readonly afterMs: number };

type Lived = Moment & { readonly at: number; readonly step: Step };

/** What follows from each moment, one after another. */
const live = (moments: readonly Moment[], how = steadiness): Lived[] => {
  let [at, before]: [number, AlarmState | undefined] = [1_000_000, undefined];
  return moments.map((moment) => {
    at += moment.afterMs;
    const { level } = moment;
    const seen = level === 'clear' ? undefined : { level, facts: {} };
    const step = nextState(before, seen, how, at);
    before = step.after;
    return { ...moment, at, step };
  });
};

const moments = fc.array(
  fc.record({ level: fc.constantFrom(...levels), afterMs: fc.integer({ min: 0, max: 120_000 }) }),
  { maxLength: 60 },
);

const changesIn = (lived: readonly Lived[]): Lived[] =>
  lived.filter(({ step }) => step.change !== undefined);

test('an alarm is raised and resolved in turn, each after it was seen or gone for long enough', () => {
  fc.assert(
    fc.property(moments, (drawn) => {
      const lived = live(drawn);
      const changes = changesIn(lived);
      changes.forEach(({ step }, index) => {
        assert.equal(step.change, index % 2 === 0 ? 'raised' : 'resolved');
      });
      for (const change of changes) {
        const { at, step } = change;
        const isRaised = step.change === 'raised';
        const leastMs = isRaised ? steadiness.raiseAfterMs : steadiness.resolveAfterMs;
        const until = lived.slice(0, lived.indexOf(change) + 1);
        const broken = until.findLastIndex(({ level }) =>
          isRaised ? level !== 'bad' : level !== 'clear',
        );
        const began = until[broken + 1] ?? assert.fail('it follows from nothing');
        assert.ok(at - began.at >= leastMs, `${step.change} after ${at - began.at} ms`);
      }
    }),
  );
});

test('what is seen for long enough is always raised, and what is gone for long enough resolved', () => {
  fc.assert(
    fc.property(moments, (drawn) => {
      const rest = (level: Level): Moment[] => [
        { level, afterMs: 1 },
        { level, afterMs: steadiness.resolveAfterMs },
      ];
      const before = live([...drawn, ...rest('bad')]).at(-1)?.step.after;
      assert.equal(before?.state, 'raised');
      assert.equal(
        live([...drawn, ...rest('bad'), ...rest('clear')]).at(-1)?.step.after,
        undefined,
      );
    }),
  );
});

test('a value that swings around its threshold is one alarm', () => {
  const swing = Array.from({ length: 50 }, (_, index): Moment => {
    return { level: index % 2 === 0 ? 'bad' : 'near', afterMs: 10_000 };
  });
  const atOnce = { ...steadiness, raiseAfterMs: 0 };
  assert.deepEqual(
    changesIn(live(swing, atOnce)).map(({ step }) => step.change),
    ['raised'],
  );
});

test('after a step back of the clock an alarm is still raised and resolved', () => {
  const back = (level: Level): Moment[] => [
    { level, afterMs: 1000 },
    { level, afterMs: -900_000 },
    { level, afterMs: 300_000 },
  ];
  const changes = changesIn(live([...back('bad'), ...back('clear')]));
  assert.deepEqual(
    changes.map(({ step }) => step.change),
    ['raised', 'resolved'],
  );
});
