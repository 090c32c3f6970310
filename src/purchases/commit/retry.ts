/** Retries a transaction of a purchase where the database fails for a moment. */
import { type Clock, sleep } from '../../lib/clock.ts';

const mostAttempts = 3;

/**
 * Returns the first result; undefined if every attempt failed. Calls `failed` for each error, which may throw
 * to stop. Pauses grow.
 */
export const retryTransaction = async <T>(
  { clock, pauseMs }: { readonly clock: Clock; readonly pauseMs: number },
  transact: () => Promise<T>,
  failed: (error: unknown, attempt: number) => void,
): Promise<T | undefined> => {
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    try {
      return await transact();
    } catch (error) {
      failed(error, attempt);
      await sleep(clock, pauseMs * attempt);
    }
  }
  return undefined;
};
