/** Owns the counting of tries to enter, in the database, so that all servers count together. */
import { isIP } from 'node:net';
import type { Db } from '../lib/db.ts';
import { type AdminDeps, transact } from './audit.ts';
import { AdminError } from './errors.ts';
import { lockAttempts, updateAttempts } from './store.ts';
import { countTry, forgetAfterMs, none, type Pace } from './throttle.ts';

const minutes = (count: number): number => count * 60_000;

/** One person at one place, mistyping; then guessing. */
const pairPace: Pace = { free: 5, longestMs: minutes(15) };
/** One place that tries many names. Who signed in from there before does not wait for what others try. */
const placePace: Pace = { free: 20, longestMs: minutes(15) };
/** Many places that try one name. The same holds. */
const subjectPace: Pace = { free: 20, longestMs: minutes(5) };

export type Attempt = {
  /** What is guessed at, such as the password of a name. */
  readonly subject: string;
  readonly address: string;
};

/** The network that one customer has: an address of IPv4, 64 bits of IPv6. */
export const placeOf = (address: string): string => {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || isIP(address) !== 6) return mapped ?? address;
  const [head = '', tail] = address.toLowerCase().split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - front.length - back.length) }, () => '0');
  const groups = [...front, ...zeros, ...back].slice(0, 4);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
};

const keysOf = ({ subject, address }: Attempt) => {
  const place = placeOf(address);
  return {
    pair: `pair ${place} ${subject}`,
    place: `place ${place}`,
    subject: `subject ${subject}`,
  };
};

/** Within a transaction: counts under one key, or tells until when nothing is tried. */
const count = async (
  db: Db,
  key: string,
  pace: Pace,
  now: number,
): Promise<{ readonly until: number | undefined; readonly known: boolean }> => {
  const row = await lockAttempts(db, key, now);
  const known = row?.known === 1;
  const fresh = row !== undefined && now - row.tried_at < forgetAfterMs;
  const tries = fresh ? { failures: row.failures, until: row.until_at } : none;
  const next = countTry(tries, now, pace);
  if (next === undefined) return { until: tries.until, known };
  await updateAttempts(db, key, { failures: next.failures, until_at: next.until, tried_at: now });
  return { until: undefined, known };
};

const refusal = (until: number, now: number): AdminError =>
  new AdminError('TOO_MANY_TRIES', {
    headers: { 'retry-after': String(Math.max(1, Math.ceil((until - now) / 1000))) },
  });

/** Counts a try before its end is known; refuses it, uncounted, within a pause. */
export const beginTry = (
  deps: Pick<AdminDeps, 'db' | 'clock' | 'patiently'>,
  attempt: Attempt,
): Promise<void> =>
  transact(deps, async (db) => {
    const now = deps.clock.now();
    const keys = keysOf(attempt);
    // In one order, so that nobody waits in a circle. What is thrown takes back what was counted.
    const pair = await count(db, keys.pair, pairPace, now);
    if (pair.until !== undefined) throw refusal(pair.until, now);
    const place = await count(db, keys.place, placePace, now);
    const subject = await count(db, keys.subject, subjectPace, now);
    const until = Math.max(place.until ?? 0, subject.until ?? 0);
    if (until > now && !pair.known) throw refusal(until, now);
  });

/** Within a transaction: it went well. The place is forgiven this try, and no other that it made. */
export const forgiveTry = async (db: Db, attempt: Attempt, now: number): Promise<void> => {
  const { pair, place, subject } = keysOf(attempt);
  const good = { failures: 0, until_at: 0, tried_at: now };
  await lockAttempts(db, pair, now);
  await updateAttempts(db, pair, { ...good, known: 1 });
  const row = await lockAttempts(db, place, now);
  await updateAttempts(db, place, { ...good, failures: Math.max(0, (row?.failures ?? 0) - 1) });
  await lockAttempts(db, subject, now);
  await updateAttempts(db, subject, good);
};
