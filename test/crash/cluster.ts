/** Keeps a PostgreSQL behind one address that can be stopped, restored from a copy, and replaced by its standby. */
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import { cleanUpAfterTest, onlyOnce } from '../support/cleanup.ts';
import { type DatabaseProxy, startDatabaseProxy } from '../support/database-proxy.ts';
import { accountOf, binariesFor, makeCluster, urlOf } from '../support/postgres.ts';
import {
  copyLog,
  copyServer,
  copyStopped,
  type Server,
  signal,
  startServer,
  type Tools,
} from './server.ts';

/** A database that can replace the one in use. */
export type Copy = {
  /** Puts it in place while the cluster is unreachable. The former primary is stopped immediately. */
  readonly putBack: () => Promise<void>;
};

export type Cluster = {
  /** The address that gateways use: it follows the primary. */
  readonly url: string;
  /** The address of the primary itself. */
  readonly direct: () => string;
  /** Cuts every connection and refuses new ones until `expose`. */
  readonly isolate: () => Promise<void>;
  readonly expose: () => Promise<void>;
  /** Stops the primary like a crash, waits, and starts it again. */
  readonly crash: (ms: number) => Promise<void>;
  /** Copies the database inside the cluster, like a dump restored beside it. */
  readonly copyDatabase: () => Promise<Copy>;
  /** Takes a base backup, to be recovered to this moment. */
  readonly copyFiles: () => Promise<Copy>;
  /** Copies the files of the stopped primary: nothing in them shows that they were put back. */
  readonly copyVolume: () => Promise<Copy>;
  /** Starts a synchronous standby. */
  readonly startSynchronousStandby: () => Promise<Copy>;
  /** Starts a standby and cuts it off: it lacks every later commit. */
  readonly startLaggingStandby: () => Promise<Copy>;
  readonly remove: () => Promise<void>;
};

const name = 'simgate';

/** Enough of the log for every backup and standby of a run. */
const settings = { fsync: 'on', wal_keep_size: '4GB' };

type Inside = {
  readonly folder: string;
  readonly tools: Tools;
  readonly proxy: DatabaseProxy;
  primary: Server;
  /** How many copies and standbys have been made: each has its own name. */
  made: number;
};

const nextName = (inside: Inside): string => {
  inside.made += 1;
  return `copy_${inside.made}`;
};

/** Replaces the primary with a server, and removes the primary's files. */
const replacePrimary = async (inside: Inside, next: Server): Promise<void> => {
  const former = inside.primary;
  inside.primary = next;
  inside.proxy.pointTo(next.port);
  await former.remove();
};

const endSessions = `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`;

/** Runs what needs exclusive access. A cut session takes a moment to end. */
const alone = async ({ primary }: Inside, text: string): Promise<void> => {
  for (;;) {
    await primary.query(endSessions);
    try {
      await primary.query(text);
      return;
    } catch (error) {
      if (!(error instanceof Error) || !error.message.includes('being accessed')) throw error;
      await rest(50);
    }
  }
};

const copyDatabase = async (inside: Inside): Promise<Copy> => {
  const copy = nextName(inside);
  await inside.proxy.goAway();
  await alone(inside, `create database ${copy} template ${name}`);
  await inside.proxy.comeBack();
  return {
    putBack: async () => {
      await alone(inside, `drop database ${name}`);
      await alone(inside, `alter database ${copy} rename to ${name}`);
    },
  };
};

const copyFiles = async (inside: Inside): Promise<Copy> => {
  const { tools } = inside;
  const point = nextName(inside);
  const data = join(inside.folder, point);
  await copyServer(inside.primary, data, tools.account);
  await inside.primary.query(`select pg_create_restore_point('${point}')`);
  return {
    putBack: async () => {
      await inside.primary.end('SIGQUIT');
      await copyLog(inside.primary, data);
      await signal(data, 'recovery.signal', tools.account);
      const recovered = await startServer(tools, data, {
        ...settings,
        // The whole log already exists.
        restore_command: 'false',
        recovery_target_name: point,
        recovery_target_action: 'promote',
      });
      await replacePrimary(inside, recovered);
    },
  };
};

