/** Runs one machine of the drill: an etcd member, Patroni and its PostgreSQL, killed and started together. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chownSync,
  globSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type DatabaseProxy, startDatabaseProxy } from '../../support/database-proxy.ts';
import { freePort } from '../../support/port.ts';
import type { Account } from '../system-postgres.ts';

/** The cluster's settings in etcd: the first machine writes them, and Patroni's API changes them. */
export type ClusterSettings = Readonly<Record<string, unknown>>;

type Ports = Readonly<Record<'etcd' | 'peer' | 'postgres' | 'api', number>>;

export type Machine = {
  readonly name: string;
  readonly ports: Ports;
  /** How the other machines reach its PostgreSQL: cut, nothing is replicated from it. */
  readonly link: DatabaseProxy;
  /** The file of Patroni's settings. */
  readonly file: string;
  readonly start: () => void;
  /** Kills all its processes immediately (-9), as a loss of power does. */
  readonly kill: () => void;
  readonly isRunning: () => boolean;
  /** Kills it, and removes what it has written. */
  readonly remove: () => Promise<void>;
};

export type Site = {
  readonly folder: string;
  readonly account: Account;
  /** The folder of PostgreSQL's tools. */
  readonly bin: string;
  readonly settings: ClusterSettings;
};

/** The name under which the machines know one another. */
export const scope = 'simgate';

const passwords = { superuser: 'super', replication: 'replica' };

// A busy machine is late by more than etcd's usual 100 ms and 1 s.
const etcdTimes = { 'heartbeat-interval': '300', 'election-timeout': '3000' };

const at = (port: number): string => `127.0.0.1:${port}`;

const patroniSettings = (
  { folder, bin, settings }: Site,
  name: string,
  { ports, link, members }: { ports: Ports; link: number; members: readonly Ports[] },
) => ({
  scope,
  name,
  restapi: { listen: at(ports.api), connect_address: at(ports.api) },
  etcd3: { hosts: members.map(({ etcd }) => at(etcd)) },
  bootstrap: {
    dcs: settings,
    initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums'],
  },
  postgresql: {
    listen: at(ports.postgres),
    connect_address: at(link),
    data_dir: join(folder, name, 'data'),
    bin_dir: bin,
    pgpass: join(folder, name, 'pgpass'),
    pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
    authentication: {
      superuser: { username: 'postgres', password: passwords.superuser },
      replication: { username: 'replicator', password: passwords.replication },
    },
    parameters: {
      unix_socket_directories: join(folder, name),
      // In the data folder: a killed server leaves nothing in /dev/shm.
      dynamic_shared_memory_type: 'mmap',
    },
  },
});

/** The processes of a PostgreSQL: the first is its parent. */
const processesOf = (data: string): number[] => {
  const [line = ''] = lines(join(data, 'postmaster.pid'));
  const parent = Number(line);
  if (!(parent > 0)) return [];
  const children = globSync('/proc/[0-9]*/stat').flatMap((file) => {
    // The name, in brackets, may contain spaces.
    const [, rest = ''] = lines(file)
      .join(' ')
      .split(/\) (.*)/s);
    return Number(rest.split(' ')[1]) === parent ? [Number(file.split('/')[2])] : [];
  });
  return [parent, ...children];
};

const lines = (file: string): string[] => {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
};

const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended.
  }
};

/** Frees the segment by which PostgreSQL guards its folder: a killed one leaves it in the kernel. */
const freeMemory = (data: string): void => {
  const [, , , , , , line = ''] = lines(join(data, 'postmaster.pid'));
  const [, segment] = line.trim().split(/\s+/);
  if (segment === undefined) return;
  try {
    execFileSync('ipcrm', ['-m', segment], { stdio: 'ignore' });
  } catch {
    // It is free already.
  }
};

const etcdArgs = (
  folder: string,
  name: string,
  ports: Ports,
  members: readonly Ports[],
): string[] => {
  const [client, peer] = [`http://${at(ports.etcd)}`, `http://${at(ports.peer)}`];
  const options = {
    ...etcdTimes,
    name,
    'data-dir': join(folder, name, 'etcd'),
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': members
      .map((member, index) => `${nameOf(index)}=http://${at(member.peer)}`)
      .join(','),
  };
  return Object.entries(options).flatMap(([option, value]) => [`--${option}`, value]);
};

const nameOf = (index: number): string => `node${index + 1}`;

const freePorts = async (): Promise<Ports> => ({
  etcd: await freePort(),
  peer: await freePort(),
  postgres: await freePort(),
  api: await freePort(),
});

const buildMachine = async (
  site: Site,
  index: number,
  members: readonly Ports[],
  ports: Ports,
): Promise<Machine> => {
  const { folder, account } = site;
  const name = nameOf(index);
  const home = join(folder, name);
  const data = join(home, 'data');
  const file = join(home, 'patroni.json');
  const link = await startDatabaseProxy(ports.postgres);
  const settings = patroniSettings(site, name, { ports, link: link.port, members });
  mkdirSync(home, { mode: 0o700 });
  writeFileSync(file, JSON.stringify(settings, null, 2));
  const { uid, gid } = account;
  if (uid !== undefined && gid !== undefined) chownSync(home, uid, gid);
  let children: ChildProcess[] = [];

  const run = (program: string, args: readonly string[]): ChildProcess => {
    const log = openSync(join(home, `${program}.log`), 'a');
    return spawn(program, args, {
      ...account,
      cwd: home,
      env: { PATH: process.env['PATH'], ETCD_UNSUPPORTED_ARCH: 'arm64' },
      stdio: ['ignore', log, log],
    });
  };
  const kill = (): void => {
    const postgres = processesOf(data);
    for (const child of children) child.kill('SIGKILL');
    for (const pid of postgres) signal(pid, 'SIGKILL');
    if (children.length > 0) freeMemory(data);
    children = [];
  };
  return {
    name,
    ports,
    link,
    file,
    start: () => {
      children = [run('etcd', etcdArgs(folder, name, ports, members)), run('patroni', [file])];
    },
    kill,
    isRunning: () => children.length > 0,
    remove: async () => {
      kill();
      await link.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
};

export const buildMachines = async (site: Site, count: number): Promise<Machine[]> => {
  const members = await Promise.all(Array.from({ length: count }, freePorts));
  return Promise.all(members.map((ports, index) => buildMachine(site, index, members, ports)));
};
