/** Provides tests with a real admission whose limits they never reach. */
import type { Clock } from '../../src/lib/clock.ts';
import { type Admission, createAdmission } from '../../src/operators/admission.ts';
import type { BreakerSettings } from '../../src/operators/breaker.ts';

export const breakerOfTests: BreakerSettings = {
  windowMs: 10_000,
  leastCalls: 20,
  silentPercent: 50,
  pauseMs: 10_000,
  trials: 3,
};

export const wideAdmission = (clock: Pick<Clock, 'monotonic' | 'now'>): Admission =>
  createAdmission({
    clock,
    bounds: { purchases: 10_000, purchasesPerOperator: 10_000, waiting: 10_000 },
    breaker: breakerOfTests,
    changed: () => {},
  });
