/** Begins a purchase although the acknowledgement of its commit may be lost: retries under the same id. */
import { isNotCommitted } from '../../db/errors.ts';
import { GatewayError } from '../../lib/errors.ts';
import type { PurchaseDeps } from '../deps.ts';
import type { Begun } from '../order-runner.ts';
import { type BeginItem, GateClosed, sellsNothing } from './begin.ts';
import { retryTransaction } from './retry.ts';

const pauseMs = 50;

/**
 * Begins; where the acknowledgement of the commit is lost, again under the same id, which finds it if it is there.
 * Undefined: it is unknown whether it has begun.
 */
export const beginSurely = async (
  deps: PurchaseDeps,
  item: BeginItem,
): Promise<Begun | undefined> => {
  let [surelyNothing, started, cause]: [boolean, number, unknown] = [true, 0, undefined];
  const begin = async (): Promise<Begun> => {
    // What an earlier attempt may have written has its time to send from then on.
    if (surelyNothing) started = deps.clock.monotonic();
    // It may have been closed since it was let in, while the purchase was judged or by an earlier attempt.
    if (surelyNothing) deps.gate?.pass();
    const mayBeWritten = !surelyNothing;
    return { ...(await deps.transact.begin({ ...item, started, mayBeWritten })), started };
  };
  const begun = await retryTransaction({ clock: deps.clock, pauseMs }, begin, (err, tried) => {
    if (err instanceof GateClosed && surelyNothing) {
      throw deps.gate?.shut() ?? new GatewayError('DATABASE_UNAVAILABLE', {}, { cause: err });
    }
    // The gate's: it is an answer, and no fault of the database.
    if (err instanceof GatewayError) throw err;
    deps.log.error({ err, purchase: item.requested.id, tried }, 'a purchase could not be begun');
    cause = err;
    surelyNothing &&= isNotCommitted(err) || sellsNothing(err);
  });
  if (begun === undefined && surelyNothing) {
    throw new GatewayError('DATABASE_UNAVAILABLE', {}, { cause });
  }
  return begun;
};
