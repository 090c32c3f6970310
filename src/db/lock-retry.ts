/** Retries work while the database is locked, without blocking the thread. */
import { type Clock, sleep } from '../lib/clock.ts';
import { isLocked } from './errors.ts';

/** Runs work on the database, again if it was locked: then none of it was done. */
export type LockRetry = <T>(work: () => Promise<T>) => Promise<T>;

// Longer than a command beside the server holds the lock, shorter than an order may wait to be sent.
const patienceMs = 1000;

// A command takes milliseconds; a longer lock is not worth polling more often.
const firstPauseMs = 2;
const widestPauseMs = 64;

export const createLockRetry =
  (clock: Clock): LockRetry =>
  async (work) => {
    const until = clock.monotonic() + patienceMs;
    for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, widestPauseMs)) {
      try {
        return await work();
      } catch (error) {
        if (!isLocked(error) || clock.monotonic() + pause > until) throw error;
        await sleep(clock, pause);
      }
    }
  };
