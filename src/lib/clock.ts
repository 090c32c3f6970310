/** Provides time and timers as an argument; no other file reads the system clock. */

export type Clock = {
  /** The wall clock in epoch milliseconds. It may jump, so it only dates records. */
  readonly now: () => number;
  /** Milliseconds that never jump or go back. Deadlines are measured by it. */
  readonly monotonic: () => number;
  /** Calls `run` once after `ms`. The returned function cancels it. */
  readonly after: (ms: number, run: () => void) => () => void;
};

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, Math.max(ms, 0));
    return () => clearTimeout(timer);
  },
};

/** The wall clock at the start, advanced by monotonic time: it never jumps. */
export const steadyTime = (clock: Clock): (() => number) => {
  const offset = clock.now() - clock.monotonic();
  return () => Math.round(offset + clock.monotonic());
};

/** Runs `work` at the end of this turn of the event loop, when all pending events were handled. */
export const atEndOfTurn = (work: () => void): void => {
  setImmediate(work);
};

/** Runs `work` for each item, a few in a turn: events that arrive meanwhile are handled in between. */
export const inTurns = <T>(items: readonly T[], perTurn: number, work: (item: T) => void): void => {
  const left = items.values();
  const run = (): void => {
    for (let count = 0; count < perTurn; count += 1) {
      const next = left.next();
      if (next.done === true) return;
      work(next.value);
    }
    atEndOfTurn(run);
  };
  run();
};

/** Lets pending requests in; a single one waits some microseconds for it. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export const sleep = (clock: Clock, ms: number): Promise<void> =>
  new Promise((resolve) => {
    clock.after(ms, resolve);
  });

/** Returns a pause that keeps callers at least `ms` apart; a single caller never waits. */
export const createThrottle = (clock: Clock, ms: number): (() => Promise<void>) => {
  let next = clock.monotonic();
  return async () => {
    const rest = next - clock.monotonic();
    if (rest > 0) await sleep(clock, rest);
    next = clock.monotonic() + ms;
  };
};

/** The same by the system's own time, and a turn for pending events. It saves work and decides nothing. */
export const createSystemThrottle = (ms: number): (() => Promise<void>) => {
  const pace = createThrottle(systemClock, ms);
  return async () => {
    await pace();
    await nextTurn();
  };
};

/**
 * Runs `work` repeatedly with `ms` of pause in between, until the returned function stops it, which resolves
 * when nothing runs any more. It continues after a failure: to report one, catch it in the work.
 */
export const repeat = (
  clock: Clock,
  ms: number,
  work: () => Promise<void>,
): (() => Promise<void>) => {
  let stopped = false;
  let cancel = () => {};
  let running: Promise<void> = Promise.resolve();
  const next = (): void => {
    cancel = clock.after(ms, () => {
      const again = (): void => {
        if (!stopped) next();
      };
      running = work().then(again, again);
    });
  };
  next();
  return async () => {
    stopped = true;
    cancel();
    await running;
  };
};
