/** Counts sign-in attempts in the database, so that all servers count together. */
import { networkOf } from '../../../clients/network.ts';
import type { Db } from '../../../db/types.ts';
import { type AdminDeps, transact } from '../../audit/audit.ts';
import { AdminError } from '../../errors.ts';
import { type AccountRow, lockAttempts, updateAttempts } from '../store.ts';
import { countAttempt, forgetAfterMs, noAttempts, type ThrottlePolicy } from './throttle.ts';

const minutes = (count: number): number => count * 60_000;

/** One person at one place, mistyping; then guessing. */
const pairPolicy: ThrottlePolicy = { free: 5, longestMs: minutes(15) };
/** One place that tries many names. Accounts that signed in from there before do not wait. */
const placePolicy: ThrottlePolicy = { free: 20, longestMs: minutes(15) };
/** Many places that try one name. Known places do not wait, and neither do the first tries of a new one. */
const subjectPolicy: ThrottlePolicy = { free: 20, longestMs: minutes(5) };

/** Enough for a person who mistypes at a new place. */
const firstAttempts = 3;
/** One IPv6 customer may have a whole /48, so first tries are also counted for that: this many a day. */
const firstAttemptsPerBlock = 20;

export type Attempt = {
  /** What is guessed at, such as the password of a name. */
  readonly subject: string;
  readonly address: string;
  /** Whether some guesses from each place are too few to find it, as with a password. */
  readonly hasManyValues?: boolean;
  /** What was to be proved, for the audit. `confirmation`: within a session. */
  readonly proof: 'password' | 'code' | 'passkey' | 'confirmation';
  /** Undefined where no account has that name. */
  readonly account: AccountRow | undefined;
};

/** The /48 of a place in IPv6; undefined for IPv4, where an address is a customer. */
const blockOf = (place: string): string | undefined =>
  place.endsWith('::/64') ? `${place.split(':').slice(0, 3).join(':')}::/48` : undefined;

const keysOf = ({ subject, address }: Attempt) => {
  const place = networkOf(address);
  const block = blockOf(place);
  return {
    pair: `pair ${place} ${subject}`,
    block: block === undefined ? undefined : `block ${block} ${subject}`,
    place: `place ${place}`,
    subject: `subject ${subject}`,
  };
};

/** One key under which a try was counted. */
type Mark = {
  /** How many went wrong, with this one. */
  readonly failures: number;
  /** The pause that this try set; undefined if it left the pause unchanged. */
  readonly until: number | undefined;
};

type Count = {
  /** Undefined within a pause, when nothing is counted. */
  readonly mark: Mark | undefined;
  readonly until: number;
  readonly known: boolean;
};

/** Within a transaction: counts under one key. Within a pause only what `passes` it is counted. */
const count = async (
  db: Db,
  key: string,
  { policy, now, passes = false }: { policy: ThrottlePolicy; now: number; passes?: boolean },
): Promise<Count> => {
  const row = await lockAttempts(db, key, now);
  const known = row?.known === 1;
  const fresh = row !== undefined && now - row.tried_at < forgetAfterMs;
  const attempts = fresh ? { failures: row.failures, until: row.until_at } : noAttempts;
  const next = countAttempt(attempts, now, policy);
  if (next === undefined && !passes) return { mark: undefined, until: attempts.until, known };
  const { failures, until } = next ?? { failures: attempts.failures + 1, until: attempts.until };
  await updateAttempts(db, key, { failures, until_at: until, tried_at: now });
  return { mark: { failures, until: next?.until }, until: next === undefined ? until : 0, known };
};

