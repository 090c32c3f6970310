/** Runs one PostgreSQL server of a cluster: a primary, a standby, or one that is recovered to a point. */
import { type ChildProcess, execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { chown } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { at } from '../support/answers.ts';
import { freePort } from '../support/port.ts';
import {
  type Account,
  flagsOf,
  hasEnded,
  launch,
  type Settings,
  urlOf,
} from '../support/postgres.ts';

export type Tools = {
  readonly native: string;
  readonly account: Account;
  /** All that were started and not removed, also those that are not ready yet. */
  readonly started: Set<Server>;
};

export type Server = {
  readonly data: string;
  readonly port: number;
  readonly query: (text: string, database?: string) => Promise<object[]>;
  readonly start: () => Promise<void>;
  /** SIGQUIT cuts every connection and writes nothing; SIGINT shuts down cleanly. */
  readonly end: (signal: 'SIGINT' | 'SIGQUIT') => Promise<void>;
  /** Ends it and removes its files. */
  readonly remove: () => Promise<void>;
};

const query = async (url: string, text: string): Promise<object[]> => {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<object>(text)).rows;
  } finally {
    await client.end();
  }
};

/** Starts a server on a data folder and waits until it takes connections. */
export const startServer = async (
  { native, account, started }: Tools,
  data: string,
  settings: Settings,
  role: 'primary' | 'standby' = 'primary',
): Promise<Server> => {
  const port = await freePort();
  const args = ['-D', data, '-p', String(port), ...flagsOf(settings)];
  let child: ChildProcess | undefined;
  const start = async (as: typeof role): Promise<void> => {
    const launched = launch(native, args, account, as);
    child = launched.server;
    await launched.ready;
  };
  const end: Server['end'] = async (signal) => {
    if (child === undefined || hasEnded(child)) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    child = undefined;
    await ended;
  };
  const server: Server = {
    data,
    port,
    query: (text, database = 'postgres') => query(urlOf(port, database), text),
    // A standby is promoted by then.
    start: () => start('primary'),
    end,
    remove: async () => {
      await end('SIGQUIT');
      rmSync(data, { recursive: true, force: true });
      started.delete(server);
    },
  };
  started.add(server);
  await start(role);
  return server;
};

const run = promisify(execFile);

const giveTo = async ({ uid, gid }: Account, file: string): Promise<void> => {
  if (uid !== undefined && gid !== undefined) await chown(file, uid, gid);
};

/** Written by a running server for itself, or by the copy for its own start. */
const own = new Set(['postmaster.pid', 'postmaster.opts', 'pg_wal', 'pg_replslot', 'pg_stat_tmp']);

/** Copies entries of a folder with their owner; files that vanish are left out. */
const copyEntries = async (from: string, to: string, names: readonly string[]): Promise<void> => {
  const paths = names.map((name) => join(from, name));
  // PostgreSQL recovers files copied while they changed, and needs none that it removed.
  await run('cp', ['-a', ...paths, to]).catch((error: unknown) => {
    const said = String(at(error, 'stderr') ?? error);
    const others = said.split('\n').filter((line) => !/^$|No such file/.test(line));
    if (others.length > 0) throw new Error(others.join('\n'));
  });
};

/** Makes a base backup by `pg_backup_start` and a copy of the files: it needs no tool. */
export const copyServer = async (
  { port, data }: Server,
  to: string,
  account: Account,
): Promise<void> => {
  const client = new pg.Client({ connectionString: urlOf(port, 'postgres') });
  client.on('error', () => {});
  await client.connect();
  try {
    await client.query("select pg_backup_start('crash', fast => true)");
    mkdirSync(to, { mode: 0o700 });
    const names = readdirSync(data).filter((name) => !own.has(name));
    await copyEntries(data, to, names);
    for (const name of ['pg_wal', 'pg_replslot']) mkdirSync(join(to, name), { mode: 0o700 });
    const { rows } = await client.query<object>('select labelfile from pg_backup_stop(false)');
    writeFileSync(join(to, 'backup_label'), String(at(rows, 0, 'labelfile')));
  } finally {
    await client.end();
  }
  for (const name of ['', 'pg_wal', 'pg_replslot', 'backup_label']) {
    await giveTo(account, join(to, name));
  }
};

/** Copies the files of a stopped server, as a snapshot of its volume does. */
export const copyStopped = async (
  { data }: Server,
  to: string,
  account: Account,
): Promise<void> => {
  mkdirSync(to, { mode: 0o700 });
  await giveTo(account, to);
  await copyEntries(data, to, readdirSync(data));
};

/** Adds the source server's log to a base backup, as far as it was written. */
export const copyLog = async (from: Server, to: string): Promise<void> => {
  const log = join(from.data, 'pg_wal');
  await copyEntries(log, join(to, 'pg_wal'), readdirSync(log));
};

/** Writes a file to a data folder that says how the server must start. */
export const signal = async (
  data: string,
  name: 'standby.signal' | 'recovery.signal',
  account: Account,
): Promise<void> => {
  const file = join(data, name);
  writeFileSync(file, '');
  await giveTo(account, file);
};
