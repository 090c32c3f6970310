/** Implements the circuit breaker of one operator. Pure. */

/** What was asked: an order, or a question before it. */
export type Asked = 'order' | 'question';

/**
 * A refusal is an answer: an operator that refuses a barred subscriber is healthy. Everything that leaves the
 * outcome unknown counts as silence: a timeout, a reset, an unreadable answer.
 */
export type Heard = 'answer' | 'silence';

export type BreakerSettings = {
  /** The length of its window. */
  readonly windowMs: number;
  /** Below this many calls it does not judge: a few lost answers are not an outage. */
  readonly leastCalls: number;
  /** It opens when this percentage got no answer. */
  readonly silentPercent: number;
  /** How long it stays open before it admits trials. */
  readonly pauseMs: number;
  /** This many concurrent trials, and this many answers to close it. */
  readonly trials: number;
};

/** The counts of a part of the window. */
type Slice = { readonly from: number; readonly answers: number; readonly silences: number };

/**
 * Counts orders and questions separately, and remembers which opened the breaker: an operator that answers
 * questions and delivers nothing is not healthy.
 */
export type Breaker =
  | { readonly kind: 'closed'; readonly heard: Readonly<Record<Asked, readonly Slice[]>> }
  | { readonly kind: 'open'; readonly over: Asked; readonly until: number }
  | { readonly kind: 'trying'; readonly over: Asked; readonly answers: number };

export const closedBreaker: Breaker = { kind: 'closed', heard: { order: [], question: [] } };

// Fine enough that the window moves smoothly; it also bounds the memory.
const slicesInWindow = 10;

/** The breaker now: an open one whose pause is over is half-open. */
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
  const [first] = slices;
  const recent =
    first !== undefined && first.from <= now - windowMs
      ? slices.filter((slice) => slice.from > now - windowMs)
      : slices;
  const last = recent.at(-1);
  const { answers, silences } = last?.from === from ? last : { answers: 0, silences: 0 };
  const added =
    heard === 'answer'
      ? { from, answers: answers + 1, silences }
      : { from, answers, silences: silences + 1 };
  return last?.from === from ? recent.with(recent.length - 1, added) : [...recent, added];
};

const isSilent = (slices: readonly Slice[], settings: BreakerSettings): boolean => {
  let [silences, calls] = [0, 0];
  for (const slice of slices) {
    silences += slice.silences;
    calls += slice.answers + slice.silences;
  }
  return calls >= settings.leastCalls && silences * 100 >= calls * settings.silentPercent;
};

/** The breaker after a call with or without an answer. */
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
      // Calls from before it opened still end; they neither shorten nor extend the pause.
      return breaker;
    case 'trying': {
      if (heard === 'silence') return open;
      if (asked !== 'order' && asked !== breaker.over) return breaker;
      const answers = breaker.answers + 1;
      return answers >= settings.trials ? closedBreaker : { ...breaker, answers };
    }
  }
};

/** The breaker after an answered inquiry: the operator is alive, so trials start now. */
export const afterSignOfLife = (breaker: Breaker): Breaker =>
  breaker.kind === 'open' ? { kind: 'trying', over: breaker.over, answers: 0 } : breaker;

// A trial gives a result soon.
const trialMs = 1000;

/** How long new work has to wait, in milliseconds; 0 if it may start now, beside this many in flight. */
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
