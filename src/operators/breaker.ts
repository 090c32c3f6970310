/** Implements the circuit breaker of one operator. Pure. */

/** What was asked: to deliver, or something on the way to that. */
export type Asked = 'order' | 'question';

/**
 * A no is an answer like a yes: an operator that refuses a barred subscriber is in good health. Silence is all
 * that leaves the outcome unknown: a timeout, a reset, nonsense.
 */
export type Heard = 'answer' | 'silence';

export type BreakerSettings = {
  /** How far back it looks. */
  readonly windowMs: number;
  /** Below so many it does not judge: a few lost answers are no outage. */
  readonly leastCalls: number;
  /** It opens where so many in a hundred were met with silence. */
  readonly silentPercent: number;
  /** How long it stays open before it lets trials through. */
  readonly pauseMs: number;
  /** So many trials at once, and so many answers that close it. */
  readonly trials: number;
};

/** What was heard in a part of the window. */
type Slice = { readonly from: number; readonly answers: number; readonly silences: number };

/**
 * Orders and questions are counted apart, and the breaker remembers over which it opened: an operator
 * that tells subscribers well and delivers nothing is not in good health.
 */
export type Breaker =
  | { readonly kind: 'closed'; readonly heard: Readonly<Record<Asked, readonly Slice[]>> }
  | { readonly kind: 'open'; readonly over: Asked; readonly until: number }
  | { readonly kind: 'trying'; readonly over: Asked; readonly answers: number };

export const closedBreaker: Breaker = { kind: 'closed', heard: { order: [], question: [] } };

// Fine enough that the window moves smoothly; the memory is bounded by it.
const slicesInWindow = 10;

/** The breaker as it is now: an open one whose pause is over tries. */
export const atTime = (breaker: Breaker, now: number): Breaker =>
  breaker.kind === 'open' && now >= breaker.until
    ? { kind: 'trying', over: breaker.over, answers: 0 }
    : breaker;

const add = (
  slices: readonly Slice[],
  heard: Heard,
  now: number,
  { windowMs }: BreakerSettings,
): readonly Slice[] => {
  const width = windowMs / slicesInWindow;
  const from = Math.floor(now / width) * width;
  const recent = slices.filter((slice) => slice.from > now - windowMs);
  const last = recent.at(-1);
  const current = last?.from === from ? last : { from, answers: 0, silences: 0 };
  const before = current === last ? recent.slice(0, -1) : recent;
  const added =
    heard === 'answer'
      ? { ...current, answers: current.answers + 1 }
      : { ...current, silences: current.silences + 1 };
  return [...before, added];
};

const isSilent = (slices: readonly Slice[], settings: BreakerSettings): boolean => {
  const silences = slices.reduce((sum, slice) => sum + slice.silences, 0);
  const calls = slices.reduce((sum, slice) => sum + slice.answers, silences);
  return calls >= settings.leastCalls && silences * 100 >= calls * settings.silentPercent;
};

/** The breaker after an operator was asked, and answered or did not. */
export const afterCall = (
  before: Breaker,
  call: { readonly asked: Asked; readonly heard: Heard },
  now: number,
  settings: BreakerSettings,
): Breaker => {
  const breaker = atTime(before, now);
  const { asked, heard } = call;
  const open: Breaker = { kind: 'open', over: asked, until: now + settings.pauseMs };
  switch (breaker.kind) {
    case 'closed': {
      const slices = add(breaker.heard[asked], heard, now, settings);
      if (isSilent(slices, settings)) return open;
      const { order, question } = breaker.heard;
      return {
        kind: 'closed',
        heard: asked === 'order' ? { order: slices, question } : { order, question: slices },
      };
    }
    case 'open':
      // Calls from before it opened still end one by one; they neither shorten the pause nor draw it out.
      return breaker;
    case 'trying': {
      if (heard === 'silence') return open;
      if (asked !== 'order' && asked !== breaker.over) return breaker;
      const answers = breaker.answers + 1;
      return answers >= settings.trials ? closedBreaker : { ...breaker, answers };
    }
  }
};

/** The breaker after the operator answered an inquiry: it lives, so trials need not wait any longer. */
export const afterSignOfLife = (breaker: Breaker): Breaker =>
  breaker.kind === 'open' ? { kind: 'trying', over: breaker.over, answers: 0 } : breaker;

// A trial tells soon.
const trialMs = 1000;

/** How long new work has to wait, in milliseconds; 0 where it may go now, beside so many under way. */
export const waitFor = (
  before: Breaker,
  now: number,
  inFlight: number,
  { trials }: BreakerSettings,
): number => {
  const breaker = atTime(before, now);
  if (breaker.kind === 'open') return breaker.until - now;
  return breaker.kind === 'trying' && inFlight >= trials ? trialMs : 0;
};
