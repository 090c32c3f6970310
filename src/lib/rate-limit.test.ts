/** Tests the rate limiter against a token bucket counted in whole units. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { manualClock } from '../../test/support/manual-clock.ts';
import { rateHeaders, rateLimiter } from './rate-limit.ts';

// In steps of an eighth of a second the floating-point level is exact, so the model may be too.
const stepMs = 125;
const stepsPerSecond = 8;

const rate = fc.record({
  perSecond: fc.integer({ min: 1, max: 50 }),
  burst: fc.integer({ min: 1, max: 20 }),
});
const callers = ['a', 'b', 'constructor'];
const request = fc.record({
  wait: fc.oneof(fc.constant(0), fc.nat({ max: 20 })),
  caller: fc.constantFrom(...callers),
});

/** Counts in eighths of a request, which whole numbers hold exactly. */
const modelLimiter = (rate: { perSecond: number; burst: number }) => {
  const full = rate.burst * stepsPerSecond;
  const levels = new Map(callers.map((caller) => [caller, full]));
  return {
    wait: (steps: number): void => {
      for (const [caller, level] of levels) {
        levels.set(caller, Math.min(level + steps * rate.perSecond, full));
      }
    },
    ask: (caller: string) => {
      const level = levels.get(caller) ?? 0;
      const allowed = level >= stepsPerSecond;
      const left = allowed ? level - stepsPerSecond : level;
      levels.set(caller, left);
      const secondsTo = (target: number): number =>
        left >= target ? 0 : Math.ceil((target - left) / (rate.perSecond * stepsPerSecond));
      return {
        allowed,
        remaining: Math.floor(left / stepsPerSecond),
        retryAfter: secondsTo(stepsPerSecond),
        resetAfter: secondsTo(full),
      };
    },
  };
};

test('every decision equals that of a bucket per caller, counted in whole parts', async () => {
  await fc.assert(
    fc.asyncProperty(rate, fc.array(request, { maxLength: 60 }), async (rate, requests) => {
      const clock = manualClock();
      const limiter = rateLimiter(rate, clock);
      const model = modelLimiter(rate);
      for (const { wait, caller } of requests) {
        await clock.advance(wait * stepMs);
        model.wait(wait);
        assert.deepEqual(limiter(caller), model.ask(caller));
      }
    }),
    { numRuns: 200 },
  );
});

test('a caller that waits as long as Retry-After says is admitted', async () => {
  await fc.assert(
    fc.asyncProperty(rate, fc.nat({ max: 40 }), async (rate, extra) => {
      const clock = manualClock();
      const limiter = rateLimiter(rate, clock);
      let decision = limiter('a');
      for (let count = 0; count < rate.burst + extra; count += 1) decision = limiter('a');
      await clock.advance(decision.retryAfter * 1000);
      assert.ok(limiter('a').allowed);
    }),
  );
});

test('constant retries while refused do not delay admission', async () => {
  const clock = manualClock();
  const limiter = rateLimiter({ perSecond: 1, burst: 1 }, clock);
  assert.ok(limiter('a').allowed);
  for (let step = 1; step < stepsPerSecond; step += 1) {
    await clock.advance(stepMs);
    assert.ok(!limiter('a').allowed);
  }
  await clock.advance(stepMs);
  assert.ok(limiter('a').allowed);
});

test('peeking at a bucket takes nothing out of it, and creates none', () => {
  const limiter = rateLimiter({ perSecond: 1, burst: 1 }, manualClock());
  for (let count = 0; count < 3; count += 1) {
    assert.deepEqual(limiter('a', 0), {
      allowed: true,
      remaining: 1,
      retryAfter: 0,
      resetAfter: 0,
    });
  }
  assert.ok(limiter('a').allowed);
  for (let caller = 0; caller < 100_000; caller += 1) limiter(String(caller), 0);
  assert.deepEqual(limiter('a', 0), limiter('a'));
  assert.ok(!limiter('a', 0).allowed);
});

test('no pause, however long, brings more than the burst', async () => {
  const clock = manualClock();
  const limiter = rateLimiter({ perSecond: 5, burst: 3 }, clock);
  await clock.advance(3_600_000);
  const allowed = Array.from({ length: 10 }, () => limiter('a').allowed);
  assert.deepEqual(allowed, [true, true, true, ...Array.from({ length: 7 }, () => false)]);
});

test('beyond the maximum of callers, the longest-waiting one is forgotten', () => {
  const limiter = rateLimiter({ perSecond: 1, burst: 1 }, manualClock());
  limiter('first');
  limiter('second');
  for (let caller = 0; caller < 99_998; caller += 1) limiter(String(caller));
  assert.ok(!limiter('first').allowed, 'a hundred thousand are kept');
  limiter('one more');
  assert.ok(limiter('second').allowed, 'and not one more');
});

test('the headers say what is left, and how long to wait only if necessary', () => {
  const clock = manualClock();
  const rate = { perSecond: 2, burst: 5 };
  const limiter = rateLimiter({ ...rate, burst: 1 }, clock);
  assert.deepEqual(rateHeaders(rate, limiter('a')), {
    ratelimit: '"default";r=0;t=1',
    'ratelimit-policy': '"default";q=5;w=3',
  });
  assert.equal(rateHeaders(rate, limiter('a'))['retry-after'], '1');
});
