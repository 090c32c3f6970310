/** Finds the webhook messages sent about a purchase, without an index that purchases would have to write. */
import type { Db } from '../../db/types.ts';
import { idLowerBound } from '../../lib/random.ts';
import type { Purchase } from '../../purchases/purchase.ts';
import { messageIdFrom } from '../../webhooks/event.ts';
import { readSentMessages, type SentMessageRow } from './detail-store.ts';

// A message has the time of its step, because one transaction writes both; its id comes a little earlier,
// from the gateway's clock. The purchase's own id tells how far that clock is off.
const lookAroundMs = 30_000;

// The last steps of a purchase that was inquired about for days: its messages belong to the beginning and the
// end.
const mostSteps = 12;

/** The time in an id; undefined if it is not a UUIDv7. */
const timeOfId = (id: string): number | undefined => {
  const [, high, low] = /^([0-9a-f]{8})-([0-9a-f]{4})-7/.exec(id) ?? [];
  return high === undefined || low === undefined ? undefined : Number.parseInt(high + low, 16);
};

/**
 * Reads the messages of the client's endpoints within half a minute of each step. Messages of a gateway whose
 * clock is further off are not found.
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
