/** Decides what follows a delivery attempt: delivered, retried later, or given up. Pure. */
import { listIn } from '../../lib/json/list.ts';
import type { MessageRow } from '../store.ts';
import type { Failure } from './failure.ts';
import type { Sent } from './send.ts';

/** One attempt, as it is stored and shown. */
export type AttemptRecord = {
  readonly at: number;
  readonly ms: number;
  /** What the endpoint answered, or why there was no answer. */
  readonly status?: number;
  readonly failure?: Failure;
  /** The same in words, as earlier versions stored it. */
  readonly error?: string;
};

export type Attempt = {
  readonly sent: Sent;
  readonly at: number;
  readonly ms: number;
  /** From 0 to 1. */
  readonly chance: number;
};

const triedKept = 20;

const isTried = (value: unknown): value is AttemptRecord =>
  typeof value === 'object' && value !== null && 'at' in value && 'ms' in value;

export const readAttempts = (json: string): AttemptRecord[] => listIn(json).filter(isTried);

export const isDelivered = (sent: Sent): boolean =>
  sent.kind === 'answered' && sent.status >= 200 && sent.status < 300;

/** The endpoint says that it wants no more messages. */
export const isGone = (sent: Sent): boolean => sent.kind === 'answered' && sent.status === 410;

const triedOf = ({ sent, at, ms }: Attempt): AttemptRecord =>
  sent.kind === 'answered' ? { at, ms, status: sent.status } : { at, ms, failure: sent.failure };

/** Messages that failed together are not retried together: a pause is up to a tenth longer. */
const lengthened = (pause: number, chance: number): number => Math.round(pause * (1 + chance / 10));

type After = Pick<MessageRow, 'state' | 'step' | 'tried' | 'due_at' | 'ended_at'>;

export const afterAttempt = (
  message: Pick<MessageRow, 'step' | 'tried'>,
  attempt: Attempt,
  pausesMs: readonly number[],
): After => {
  const now = attempt.at + attempt.ms;
  const tried = [...readAttempts(message.tried), triedOf(attempt)].slice(-triedKept);
  const after = { step: message.step + 1, tried: JSON.stringify(tried) };
  const ended = { due_at: null, ended_at: now };
  if (isDelivered(attempt.sent)) return { ...after, ...ended, state: 'delivered' };
  const pause = pausesMs[message.step];
  if (pause === undefined || isGone(attempt.sent)) return { ...after, ...ended, state: 'failed' };
  return {
    ...after,
    state: 'waiting',
    due_at: now + lengthened(pause, attempt.chance),
    ended_at: null,
  };
};

/** The longest pause before the next attempt of a message at this step of the schedule. */
export const longestPause = (step: number, pausesMs: readonly number[]): number =>
  lengthened(pausesMs[step - 1] ?? 0, 1);
