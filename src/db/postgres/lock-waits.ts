/** Reports which lock a PostgreSQL session waits for, and which processes hold it. */
import { type Clock, repeat } from '../../lib/clock.ts';
import { sqlOf } from '../engine.ts';
import { runText } from '../statement.ts';
import type { Db } from '../types.ts';

type Waiting = {
  readonly wanted: string | null;
  readonly pid: number;
  readonly program: string | null;
  readonly state: string | null;
};

/** A user without the right to see all sessions sees others only in part. */
const waitingText = `select case when waiting.locktype = 'advisory' then 'the migrations'
      else cast(cast(waiting.relation as regclass) as text) end as wanted,
    blocker.pid as pid, holder.application_name as program, holder.state as state
  from pg_locks waiting
  cross join lateral unnest(pg_blocking_pids(waiting.pid)) as blocker (pid)
  left join pg_stat_activity holder on holder.pid = blocker.pid
  where waiting.pid = ? and not waiting.granted`;

// More names do not help.
const mostNamed = 3;

const holderInWords = ({ pid, program, state }: Waiting): string => {
  const known = [program, state].filter((word) => word !== null && word !== '');
  return known.length === 0 ? `process ${pid}` : `process ${pid} (${known.join(', ')})`;
};

const inWords = (waiting: readonly Waiting[]): string => {
  const wanted = waiting.find((one) => one.wanted !== null)?.wanted;
  const holders = [...new Set(waiting.map(holderInWords))].slice(0, mostNamed);
  return `${wanted === undefined ? 'a lock' : `a lock on ${wanted}`}, held by ${holders.join(', ')}`;
};

/** The process number of a connection; undefined for a file. */
export const sessionOf = async (db: Db): Promise<number | undefined> => {
  if (sqlOf(db).name === 'sqlite') return undefined;
  const [row] = await runText<{ pid: number }>(db, 'select pg_backend_pid() as pid', []);
  return row?.pid;
};

export type LockMonitor = {
  /** What it last waited for; undefined if it never did. */
  readonly last: () => string | undefined;
  readonly stop: () => Promise<void>;
};

/** Polls, on other connections, what a session waits for; calls `seen` for each wait. */
export const monitorLocks = (
  db: Db,
  session: number | undefined,
  { clock, everyMs }: { readonly clock: Clock; readonly everyMs: number },
  seen: (what: string) => void = () => {},
): LockMonitor => {
  let last: string | undefined;
  if (session === undefined) return { last: () => last, stop: async () => {} };
  const stop = repeat(clock, everyMs, async () => {
    const waiting = await runText<Waiting>(db, waitingText, [session]);
    if (waiting.length === 0) return;
    last = inWords(waiting);
    seen(last);
  });
  return { last: () => last, stop };
};
