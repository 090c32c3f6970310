/** Finds the webhook messages sent about a purchase, without an index that purchases would have to write. */
import type { Db } from '../../db/types.ts';
import { idLowerBound } from '../../lib/random.ts';
import type { Purchase } from '../../purchases/purchase.ts';
import { messageIdFrom } from '../../webhooks/event.ts';
import { readSentMessages, type SentMessageRow } from './store.ts';

// A message is written in the transaction of its step and has the step's time; its id is made a little before,
// by a gateway's clock. By how much that clock differs from the database's the purchase's own id tells.
const lookAroundMs = 30_000;

// The last steps of one that was asked about for days: what was told of it was told at its beginning and end.
const mostSteps = 12;

/** The time at which an id was made; undefined where it is no UUIDv7. */
const timeOfId = (id: string): number | undefined => {
  const [, high, low] = /^([0-9a-f]{8})-([0-9a-f]{4})-7/.exec(id) ?? [];
  return high === undefined || low === undefined ? undefined : Number.parseInt(high + low, 16);
};

/**
 * Looks at the messages of the client's endpoints that were made within half a minute of each step. What another
 * gateway told whose clock is further off is not found.
 */
export const messagesAbout = async (
  db: Db,
  purchase: Purchase,
  notedAt: readonly number[],
): Promise<SentMessageRow[]> => {
  const skew = purchase.beganAt - (timeOfId(purchase.id) ?? purchase.beganAt);
  const settledAt = purchase.settledAt === null ? [] : [purchase.settledAt];
  const times = [...new Set([...notedAt, ...settledAt])].sort((one, other) => one - other);
  const steps =
    times.length > mostSteps ? [...times.slice(0, 1), ...times.slice(1 - mostSteps)] : times;
  const found: SentMessageRow[] = [];
  for (const at of steps) {
    const made = at - skew;
    const ids = {
      from: messageIdFrom(idLowerBound(Math.max(made - lookAroundMs, 0))),
      before: messageIdFrom(idLowerBound(Math.max(made + lookAroundMs, 0))),
    };
    found.push(...(await readSentMessages(db, purchase, { at, ids })));
  }
  return found;
};