/** Within a transaction: counts one more within a window of time. */
export const countInWindow = async (
  db: Db,
  key: string,
  { now, windowMs }: { readonly now: number; readonly windowMs: number },
): Promise<{
  /** How many there were in this window before it. */
  readonly before: number;
  /** How many there were in the window before, where this one begins another. */
  readonly ended: number;
}> => {
  const row = await lockAttempts(db, key, now);
  const { failures, until_at: end } = row ?? { failures: 0, until_at: 0 };
  const open = now < end;
  const before = open ? failures : 0;
  const until = open ? end : now + windowMs;
  await updateAttempts(db, key, { failures: before + 1, until_at: until, tried_at: now });
  return { before, ended: open ? 0 : failures };
};

/** Within a transaction: counts a first try for the block of its place, where it has one. */
const countInBlock = async (
  db: Db,
  block: string | undefined,
  now: number,
): Promise<Mark | undefined> => {
  if (block === undefined) return undefined;
  const { before } = await countInWindow(db, block, { now, windowMs: forgetAfterMs });
  return { failures: before + 1, until: undefined };
};

/** Where a try was counted. */
export type Counted = {
  readonly pair: Mark;
  readonly block: Mark | undefined;
  readonly place: Mark | undefined;
  readonly subject: Mark | undefined;
};

const refusal = (until: number, now: number): AdminError =>
  new AdminError('TOO_MANY_TRIES', {
    headers: { 'retry-after': String(Math.max(1, Math.ceil((until - now) / 1000))) },
  });

export type AttemptDeps = Pick<AdminDeps, 'db' | 'clock' | 'retryLocked'>;

/** Counts a try before its end is known; refuses it, uncounted, within a pause. */
export const beginAttempt = (deps: AttemptDeps, attempt: Attempt): Promise<Counted> =>
  transact(deps, async (db) => {
    const now = deps.clock.now();
    const keys = keysOf(attempt);
    // Always in this order, which prevents deadlocks. A thrown error rolls the counts back.
    const pair = await count(db, keys.pair, { policy: pairPolicy, now });
    if (pair.mark === undefined) throw refusal(pair.until, now);
    const early = attempt.hasManyValues === true && pair.mark.failures <= firstAttempts;
    const block = early ? await countInBlock(db, keys.block, now) : undefined;
    const first = early && (block?.failures ?? 0) <= firstAttemptsPerBlock;
    const place = await count(db, keys.place, { policy: placePolicy, now });
    const subject = await count(db, keys.subject, { policy: subjectPolicy, now, passes: first });
    const until = Math.max(place.until, first ? 0 : subject.until);
    if (until > now && !pair.known) throw refusal(until, now);
    return { pair: pair.mark, block, place: place.mark, subject: subject.mark };
  });

type Ended = { readonly counted: Counted; readonly now: number };

/** Within a transaction: undoes one try under some of its keys. A pause that another try set stays. */
const uncount = async (
  db: Db,
  attempt: Attempt,
  { counted, now }: Ended,
  names: readonly (keyof Counted)[],
): Promise<void> => {
  const keys = keysOf(attempt);
  for (const name of names) {
    const [key, mark] = [keys[name], counted[name]];
    if (key === undefined || mark === undefined) continue;
    const row = await lockAttempts(db, key, now);
    if (row === undefined) continue;
    await updateAttempts(db, key, {
      failures: Math.max(0, row.failures - 1),
      until_at: row.until_at === mark.until ? 0 : row.until_at,
      tried_at: now,
    });
  }
};

/** Within a transaction: the try succeeded. Undoes it for place and subject, and no other try. */
export const forgiveAttempt = async (db: Db, attempt: Attempt, ended: Ended): Promise<void> => {
  const { pair } = keysOf(attempt);
  const { now } = ended;
  await lockAttempts(db, pair, now);
  await updateAttempts(db, pair, { failures: 0, until_at: 0, tried_at: now, known: 1 });
  await uncount(db, attempt, ended, ['block', 'place', 'subject']);
};

/** Within a transaction: it was never judged, so it does not count as a guess. */
export const undoAttempt = (db: Db, attempt: Attempt, ended: Ended): Promise<void> =>
  uncount(db, attempt, ended, ['pair', 'block', 'place', 'subject']);
