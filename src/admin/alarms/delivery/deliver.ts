/** Delivers the message of a channel that is due, under a lease, and records the result. */
import type { LockRetry } from '../../../db/lock-retry.ts';
import type { DatabaseTime } from '../../../db/types.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Random } from '../../../lib/random.ts';
import { afterAttempt, isDelivered, longestPause } from '../../../webhooks/delivery/attempt.ts';
import type { Sent } from '../../../webhooks/delivery/send.ts';
import {
  type ChannelName,
  type ChannelRow,
  claimMessage,
  finishAttempt,
  mostInMessage,
  readWanted,
} from '../store.ts';
import { type ChannelDeps, sendTo } from './channels.ts';
import { mailTimeoutMs } from './smtp.ts';

export type DeliverDeps = Omit<ChannelDeps, 'clock'> & {
  readonly clock: Clock;
  readonly databaseTime: DatabaseTime;
  readonly random: Random;
  readonly retryLocked: LockRetry;
  /** Whether new work may begin. */
  readonly running: () => boolean;
  /** Hears of each attempt. */
  readonly attempted: (channel: ChannelName, outcome: 'delivered' | 'failed') => void;
};

/** For an attempt and the work after it: an instance that has not recorded it by then counts as dead. */
export const leaseMs = mailTimeoutMs + 15_000;

// Short: after the last one a new message tells the same changes, and those that came meanwhile.
const pausesMs = [5_000, 60_000, 300_000, 600_000];
export const longestPauseMs = longestPause(pausesMs.length, pausesMs);

const noMessage = { message_id: null, message_until: null, due_at: null };

const after = (row: ChannelRow, sent: Sent, took: { at: number; ms: number; chance: number }) => {
  const { state, step, tried, due_at } = afterAttempt(row, { sent, ...took }, pausesMs);
  if (state === 'waiting') return { step, tried, due_at };
  // Given up: the next message has its changes.
  const told = state === 'delivered' && row.message_until !== null ? row.message_until : row.told;
  return { ...noMessage, step, tried, told };
};

/** Sends the message of a channel if it is due. */
export const deliverDue = async (deps: DeliverDeps, channel: ChannelName): Promise<void> => {
  const { db, clock, databaseTime, retryLocked } = deps;
  const now = await databaseTime(db);
  const claim = { channel, now, leaseUntil: now + leaseMs };
  const row = await retryLocked(() => claimMessage(db, claim));
  if (row === undefined || row.message_id === null || row.message_until === null) return;
  const range = { after: row.told, until: row.message_until, most: mostInMessage };
  const changes = await readWanted(db, range);
  const digest = { id: row.message_id, at: row.message_at ?? now, changes };
  const started = clock.monotonic();
  const sent = await sendTo(deps, channel, digest);
  // Nowhere to send it to: the next judgement clears it.
  if (sent === undefined) return;
  // We aborted it: its outcome is unknown, and the lease runs out.
  if (!deps.running() && !isDelivered(sent)) return;
  deps.attempted(channel, isDelivered(sent) ? 'delivered' : 'failed');
  const ms = Math.round(clock.monotonic() - started);
  const chance = (deps.random(1)[0] ?? 0) / 255;
  const at = (await databaseTime(db)) - ms;
  await retryLocked(() => finishAttempt(db, row, after(row, sent, { at, ms, chance })));
};
