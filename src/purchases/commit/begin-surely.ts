/** Begins a purchase although the acknowledgement of its commit may be lost: retries under the same id. */
import { isNotCommitted } from '../../db/errors.ts';
import { GatewayError } from '../../lib/errors.ts';
import type { PurchaseDeps } from '../deps.ts';
import type { Begun } from '../order-runner.ts';
import { type BeginItem, GateClosed, sellsNothing } from './begin.ts';
import { retryTransaction } from './retry.ts';

const pauseMs = 50;

/**
 * Begins; if the commit's acknowledgement is lost, retries under the same id, which finds the purchase if it
 * exists. Undefined: it is unknown whether it has begun.
 */
export const beginSurely = async (
  deps: PurchaseDeps,
  item: BeginItem,
): Promise<Begun | undefined> => {
  let [surelyNothing, started, cause]: [boolean, number, unknown] = [true, 0, undefined];
  const begin = async (): Promise<Begun> => {
    // The time to send counts from the earliest attempt that may have written it.
    if (surelyNothing) started = deps.clock.monotonic();
    // The gate may have closed since the purchase was admitted.
    if (surelyNothing) deps.gate?.pass();
    const mayBeWritten = !surelyNothing;
    return { ...(await deps.transact.begin({ ...item, started, mayBeWritten })), started };
  };
  const begun = await retryTransaction({ clock: deps.clock, pauseMs }, begin, (err, tried) => {
    if (err instanceof GateClosed && surelyNothing) {
      throw deps.gate?.shut() ?? new GatewayError('DATABASE_UNAVAILABLE', {}, { cause: err });
    }
    // The gate's error is an answer, not a fault of the database.
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
