/** Counts what was sold: follows each client's postings by a cursor, in small batches, exactly once. */
import type { LockRetry } from '../../db/lock-retry.ts';
import type { Db } from '../../db/types.ts';
import { daysIn } from '../../lib/business-day.ts';
import { type Clock, createSystemThrottle, repeat } from '../../lib/clock.ts';
import type { Log } from '../../lib/log/log.ts';
import {
  type Lagging,
  listLagging,
  lockCursors,
  openCursors,
  type Range,
  readSold,
  saveCounted,
} from './store.ts';
import { rowsOf } from './sums.ts';
import { datedBy, knownRules } from './zone.ts';

export type CountDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly retryLocked: LockRetry;
  readonly log: Pick<Log, 'error'>;
  /** The business's time zone, as it is in the database now. */
  readonly timeZone: (db: Db) => Promise<string>;
  /** Called now and then while a long past is counted, and with 0 when that is done. */
  readonly postingsLeft?: (left: number) => void;
};

// How late the sums are: as often as the overview is sent.
export const countEveryMs = 2000;

// Some milliseconds of the thread that sells from a file.
const postingsAtOnce = 250;

// Leaves most of the time to purchases while a past of millions is counted.
const apartMs = 20;

/** Postings that a client has not counted; no more than a batch of them. */
const shareOf = ({ last, counted }: Lagging, most: number): number =>
  Math.min(last - (counted ?? 0), most);

/** Clients together, as long as they have few postings each. */
const batchesOf = (lagging: readonly Lagging[], most: number): Lagging[][] => {
  const batches: Lagging[][] = [];
  let room = 0;
  for (const one of lagging) {
    const share = shareOf(one, most);
    if (share > room) {
      batches.push([]);
      room = most;
    }
    batches.at(-1)?.push(one);
    room -= share;
  }
  return batches;
};

/**
 * Sums and cursors in one transaction. Of several instances one locks a cursor, and the others leave it; one
 * that comes later sees where it has moved to.
 */
const countBatch = (
  { db, retryLocked, timeZone }: CountDeps,
  batch: readonly Lagging[],
  most: number,
): Promise<void> =>
  retryLocked(() =>
    db.transaction().execute(async (db) => {
      const lastOf = new Map(batch.map(({ client_id, last }) => [client_id, last]));
      const cursors = await lockCursors(db, [...lastOf.keys()]);
      const zone = await timeZone(db);
      const dated = datedBy(zone, knownRules);
      const moves = cursors.map((cursor) => {
        const listed = lastOf.get(cursor.client_id) ?? 0;
        const upTo = Math.min(listed, cursor.last, cursor.seq + most);
        const range: Range = { clientId: cursor.client_id, after: cursor.seq, upTo };
        return { range, isRezoned: cursor.time_zone !== dated };
      });
      const behind = moves.filter(({ range }) => range.upTo > range.after);
      if (behind.length === 0) return;
      const ranges = behind.map(({ range }) => range);
      const rezoned = behind.filter(({ isRezoned }) => isRezoned).map(({ range }) => range);
      const dayAt = daysIn(zone);
      const sold = await readSold(db, ranges);
      const rows = rowsOf(sold, (moment) => dayAt(moment).date);
      await saveCounted(db, rows, { ranges, rezoned, zone: dated, sold });
    }),
  );

type Round = {
  /** How many postings this round left for the next. */
  readonly left: number;
};

type Pace = {
  readonly goOn?: () => boolean;
  /** Awaited after each batch. */
  readonly pause?: () => Promise<void>;
  /** The postings of a batch, and the most of one client in a round. */
  readonly most?: number;
};

/** Counts up to a batch of every client, so that one with a long past delays no other. */
export const countRound = async (
  deps: CountDeps,
  { goOn = () => true, pause = async () => {}, most = postingsAtOnce }: Pace = {},
): Promise<Round> => {
  const { db, retryLocked } = deps;
  const lagging = await listLagging(db);
  const fresh = lagging.filter(({ counted }) => counted === null);
  const freshIds = fresh.map(({ client_id }) => client_id);
  await retryLocked(() => openCursors(db, freshIds));
  for (const batch of batchesOf(lagging, most)) {
    if (!goOn()) break;
    await countBatch(deps, batch, most);
    await pause();
  }
  const leftOf = (one: Lagging): number => one.last - (one.counted ?? 0) - shareOf(one, most);
  return { left: lagging.reduce((sum, one) => sum + leftOf(one), 0) };
};

// Often enough for a person who waits for it.
const sayEveryMs = 10_000;

/** Counts repeatedly until the returned function ends it, and says how far a long past is. */
export const startCounting = (deps: CountDeps): (() => Promise<void>) => {
  const { clock, log, postingsLeft = () => {} } = deps;
  const pause = createSystemThrottle(apartMs);
  let stopped = false;
  let saidAt: number | undefined;
  const say = ({ left }: Round): void => {
    if (left === 0) {
      if (saidAt !== undefined) postingsLeft(0);
      saidAt = undefined;
    } else if (saidAt === undefined || clock.monotonic() - saidAt >= sayEveryMs) {
      saidAt = clock.monotonic();
      postingsLeft(left);
    }
  };
  const goOn = (): boolean => !stopped;
  const work = async (): Promise<void> => {
    try {
      for (let left = 1; left > 0 && goOn(); ) {
        const round = await countRound(deps, { goOn, pause });
        if (goOn()) say(round);
        left = round.left;
      }
    } catch (err) {
      log.error({ err }, 'cannot count what was sold');
    }
  };
  const stop = repeat(clock, countEveryMs, work);
  return async () => {
    stopped = true;
    await stop();
  };
};
