/** Counts what was committed by minute and operator, in memory until it is written. */
import type { Clock } from '../../lib/clock.ts';
import { recordOf } from '../../lib/record.ts';
import type { Purchase } from '../purchase.ts';
import { bucketCount, bucketOf } from './buckets.ts';

export const countKinds = [
  'begun',
  'succeeded',
  'failed',
  'refused',
  'reversed',
  'amount',
] as const;

export type Counts = Record<(typeof countKinds)[number], number>;

/** Of one operator within a minute; `times` by bucket. */
export type Share = { readonly counts: Counts; readonly times: Float64Array };

/** By the start of the minute, and within it by operator. */
export type Taken = ReadonlyMap<number, ReadonlyMap<number, Share>>;

type Counted = Pick<Purchase, 'operatorId' | 'state' | 'charged'>;

export type Tally = {
  /** One was begun, or refused before that; it is committed. */
  readonly began: (purchase: Counted) => void;
  /** One has reached this state; it is committed. */
  readonly came: (purchase: Counted) => void;
  /** An operator took this long for an order. */
  readonly took: (operatorId: number, ms: number) => void;
  /** Takes out all counts; undefined if there are none. */
  readonly take: () => Taken | undefined;
  /** Puts counts back that could not be written. */
  readonly giveBack: (taken: Taken) => void;
};

export const noCounts = (): Counts => recordOf(countKinds, () => 0);

export const addCounts = (to: Counts, from: Readonly<Counts>): void => {
  for (const kind of countKinds) to[kind] += from[kind];
};

export const minuteMs = 60_000;

// Three hours without a successful write: some megabytes.
const mostMinutes = 180;

const noShare = (): Share => ({ counts: noCounts(), times: new Float64Array(bucketCount) });

const shareOf = (minute: Map<number, Share>, operatorId: number): Share => {
  const known = minute.get(operatorId);
  if (known !== undefined) return known;
  const share = noShare();
  minute.set(operatorId, share);
  return share;
};

const addShares = (to: Map<number, Share>, from: ReadonlyMap<number, Share>): void => {
  for (const [operatorId, { counts, times }] of from) {
    const share = shareOf(to, operatorId);
    addCounts(share.counts, counts);
    times.forEach((calls, bucket) => {
      share.times[bucket] = (share.times[bucket] ?? 0) + calls;
    });
  }
};

/** With too many minutes, the oldest counts as the one after it: only its time is lost. */
const foldOldest = (minutes: Map<number, Map<number, Share>>): void => {
  const starts = [...minutes.keys()].sort((one, other) => one - other);
  const extra = starts.slice(0, Math.max(0, starts.length - mostMinutes));
  const next = minutes.get(starts[extra.length] ?? 0);
  for (const start of extra) {
    const shares = minutes.get(start);
    if (next !== undefined && shares !== undefined) addShares(next, shares);
    minutes.delete(start);
  }
};

/** A count costs a clock reading and an addition; new entries are created once a minute. */
export const createTally = (clock: Pick<Clock, 'now'>): Tally => {
  let minutes = new Map<number, Map<number, Share>>();
  let start = Number.NaN;
  let current = new Map<number, Share>();

  const now = (operatorId: number | null): Share => {
    const time = clock.now();
    if (!(time >= start && time < start + minuteMs)) {
      start = time - (time % minuteMs);
      current = minutes.get(start) ?? new Map<number, Share>();
      minutes.set(start, current);
    }
    return shareOf(current, operatorId ?? 0);
  };

  return {
    began: ({ operatorId, state }) => {
      const { counts } = now(operatorId);
      if (state === 'refused') counts.refused += 1;
      else counts.begun += 1;
    },
    came: ({ operatorId, state, charged }) => {
      if (state !== 'succeeded' && state !== 'failed' && state !== 'reversed') return;
      const { counts } = now(operatorId);
      counts[state] += 1;
      if (state === 'succeeded') counts.amount += charged ?? 0;
    },
    took: (operatorId, ms) => {
      const { times } = now(operatorId);
      const bucket = bucketOf(ms);
      times[bucket] = (times[bucket] ?? 0) + 1;
    },
    take: () => {
      if (minutes.size === 0) return undefined;
      const taken = minutes;
      minutes = new Map();
      start = Number.NaN;
      return taken;
    },
    giveBack: (taken) => {
      for (const [at, shares] of taken) {
        const minute = minutes.get(at);
        if (minute === undefined) minutes.set(at, new Map(shares));
        else addShares(minute, shares);
      }
      foldOldest(minutes);
      // Its minute may be merged into another one by now.
      start = Number.NaN;
    },
  };
};

export const noTally: Pick<Tally, 'began' | 'came'> = { began: () => {}, came: () => {} };
