/** Admits new work, by the operators' circuit breakers and by limits on work in flight. */
import type { Clock } from '../lib/clock.ts';
import { GatewayError } from '../lib/errors.ts';
import {
  type Asked,
  afterCall,
  afterSignOfLife,
  atTime,
  type Breaker,
  type BreakerSettings,
  closedBreaker,
  waitFor,
} from './breaker.ts';

export type Bounds = {
  /** Pieces of work under way in all, and for one operator. */
  readonly purchases: number;
  readonly purchasesPerOperator: number;
  /** Requests that wait for the end of what they do not drive themselves. */
  readonly waiting: number;
};

export type AdmissionDeps = {
  readonly clock: Pick<Clock, 'monotonic' | 'now'>;
  readonly bounds: Bounds;
  /** What an operator's connection carries at once, where that is less; undefined: anything. */
  readonly carries?: (operatorId: number) => number | undefined;
  readonly breaker: BreakerSettings;
  /** Operators that are suspended. */
  readonly suspended?: ReadonlySet<number>;
  /** Hears of each breaker that opens or closes. */
  readonly changed: (operatorId: number, kind: 'open' | 'closed') => void;
};

export type Admission = {
  /**
   * Lets work begin that will ask this operator, or none, and counts it until the returned function is
   * called. Throws `OPERATOR_UNAVAILABLE` or `OVERLOADED`: then nothing was done.
   */
  readonly enter: (operatorId: number | undefined) => () => void;
  /** A place among those who wait, until the returned function is called; undefined where all are taken. */
  readonly wait: () => (() => void) | undefined;
  /** Whether all new work is refused, because as much is under way as may be in all. */
  readonly full: () => boolean;
  /** Tells what came of asking an operator. */
  readonly recordOutcome: (operatorId: number, asked: Asked, outcome: Outcome) => void;
  /** How an operator's breaker stands, and how much is under way that asks it. */
  readonly state: (operatorId: number) => {
    readonly breaker: Breaker['kind'];
    /** By the wall clock, since when; undefined where it has been so from the beginning. */
    readonly since: number | undefined;
    readonly inFlight: number;
  };
  /** Tells that an operator has answered an inquiry. */
  readonly alive: (operatorId: number) => void;
};

/** Any outcome of a connector's. */
type Outcome = { readonly kind: string; readonly code?: unknown };

/** A refusal is the subscriber's fault, but for one: what could not even be sent. */
const isSilence = ({ kind, code }: Outcome): boolean =>
  kind === 'unknown' || (kind === 'refused' && code === 'unreachable');

// What is under way ends quickly, and another refusal costs little.
const retryAfterMs = 1000;

const headers = (ms: number) => ({ 'retry-after': String(Math.max(1, Math.ceil(ms / 1000))) });

// Made once: where most is refused, a trace for each would be a good part of what that costs.
const refusal = new GatewayError('OVERLOADED', { headers: headers(retryAfterMs) });

export const overloaded = (): GatewayError => refusal;

const resting = (ms: number): GatewayError =>
  new GatewayError('OPERATOR_UNAVAILABLE', {
    message: {
      en: 'The mobile operator is not responding, so no order was sent. Nothing was charged. Send the request again later.',
      fa: 'اپراتور پاسخ نمی‌دهد و سفارشی فرستاده نشد. مبلغی کسر نشد؛ بعداً دوباره بفرستید.',
    },
    headers: headers(ms),
  });

// A person has to act before a repeat can do any good.
const suspendedMs = 30_000;

const suspension = new GatewayError('OPERATOR_UNAVAILABLE', {
  message: {
    en: 'Sales for this mobile operator are suspended. Nothing was charged. Send the request again later.',
    fa: 'فروش این اپراتور موقتاً متوقف است. مبلغی کسر نشد؛ بعداً دوباره بفرستید.',
  },
  headers: headers(suspendedMs),
});

/** A counter of what is under way, up to a bound, which may change. */
const createPlaces = (most: () => number) => {
  let taken = 0;
  return {
    taken: () => taken,
    full: () => taken >= most(),
    /** The returned function gives the place back, once however often it is called. */
    take: (): (() => void) => {
      taken += 1;
      let left = false;
      return () => {
        if (!left) taken -= 1;
        left = true;
      };
    },
  };
};

/** Each operator's breaker, and since when it is as it is. */
const createBreakers = ({ clock, changed }: Pick<AdmissionDeps, 'clock' | 'changed'>) => {
  const breakers = new Map<number, Breaker>();
  const changedAt = new Map<number, number>();
  const breakerOf = (id: number): Breaker => breakers.get(id) ?? closedBreaker;

  /** An open one tries by itself when its pause is over; undefined where it is as it was from the beginning. */
  const sinceOf = (id: number): number | undefined => {
    const breaker = breakerOf(id);
    const over = breaker.kind === 'open' ? clock.monotonic() - breaker.until : -1;
    return over < 0 ? changedAt.get(id) : clock.now() - over;
  };

  const become = (id: number, after: Breaker): void => {
    const before = atTime(breakerOf(id), clock.monotonic());
    if (after.kind !== before.kind) {
      changedAt.set(id, clock.now());
      if (after.kind !== 'trying') changed(id, after.kind);
    } else if (after.kind === 'trying') {
      changedAt.set(id, sinceOf(id) ?? clock.now());
    }
    breakers.set(id, after);
  };

  return { breakerOf, sinceOf, become };
};

export const createAdmission = (deps: AdmissionDeps): Admission => {
  const { clock, bounds, carries, suspended, breaker: settings } = deps;
  const inAll = createPlaces(() => bounds.purchases);
  const waiting = createPlaces(() => bounds.waiting);
  const { breakerOf, sinceOf, become } = createBreakers(deps);
  const perOperator = new Map<number, ReturnType<typeof createPlaces>>();

  const placesOf = (id: number): ReturnType<typeof createPlaces> => {
    const known = perOperator.get(id);
    if (known !== undefined) return known;
    // What finds no free connection would be refused for good, where it need only come again.
    const most = (): number =>
      Math.min(bounds.purchasesPerOperator, carries?.(id) ?? Number.POSITIVE_INFINITY);
    const places = createPlaces(most);
    perOperator.set(id, places);
    return places;
  };

  const enterOperator = (id: number): (() => void) => {
    if (suspended?.has(id) === true) throw suspension;
    const places = placesOf(id);
    // The breaker first: a silent operator fills its places too, and its silence is the better reason.
    const ms = waitFor(breakerOf(id), clock.monotonic(), places.taken(), settings);
    if (ms > 0) throw resting(ms);
    if (places.full()) throw overloaded();
    return places.take();
  };

  return {
    enter: (operatorId) => {
      const leaveOperator = operatorId === undefined ? () => {} : enterOperator(operatorId);
      if (inAll.full()) {
        leaveOperator();
        throw overloaded();
      }
      const leave = inAll.take();
      return () => {
        leaveOperator();
        leave();
      };
    },
    full: inAll.full,
    wait: () => (waiting.full() ? undefined : waiting.take()),
    recordOutcome: (id, asked, outcome) => {
      const heard = isSilence(outcome) ? 'silence' : 'answer';
      become(id, afterCall(breakerOf(id), { asked, heard }, clock.monotonic(), settings));
    },
    state: (id) => ({
      breaker: atTime(breakerOf(id), clock.monotonic()).kind,
      since: sinceOf(id),
      inFlight: placesOf(id).taken(),
    }),
    alive: (id) => become(id, afterSignOfLife(breakerOf(id))),
  };
};
