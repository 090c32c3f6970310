/** Runs orders that begin in this process to their end, even after their request is gone. */
import type { Operator } from '../operators/registry.ts';
import type { BeginResult } from './commit/begin.ts';
import type { PurchaseDeps } from './deps.ts';
import { attempt, type Submitted } from './order.ts';
import { isOpen, type Purchase } from './purchase.ts';

/** What was begun or found; `started` is the monotonic time before it was written. */
export type Begun = BeginResult & { readonly started: number };

/** Counts orders in flight, also those that no request waits for. */
const createTracker = () => {
  let going = 0;
  let waiting: (() => void)[] = [];
  return {
    begin: (): void => {
      going += 1;
    },
    end: (): void => {
      going -= 1;
      if (going > 0) return;
      const told = waiting;
      waiting = [];
      for (const tell of told) tell();
    },
    whenIdle: (): Promise<void> =>
      new Promise((resolve) => {
        if (going === 0) resolve();
        else waiting.push(resolve);
      }),
  };
};

export const createOrderRunner = (deps: PurchaseDeps) => {
  const tracker = createTracker();

  /** What has begun never ends in an error: what goes wrong here recovery puts right. */
  const run = async (submitted: Submitted, leave: () => void): Promise<Purchase> => {
    const { purchase } = submitted;
    tracker.begin();
    try {
      return await attempt(deps, submitted);
    } catch (err) {
      deps.log.error({ err, purchase: purchase.id }, 'an attempt broke off');
      return purchase;
    } finally {
      leave();
      tracker.end();
    }
  };

  return {
    /**
     * Orders what was begun here, and leaves its place when that has ended; where there is nothing to
     * order, at once. A number above 1 means that recovery has it: then it is only watched.
     */
    runOrder: (
      begun: Begun | undefined,
      operator: Operator | undefined,
      leave: () => void,
    ): Promise<Purchase> | undefined => {
      if (begun?.ours === true && isOpen(begun.purchase) && begun.purchase.fence === 1) {
        const { purchase, started } = begun;
        if (operator !== undefined) return run({ purchase, operator, started }, leave);
      }
      leave();
      return undefined;
    },
    whenIdle: tracker.whenIdle,
  };
};
