/** Runs the system's own PostgreSQL for a drill: its tools, a primary, a standby, and their user. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../support/port.ts';

const tools = ['initdb', 'postgres', 'pg_basebackup', 'pg_ctl'] as const;

/** The folder with all tools: the given one, one of PATH, or the newest where Debian and others put them. */
export const findTools = (given?: string): string | undefined => {
  const places = [
    ...(given === undefined ? [] : [given]),
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...globSync(['/usr/lib/postgresql/*/bin', '/usr/pgsql-*/bin'])
      .toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true }))
      .toReversed(),
  ];
  return places.find((place) => tools.every((tool) => existsSync(join(place, tool))));
};

export type Account = { readonly uid?: number; readonly gid?: number };

/** PostgreSQL never runs as root: then it uses the user of its packages. */
export const accountOf = (): Account => {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string): number =>
    Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: idOf('-u'), gid: idOf('-g') };
};

export type Server = {
  readonly port: number;
  readonly url: string;
  readonly query: (text: string) => Promise<object[]>;
  /** Kills it immediately (-9). */
  readonly kill: () => Promise<void>;
  /** Promotes a standby; resolves when it takes writes. */
  readonly promote: () => void;
};

export type Cluster = {
  readonly version: string;
  readonly startPrimary: () => Promise<Server>;
  /** A copy of the primary that follows it; resolves when it does so synchronously. */
  readonly startStandby: (primary: Server) => Promise<Server>;
  /** Ends all servers and removes what they have written. */
  readonly remove: () => Promise<void>;
};

const user = 'simgate';

export const openCluster = (bin: string): Cluster => {
  const account = accountOf();
  const { uid, gid } = account;
  const folder = mkdtempSync(join(tmpdir(), 'simgate-drill-'));
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  const children = new Set<ChildProcess>();
  const runTool = (tool: (typeof tools)[number], ...args: readonly string[]): string =>
    execFileSync(join(bin, tool), args, {
      ...account,
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });

  const start = async (name: string): Promise<Server> => {
    const port = await freePort();
    const place = ['-D', join(folder, name), '-p', String(port), '-k', folder];
    const child = spawn(
      join(bin, 'postgres'),
      [...place, '-c', 'listen_addresses=127.0.0.1', '-c', 'max_connections=100'],
      { ...account, cwd: folder, stdio: 'ignore' },
    );
    children.add(child);
    child.once('close', () => children.delete(child));
    const url = `postgres://${user}@127.0.0.1:${port}/postgres`;
    const query = async (text: string): Promise<object[]> => {
      const client = new pg.Client({ connectionString: url });
      client.on('error', () => {});
      await client.connect();
      try {
        return (await client.query<object>(text)).rows;
      } finally {
        await client.end();
      }
    };
    await until(`${name} answers`, () =>
      query('select 1').then(
        () => true,
        () => false,
      ),
    );
    return {
      port,
      url,
      query,
      kill: async () => {
        const closed = once(child, 'close');
        child.kill('SIGKILL');
        await closed;
      },
      promote: () => {
        runTool('pg_ctl', 'promote', '-w', '-D', join(folder, name));
      },
    };
  };

  return {
    version: runTool('postgres', '--version').trim(),
    startPrimary: () => {
      const login = ['--auth=trust', `--username=${user}`, '--encoding=UTF8', '--locale=C'];
      runTool('initdb', '-D', join(folder, 'primary'), ...login);
      return start('primary');
    },
    startStandby: async (primary) => {
      const from = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', user];
      const copy = ['-D', join(folder, 'standby'), '-X', 'stream', '-c', 'fast', '-R'];
      runTool('pg_basebackup', ...from, ...copy);
      const standby = await start('standby');
      await primary.query(`alter system set synchronous_standby_names = '*'`);
      await primary.query('select pg_reload_conf()');
      await until('the standby is a synchronous one', async () => {
        const following = `select 1 from pg_stat_replication where sync_state = 'sync'`;
        return (await primary.query(following)).length > 0;
      });
      return standby;
    },
    remove: async () => {
      for (const child of children) {
        const closed = once(child, 'close');
        child.kill('SIGQUIT');
        await closed;
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** Far more than a busy machine needs: it separates "late" from "never". */
const patienceMs = 600_000;

export const until = async (what: string, holds: () => Promise<boolean>): Promise<void> => {
  const end = performance.now() + patienceMs;
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`It never came about that ${what}.`);
    await rest(50);
  }
};
