/** Provides a clock that tests advance by hand, with timers in a fixed order. */
import type { Clock } from '../../src/lib/clock.ts';

export type ManualClock = Clock & {
  /** Lets `ms` pass: due timers run in order, and the work of each runs before the next. */
  readonly advance: (ms: number) => Promise<void>;
  /** How many timers are active, to test that nothing is left behind. */
  readonly pending: () => number;
};

type Timer = { readonly due: number; readonly run: () => void };

// An immediate runs only once the microtask queue is empty, however long its chains are.
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** When work in real time is done; undefined if there is none. */
type Busy = () => Promise<void> | undefined;

const busy: Busy[] = [];

/** Stops time on every manual clock until it is done: for real work, such as that of a server. */
export const holdClocksFor = (work: Busy): void => {
  busy.push(work);
};

// Work moves from one real operation to the next within a turn or two.
const quietTurns = 4;

const drain = async (): Promise<void> => {
  await nextTurn();
  if (busy.length === 0) return;
  for (let quiet = 1; quiet < quietTurns; quiet += 1) {
    for (const work of busy) {
      const done = work();
      if (done === undefined) continue;
      // Awaited rather than polled: the server needs the core more.
      await done;
      quiet = 0;
    }
    await nextTurn();
  }
};

/** The wall clock starts at `start`, the monotonic one at zero. */
export const manualClock = (start = Date.UTC(2026, 0, 31, 9, 30)): ManualClock => {
  const timers = new Set<Timer>();
  let elapsed = 0;

  const nextDue = (target: number): Timer | undefined => {
    let next: Timer | undefined;
    // A set keeps the order of insertion, so of two timers due together the older one runs first.
    for (const timer of timers) {
      if (timer.due <= target && (next === undefined || timer.due < next.due)) next = timer;
    }
    return next;
  };

  return {
    now: () => start + elapsed,
    monotonic: () => elapsed,
    after: (ms, run) => {
      const timer = { due: elapsed + Math.max(ms, 0), run };
      timers.add(timer);
      return () => {
        timers.delete(timer);
      };
    },
    advance: async (ms) => {
      const target = elapsed + ms;
      await drain();
      for (let timer = nextDue(target); timer !== undefined; timer = nextDue(target)) {
        timers.delete(timer);
        elapsed = Math.max(elapsed, timer.due);
        timer.run();
        await drain();
      }
      elapsed = Math.max(elapsed, target);
      await drain();
    },
    pending: () => timers.size,
  };
};
