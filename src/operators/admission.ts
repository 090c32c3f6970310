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
import { isTestSupplier } from './supplier.ts';

export type Bounds = {
  /** Limits of work in flight, in total and for one operator. */
  readonly purchases: number;
  readonly purchasesPerOperator: number;
  /** Requests that wait for a purchase that they do not run themselves. */
  readonly waiting: number;
};

export type AdmissionDeps = {
  readonly clock: Pick<Clock, 'monotonic' | 'now'>;
  readonly bounds: Bounds;
  /** The capacity of an operator's connection, if lower; undefined: unlimited. */
  readonly carries?: (operatorId: number) => number | undefined;
  readonly breaker: BreakerSettings;
  /** Operators that are suspended. */
  readonly suspended?: ReadonlySet<number>;
  /** Called for each breaker that opens or closes. */
  readonly changed: (operatorId: number, kind: 'open' | 'closed') => void;
};

export type Admission = {
  /**
   * Admits work for this operator, or for none, and counts it until the returned function is called. Throws
   * `OPERATOR_UNAVAILABLE` or `OVERLOADED`: then nothing was done.
   */
  readonly enter: (operatorId: number | undefined) => () => void;
  /** A slot for a waiting request, until the returned function is called; undefined if all are taken. */
  readonly wait: () => (() => void) | undefined;
  /** Whether all new work is refused, because the total limit is reached. */
  readonly full: () => boolean;
  /** Records the outcome of a call to an operator. */
  readonly recordOutcome: (operatorId: number, asked: Asked, outcome: Outcome) => void;
  /** The state of an operator's breaker, and its work in flight. */
  readonly state: (operatorId: number) => {
    readonly breaker: Breaker['kind'];
    /** The wall-clock time since when; undefined if it has not changed since the start. */
    readonly since: number | undefined;
    readonly inFlight: number;
  };
  /** Records that an operator has answered an inquiry. */
  readonly alive: (operatorId: number) => void;
};

/** Any outcome of a connector. */
type Outcome = { readonly kind: string; readonly code?: unknown };

/** A refusal is the subscriber's fault, except an order that could not be sent. */
const isSilence = ({ kind, code }: Outcome): boolean =>
  kind === 'unknown' || (kind === 'refused' && code === 'unreachable');

// Work in flight ends quickly, and another refusal costs little.
const retryAfterMs = 1000;

const headers = (ms: number) => ({ 'retry-after': String(Math.max(1, Math.ceil(ms / 1000))) });

// Created once: under overload, a stack trace for each refusal would dominate its cost.
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

// A person has to act before a retry helps.
const suspendedMs = 30_000;

const suspension = new GatewayError('OPERATOR_UNAVAILABLE', {
  message: {
    en: 'Sales for this mobile operator are suspended. Nothing was charged. Send the request again later.',
    fa: 'فروش این اپراتور موقتاً متوقف است. مبلغی کسر نشد؛ بعداً دوباره بفرستید.',
  },
  headers: headers(suspendedMs),
});

/** Counts work in flight up to a limit, which may change. */
const createPlaces = (most: () => number) => {
  let taken = 0;
  return {
    taken: () => taken,
    full: () => taken >= most(),
    /** The returned function releases the slot, once however often it is called. */
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

/** Each operator's breaker, and the time of its last change. */
const createBreakers = ({ clock, changed }: Pick<AdmissionDeps, 'clock' | 'changed'>) => {
  const breakers = new Map<number, Breaker>();
  const changedAt = new Map<number, number>();
  const breakerOf = (id: number): Breaker => breakers.get(id) ?? closedBreaker;

  /** An open breaker goes half-open when its pause ends; undefined if it never changed. */
  const sinceOf = (id: number): number | undefined => {
    const breaker = breakerOf(id);
    const over = breaker.kind === 'open' ? clock.monotonic() - breaker.until : -1;
    return over < 0 ? changedAt.get(id) : clock.now() - over;
  };

  const become = (id: number, after: Breaker): void => {
    const before = atTime(breakerOf(id), clock.monotonic());
    if (after.kind !== before.kind) changedAt.set(id, clock.now());
    else if (after.kind === 'trying') changedAt.set(id, sinceOf(id) ?? clock.now());
    breakers.set(id, after);
    if (after.kind !== before.kind && after.kind !== 'trying') changed(id, after.kind);
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
    // Without a free connection it would be refused for good, although a retry would succeed.
    const most = (): number =>
      Math.min(bounds.purchasesPerOperator, carries?.(id) ?? Number.POSITIVE_INFINITY);
    const places = createPlaces(most);
    perOperator.set(id, places);
    return places;
  };

  const enterOperator = (id: number): (() => void) => {
    if (suspended?.has(id) === true) throw suspension;
    const places = placesOf(id);
    // The breaker first: an operator that does not answer fills its slots too, and the breaker is the better
    // reason.
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
      // The simulator is silent on purpose, by the number.
      if (isTestSupplier(id)) return;
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