const copyVolume = async (inside: Inside): Promise<Copy> => {
  const { tools, proxy, primary } = inside;
  const data = join(inside.folder, nextName(inside));
  await proxy.goAway();
  await primary.end('SIGINT');
  await copyStopped(primary, data, tools.account);
  await primary.start();
  await proxy.comeBack();
  return {
    putBack: async () => {
      await primary.end('SIGQUIT');
      await replacePrimary(inside, await startServer(tools, data, settings));
    },
  };
};

/** Starts a streaming standby; `link` is how it reaches the primary. */
const startStandby = async (
  inside: Inside,
): Promise<
  Copy & { readonly link: DatabaseProxy; readonly holds: (text: string) => Promise<void> }
> => {
  const { tools, primary } = inside;
  const data = join(inside.folder, nextName(inside));
  const link = await startDatabaseProxy(primary.port);
  await copyServer(primary, data, tools.account);
  await signal(data, 'standby.signal', tools.account);
  const follow = { ...settings, primary_conninfo: urlOf(link.port, 'postgres') };
  const standby = await startServer(tools, data, follow, 'standby');
  const holds = async (condition: string): Promise<void> => {
    const text = `select 1 from pg_stat_replication where ${condition}`;
    while ((await primary.query(text)).length === 0) await rest(50);
  };
  await holds(`state = 'streaming'`);
  return {
    link,
    holds,
    putBack: async () => {
      await primary.end('SIGQUIT');
      await standby.query('select pg_promote(true, 600)');
      await replacePrimary(inside, standby);
      await link.close();
    },
  };
};

const startSynchronousStandby = async (inside: Inside): Promise<Copy> => {
  const standby = await startStandby(inside);
  await inside.primary.query(`alter system set synchronous_standby_names = '*'`);
  await inside.primary.query('select pg_reload_conf()');
  await standby.holds(`sync_state = 'sync'`);
  return standby;
};

const startLaggingStandby = async (inside: Inside): Promise<Copy> => {
  const standby = await startStandby(inside);
  await standby.link.goAway();
  return standby;
};

/** Starts a cluster with an empty database, which writes through to the disk. */
export const startCluster = async (): Promise<Cluster> => {
  const account = accountOf();
  const folder = mkdtempSync(join(tmpdir(), 'simgate-cluster-'));
  const { uid, gid } = account;
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  // Also if the test is interrupted.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const started = new Set<Server>();
  // Standbys too, and recovering servers: none of them is the primary until it is put in place.
  const end = onlyOnce(async () => {
    await Promise.all([...started].map((server) => server.remove()));
    rmSync(folder, { recursive: true, force: true });
  });
  cleanUpAfterTest(end);
  const tools = { native: binariesFor(account, folder), account, started };
  const primary = await startServer(tools, makeCluster(tools.native, folder, account), settings);
  await primary.query(`create database ${name}`);
  const proxy = await startDatabaseProxy(primary.port);
  const inside: Inside = { folder, tools, proxy, primary, made: 0 };
  return {
    url: urlOf(proxy.port, name),
    direct: () => urlOf(inside.primary.port, name),
    isolate: proxy.goAway,
    expose: proxy.comeBack,
    crash: async (ms) => {
      await inside.primary.end('SIGQUIT');
      await rest(ms);
      await inside.primary.start();
    },
    copyDatabase: () => copyDatabase(inside),
    copyFiles: () => copyFiles(inside),
    copyVolume: () => copyVolume(inside),
    startSynchronousStandby: () => startSynchronousStandby(inside),
    startLaggingStandby: () => startLaggingStandby(inside),
    remove: async () => {
      await proxy.close();
      await end();
    },
  };
};
