/** Runs a cluster of three machines under Patroni, behind HAProxy, which leads to the leader. */
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { at, listOf } from '../../support/answers.ts';
import { freePort } from '../../support/port.ts';
import { accountOf, findTools, until } from '../system-postgres.ts';
import { buildMachines, type ClusterSettings, type Machine, scope } from './machine.ts';

// Not the synchronous one: this process carries the replication.
const execute = promisify(execFile);

const programs = ['etcd', 'patroni', 'patronictl', 'haproxy'] as const;

/** What of the needed programs is missing, by name. */
export const missingPrograms = (bin: string | undefined): string[] => {
  const places = (process.env['PATH'] ?? '').split(delimiter);
  const missing = programs.filter(
    (program) => !places.some((place) => existsSync(join(place, program))),
  );
  return [...missing, ...(findTools(bin) === undefined ? ['postgresql'] : [])];
};

export type PatroniCluster = {
  readonly versions: string;
  readonly folder: string;
  readonly machines: readonly Machine[];
  /** The address of a database on the leader, whichever that is. */
  readonly url: (database: string) => string;
  readonly leader: () => Promise<Machine>;
  /** The machine that must hold every acknowledged commit; undefined while there is none. */
  readonly synchronousStandby: () => Promise<Machine | undefined>;
  /** Resolves when another machine than that one leads. */
  readonly untilLedByOther: (former: Machine) => Promise<Machine>;
  /** Resolves when all other machines follow the leader, one of them synchronously if that is set. */
  readonly untilComplete: () => Promise<void>;
  /** Hands the lead over as planned, by patronictl. */
  readonly switchOver: (from: Machine, to: Machine) => Promise<void>;
  readonly change: (settings: ClusterSettings) => Promise<void>;
  readonly createDatabase: (name: string) => Promise<void>;
  /** Kills everything at once, for a drill that is interrupted. */
  readonly kill: () => void;
  readonly remove: () => Promise<void>;
};

const user = 'simgate';

const haproxySettings = (port: number, machines: readonly Machine[]): string => `defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  timeout check 2s

listen postgres
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${machines
  .map(
    ({ name, ports }) =>
      `  server ${name} 127.0.0.1:${ports.postgres} check port ${ports.api} maxconn 100`,
  )
  .join('\n')}
`;

const query = async (port: number, text: string): Promise<object[]> => {
  const client = new pg.Client({
    connectionString: `postgres://postgres@127.0.0.1:${port}/postgres`,
    connectionTimeoutMillis: 5000,
    query_timeout: 5000,
  });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<object>(text)).rows;
  } finally {
    await client.end();
  }
};

const askApi = async (
  machine: Machine,
  path: string,
  patch?: ClusterSettings,
): Promise<unknown> => {
  const response = await fetch(`http://127.0.0.1:${machine.ports.api}${path}`, {
    signal: AbortSignal.timeout(5000),
    ...(patch === undefined ? {} : { method: 'PATCH', body: JSON.stringify(patch) }),
  });
  const body: unknown = JSON.parse(await response.text());
  return body;
};

/** Whether Patroni on that machine says that it leads: as HAProxy checks it. */
const leads = ({ ports }: Machine): Promise<boolean> =>
  fetch(`http://127.0.0.1:${ports.api}/primary`, { signal: AbortSignal.timeout(5000) }).then(
    async (response) => {
      await response.arrayBuffer();
      return response.ok;
    },
    () => false,
  );

const versionOf = (name: string, program: string, flag: string): string => {
  const [version = '?'] = /\d+(\.\d+)+/.exec(execFileSync(program, [flag]).toString()) ?? [];
  return `${name} ${version}`;
};

const versionsOf = (bin: string): string =>
  [
    versionOf('PostgreSQL', join(bin, 'postgres'), '--version'),
    versionOf('Patroni', 'patroni', '--version'),
    versionOf('etcd', 'etcd', '--version'),
    versionOf('HAProxy', 'haproxy', '-v'),
  ].join(', ');

