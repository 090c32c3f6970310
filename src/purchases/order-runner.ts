/** Runs orders that begin in this process to their end, even after their request is gone. */
import type { Operator } from '../operators/registry.ts';
import type { BeginResult } from './commit/begin.ts';
import type { PurchaseDeps } from './deps.ts';
import { attempt, type Submitted } from './order.ts';
import { isOpen, type Purchase } from './purchase.ts';

/** What was begun or found; `started` is the monotonic time before it was written. */
export type Begun = BeginResult & { readonly started: number };

/** Counts orders in flight, also those without a waiting request. */
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

  /** A started order never ends in an error: recovery repairs what fails here. */
  const run = async (submitted: Submitted): Promise<Purchase> => {
    const { purchase } = submitted;
    tracker.begin();
    try {
      return await attempt(deps, submitted);
    } catch (err) {
      deps.log.error({ err, purchase: purchase.id }, 'an attempt broke off');
      return purchase;
    } finally {
      tracker.end();
    }
  };

  return {
    /**
     * Orders what began here and releases its slot when that ends, or at once if there is nothing to order. A
     * fencing number above 1 belongs to recovery: then it only waits.
     */
    runOrder: (
      begun: Begun | undefined,
      operator: Operator | undefined,
      leave: () => void,
    ): Promise<Purchase> | undefined => {
      if (begun?.ours === true && isOpen(begun.purchase) && begun.purchase.fence === 1) {
        const { purchase, started } = begun;
        if (operator !== undefined) return run({ purchase, operator, started, leave });
      }
      leave();
      return undefined;
    },
    whenIdle: tracker.whenIdle,
  };
};
