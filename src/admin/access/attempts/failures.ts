/** Runs attempts to sign in, and writes failed ones to the audit log, bounded because callers are anonymous. */
import type { Db } from '../../../db/types.ts';
import { type Actor, type AdminDeps, transact, writeAudit } from '../../audit/audit.ts';
import { AdminError } from '../../errors.ts';
import { deleteStaleRows, type StaleDeps } from '../cleanup.ts';
import {
  type Attempt,
  beginAttempt,
  type Counted,
  countInWindow,
  undoAttempt,
} from './attempts.ts';

const hourMs = 3_600_000;

/** Entries an hour. Guesses at names that do not exist cannot hide those at accounts. */
const mostAnHour = { account: 60, unknown: 20 } as const;

/** 1, 2, 5, 10, 20, 50 and so on: the first is written, and then ever fewer. */
export const isLoggedCount = (count: number): boolean => /^[125]0*$/.test(String(count));

const wrongGuesses: ReadonlySet<string> = new Set([
  'SIGN_IN_FAILED',
  'CODE_WRONG',
  'PASSKEY_WRONG',
  'PASSWORD_WRONG',
]);

const isWrongGuess = (error: unknown): boolean =>
  error instanceof AdminError && wrongGuesses.has(error.code);

const actorOfFailure = ({ account, proof, address }: Attempt): Actor =>
  account !== undefined && proof === 'confirmation'
    ? { accountId: account.id, name: account.name, address }
    : { accountId: null, name: 'anonymous', address };

type Room = {
  readonly write: boolean;
  /** How many of the hour before were not written. */
  readonly leftOut: number;
  /** Whether it is the first of its hour. */
  readonly isFirst: boolean;
};

const noRoom: Room = { write: false, leftOut: 0, isFirst: false };

/**
 * Within a transaction: whether to write this one. Timing reveals nothing: an account's existence changes
 * only the entry itself.
 */
const roomFor = async (
  db: Db,
  { account }: Attempt,
  { counted, now }: { readonly counted: Counted; readonly now: number },
): Promise<Room> => {
  const isStepOfAll = isLoggedCount(counted.subject?.failures ?? 0);
  if (!isStepOfAll && !isLoggedCount(counted.pair.failures)) return noRoom;
  const kind = account === undefined ? 'unknown' : 'account';
  const most = mostAnHour[kind];
  const window = { now, windowMs: hourMs };
  const { before, ended } = await countInWindow(db, `audit ${kind}`, window);
  // Accounts are few and their steps get rare: these are always written.
  const write = before < most || (isStepOfAll && account !== undefined);
  return { write, leftOut: Math.max(0, ended - most), isFirst: before === 0 };
};

/** Writes a failure at its step. A name that does not exist is not written: it may be a password. */
const writeFailure = (deps: AdminDeps, attempt: Attempt, counted: Counted): Promise<Room> =>
  transact(deps, async (db) => {
    const room = await roomFor(db, attempt, { counted, now: deps.clock.now() });
    if (!room.write) return room;
    const here = attempt.account === undefined ? counted.place : counted.pair;
    await writeAudit(db, deps, actorOfFailure(attempt), {
      action: 'sign in failed',
      subject: attempt.account?.id ?? 'sign-in',
      after: {
        proof: attempt.proof,
        failures: here?.failures ?? 1,
        ...(attempt.account === undefined ? {} : { all_failures: counted.subject?.failures ?? 1 }),
        ...(room.leftOut === 0 ? {} : { left_out: room.leftOut }),
      },
    });
    return room;
  });

/** Handles a wrong guess: it stays counted, and old attempts are deleted once an hour. */
const keepFailure = async (
  deps: AdminDeps & StaleDeps,
  attempt: Attempt,
  counted: Counted,
): Promise<void> => {
  const { isFirst } = await writeFailure(deps, attempt, counted);
  if (isFirst) await deleteStaleRows(deps);
};

/**
 * Runs one attempt. A wrong guess stays counted and may be recorded. Any other error, such as an overload or
 * a lost database, undoes it.
 */
export const runAttempt = async <T>(
  deps: AdminDeps & StaleDeps,
  attempt: Attempt,
  judge: (counted: Counted) => Promise<T>,
): Promise<T> => {
  const counted = await beginAttempt(deps, attempt);
  try {
    return await judge(counted);
  } catch (error) {
    try {
      if (isWrongGuess(error)) await keepFailure(deps, attempt, counted);
      else {
        const ended = { counted, now: deps.clock.now() };
        await transact(deps, (db) => undoAttempt(db, attempt, ended));
      }
    } catch {
      // Answers the refusal even if the database cannot record it.
    }
    throw error;
  }
};