const followersText = `select 1 from pg_stat_replication where state = 'streaming'`;

/** What can be seen and done from outside of the machines. */
const controlsOf = (machines: readonly Machine[]) => {
  const running = (): Machine[] => machines.filter((one) => one.isRunning());
  const findLeader = async (other?: Machine): Promise<Machine | undefined> => {
    for (const machine of running()) {
      if (machine !== other && (await leads(machine))) return machine;
    }
    return undefined;
  };
  const untilLed = async (other?: Machine): Promise<Machine> => {
    let found: Machine | undefined;
    await until('a machine leads', async () => {
      found = await findLeader(other);
      return found !== undefined;
    });
    if (found === undefined) throw new Error('No machine leads.');
    return found;
  };
  const countFollowers = (leader: Machine): Promise<number> =>
    query(leader.ports.postgres, followersText).then(
      ({ length }) => length,
      () => 0,
    );
  /** As etcd says: PostgreSQL waits for a standby before Patroni may promote it. */
  const synchronousStandby = async (leader: Machine): Promise<Machine | undefined> => {
    const members = at(await askApi(leader, '/cluster').catch(() => undefined), 'members') ?? [];
    const found = listOf(members).find((one) => at(one, 'role') === 'sync_standby');
    return machines.find(({ name }) => name === at(found, 'name'));
  };
  return {
    leader: () => untilLed(),
    untilLedByOther: untilLed,
    synchronousStandby: async () => synchronousStandby(await untilLed()),
    untilComplete: async (): Promise<void> => {
      await until('all machines follow the leader', async () => {
        const leader = await findLeader();
        if (leader === undefined) return false;
        const settings = await askApi(leader, '/config').catch(() => undefined);
        if ((await countFollowers(leader)) !== running().length - 1) return false;
        const standby = await synchronousStandby(leader);
        return at(settings, 'synchronous_mode') === (standby !== undefined);
      });
    },
    change: async (settings: ClusterSettings): Promise<void> => {
      await askApi(await untilLed(), '/config', settings);
    },
    createDatabase: async (name: string): Promise<void> => {
      const { ports } = await untilLed();
      const roles = await query(ports.postgres, `select 1 from pg_roles where rolname = '${user}'`);
      if (listOf(roles).length === 0) await query(ports.postgres, `create role ${user} login`);
      await query(ports.postgres, `create database ${name} owner ${user}`);
    },
  };
};

export const startPatroni = async (
  given: string | undefined,
  settings: ClusterSettings,
): Promise<PatroniCluster> => {
  const bin = findTools(given);
  if (bin === undefined) throw new Error('There is no PostgreSQL.');
  const account = accountOf();
  const { uid, gid } = account;
  const folder = mkdtempSync(join(tmpdir(), 'simgate-failover-'));
  if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
  const machines = await buildMachines({ folder, account, bin, settings }, 3);
  const port = await freePort();
  const proxyFile = join(folder, 'haproxy.cfg');
  writeFileSync(proxyFile, haproxySettings(port, machines));
  const log = openSync(join(folder, 'haproxy.log'), 'a');
  const proxy: ChildProcess = spawn('haproxy', ['-db', '-f', proxyFile], {
    ...account,
    stdio: ['ignore', log, log],
  });
  const kill = (): void => {
    for (const machine of machines) machine.kill();
    proxy.kill('SIGKILL');
  };
  for (const machine of machines) machine.start();
  return {
    versions: versionsOf(bin),
    folder,
    machines,
    url: (database) => `postgres://${user}@127.0.0.1:${port}/${database}`,
    ...controlsOf(machines),
    switchOver: async (from, to) => {
      const names = ['--leader', from.name, '--candidate', to.name, '--force'];
      await execute('patronictl', ['-c', to.file, 'switchover', scope, ...names]);
    },
    kill,
    remove: async () => {
      kill();
      for (const machine of machines) await machine.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
