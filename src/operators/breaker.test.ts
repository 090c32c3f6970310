/** Tests when a circuit breaker opens and closes, and that it never stays open for good. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  type Asked,
  afterCall,
  afterSignOfLife,
  atTime,
  type Breaker,
  type BreakerSettings,
  closedBreaker,
  type Heard,
  waitFor,
} from './breaker.ts';

const settings: BreakerSettings = {
  windowMs: 1000,
  leastCalls: 4,
  silentPercent: 50,
  pauseMs: 500,
  trials: 2,
};

type Call = { readonly asked: Asked; readonly heard: Heard; readonly at: number };

const after = (breaker: Breaker, calls: readonly Call[]): Breaker =>
  calls.reduce((before, { at, ...call }) => afterCall(before, call, at, settings), breaker);

const calls = (count: number, heard: Heard, at = 0, asked: Asked = 'order'): Call[] =>
  Array.from({ length: count }, () => ({ asked, heard, at }));

const opened = after(closedBreaker, calls(4, 'silence'));
const isOpen = (breaker: Breaker): boolean => breaker.kind === 'open';

describe('A closed breaker', () => {
  test('opens when half of at least the minimum of orders got no answer', () => {
    assert.equal(after(closedBreaker, calls(3, 'silence')).kind, 'closed');
    assert.equal(opened.kind, 'open');
    const even = [...calls(3, 'answer'), ...calls(2, 'silence')];
    assert.equal(after(closedBreaker, even).kind, 'closed');
    assert.equal(after(closedBreaker, [...even, ...calls(1, 'silence')]).kind, 'open');
  });

  test('counts orders and questions separately: answered questions do not hide lost orders', () => {
    const told = calls(100, 'answer', 0, 'question');
    assert.equal(after(closedBreaker, [...told, ...calls(4, 'silence')]).kind, 'open');
    const few = [...calls(3, 'silence'), ...calls(3, 'silence', 0, 'question')];
    assert.equal(after(closedBreaker, few).kind, 'closed');
  });

  test('forgets what is older than its window', () => {
    const late = [...calls(3, 'silence', 0), ...calls(3, 'silence', 1100)];
    assert.equal(after(closedBreaker, late).kind, 'closed');
    const soon = [...calls(3, 'silence', 0), ...calls(1, 'silence', 900)];
    assert.equal(after(closedBreaker, soon).kind, 'open');
  });

  test('admits any number in flight', () => {
    assert.equal(waitFor(closedBreaker, 0, 1_000_000, settings), 0);
  });
});

describe('An open breaker', () => {
  test('admits nothing until its pause ends, and then trials', () => {
    assert.equal(waitFor(opened, 0, 0, settings), 500);
    assert.equal(waitFor(opened, 499, 0, settings), 1);
    assert.equal(waitFor(opened, 500, 0, settings), 0);
    assert.equal(waitFor(opened, 500, 1, settings), 0);
    assert.ok(waitFor(opened, 500, 2, settings) > 0, 'no more trials at once than allowed');
  });

  test('ignores calls that began before it opened', () => {
    assert.deepEqual(after(opened, calls(9, 'silence', 100)), opened);
    assert.deepEqual(after(opened, calls(9, 'answer', 100)), opened);
  });

  test('tries at once when the operator answers an inquiry', () => {
    const trying = afterSignOfLife(opened);
    assert.equal(waitFor(trying, 0, 1, settings), 0);
    assert.ok(waitFor(trying, 0, 2, settings) > 0);
    assert.equal(afterSignOfLife(closedBreaker), closedBreaker);
  });

  test('closes after as many answers as trials, and opens again at the first timeout', () => {
    const first = after(opened, calls(1, 'answer', 500));
    assert.equal(first.kind, 'trying');
    assert.equal(after(first, calls(1, 'answer', 600)).kind, 'closed');
    const again = after(first, calls(1, 'silence', 600));
    assert.equal(waitFor(again, 600, 0, settings), 500);
  });

  test('that opened because of orders is not closed by answers to questions', () => {
    assert.equal(after(opened, calls(9, 'answer', 500, 'question')).kind, 'trying');
    const overQuestions = after(closedBreaker, calls(4, 'silence', 0, 'question'));
    assert.equal(after(overQuestions, calls(2, 'answer', 500, 'question')).kind, 'closed');
    assert.equal(after(overQuestions, calls(2, 'answer', 500, 'order')).kind, 'closed');
  });

  test('starts with an empty memory when it has closed', () => {
    const closed = after(opened, calls(2, 'answer', 500));
    assert.equal(after(closed, calls(3, 'silence', 510)).kind, 'closed');
  });
});

const askedArbitrary = fc.constantFrom<Asked>('order', 'question');
const history = (heard: fc.Arbitrary<Heard>): fc.Arbitrary<Call[]> =>
  fc
    .array(fc.record({ asked: askedArbitrary, heard, pause: fc.nat(400) }), { maxLength: 80 })
    .map((steps) => {
      let at = 0;
      return steps.map(({ pause, ...call }) => ({ ...call, at: (at += pause) }));
    });
const anything = history(fc.constantFrom<Heard>('answer', 'silence'));

describe('Whatever happens', () => {
  test('answers alone never open it, even if many are refusals', () => {
    fc.assert(
      fc.property(history(fc.constant('answer')), (past) => {
        assert.equal(after(closedBreaker, past).kind, 'closed');
      }),
    );
  });

  test('it opens exactly when a plain count over its window says so', () => {
    fc.assert(
      fc.property(anything, (past) => {
        const index = past.findIndex((_, end) =>
          isOpen(after(closedBreaker, past.slice(0, end + 1))),
        );
        const width = settings.windowMs / 10;
        const silent = (end: number): boolean => {
          const last = past[end];
          if (last === undefined) return false;
          const recent = past
            .slice(0, end + 1)
            .filter(
              ({ asked, at }) =>
                asked === last.asked &&
                Math.floor(at / width) * width > last.at - settings.windowMs,
            );
          const silences = recent.filter(({ heard }) => heard === 'silence').length;
          return recent.length >= 4 && silences * 2 >= recent.length;
        };
        assert.equal(
          index,
          past.findIndex((_, end) => silent(end)),
        );
      }),
    );
  });

  test('after a pause without results it admits new work', () => {
    fc.assert(
      fc.property(anything, (past) => {
        const later = (past.at(-1)?.at ?? 0) + settings.pauseMs;
        assert.equal(waitFor(after(closedBreaker, past), later, 0, settings), 0);
      }),
    );
  });

  test('two answered orders after a pause close it', () => {
    fc.assert(
      fc.property(anything, (past) => {
        const before = after(closedBreaker, past);
        const later = (past.at(-1)?.at ?? 0) + settings.pauseMs;
        const end = after(before, calls(2, 'answer', later));
        if (before.kind !== 'closed') assert.equal(end.kind, 'closed');
      }),
    );
  });

  test('no wait is longer than the pause or a trial, and time alone never opens it', () => {
    fc.assert(
      fc.property(anything, fc.nat(2000), fc.nat(5), (past, ms, inFlight) => {
        const breaker = after(closedBreaker, past);
        const now = (past.at(-1)?.at ?? 0) + ms;
        assert.ok(waitFor(breaker, now, inFlight, settings) <= 1000);
        assert.ok(isOpen(breaker) || !isOpen(atTime(breaker, now)));
      }),
    );
  });

  test('its memory is bounded', () => {
    fc.assert(
      fc.property(anything, (past) => {
        assert.ok(JSON.stringify(after(closedBreaker, past)).length < 2000);
      }),
    );
  });
});
