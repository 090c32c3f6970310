/** Listens for changes over a dedicated PostgreSQL connection (LISTEN/NOTIFY). */
import pg from 'pg';
import type { Clock } from '../../lib/clock.ts';
import { type Connecting, type PostgresAddress, secureAddress } from './address.ts';
import { isPooled } from './client.ts';
import { changesChannel } from './sql.ts';

// Changes are polled twice a second anyway: no need to burden a database that is down.
const againAfterMs = 2000;

// A notification takes milliseconds, or seconds on a busy machine.
const heardWithinMs = 5000;

const probeLimits = { connectionTimeoutMillis: heardWithinMs, query_timeout: heardWithinMs };

export type ListenDeps = PostgresAddress & {
  readonly clock: Clock;
  readonly failed: (error: unknown) => void;
  /** Called once if notifications do not arrive, because of a pooler in transaction mode. */
  readonly notDelivered: () => void;
};

const leave = async (client: pg.Client): Promise<void> => {
  try {
    await client.end();
  } catch {
    // It has already closed.
  }
};

/**
 * Sends a notification to a listening client, and calls `notDelivered` if it does not arrive. Behind a pooler
 * the connection's process number differs from the server's own; a pooler in transaction mode gives the
 * listening server connection to other clients.
 */
const createProbe = ({ clock, notDelivered }: ListenDeps, connecting: Connecting) => {
  let [begun, ended] = [false, false];
  let cancel = (): void => {};
  let probing: Promise<void> = Promise.resolve();
  const probe = async (client: pg.Client): Promise<void> => {
    if (!(await isPooled(client))) return;
    const other = new pg.Client({ ...connecting, ...probeLimits });
    other.on('error', () => {});
    try {
      await other.connect();
      if (ended) return;
      cancel = clock.after(heardWithinMs, notDelivered);
      client.once('notification', cancel).once('end', cancel);
      await other.query(`select pg_notify('${changesChannel}', '')`);
    } catch (error) {
      cancel();
      throw error;
    } finally {
      await leave(other);
    }
  };
  return {
    begin: (client: pg.Client): void => {
      if (begun) return;
      begun = true;
      probing = probe(client).catch(() => {
        // The connection broke: the next one is tried.
        begun = false;
      });
    },
    end: async (): Promise<void> => {
      ended = true;
      cancel();
      await probing;
    },
  };
};

/** Calls `onChange` at every notification, and after every gap in which one may have been missed. */
export const listenForChanges = (deps: ListenDeps, onChange: () => void): (() => Promise<void>) => {
  const { clock, failed } = deps;
  const { connecting } = secureAddress(deps);
  const probe = createProbe(deps, connecting);
  let stopped = false;
  let current: pg.Client | undefined;
  let cancel = (): void => {};

  const connect = async (): Promise<void> => {
    const client = new pg.Client({ ...connecting, keepAlive: true });
    let over = false;
    const again = (error?: unknown): void => {
      if (over) return;
      over = true;
      if (stopped) return;
      failed(error ?? new Error('The connection for changes ended.'));
      void leave(client);
      cancel = clock.after(againAfterMs, () => void connect());
    };
    current = client;
    client.on('error', again);
    client.on('end', () => again());
    client.on('notification', onChange);
    try {
      await client.connect();
      await client.query(`listen ${changesChannel}`);
      onChange();
      probe.begin(client);
    } catch (error) {
      again(error);
    }
  };

  void connect();
  return async () => {
    stopped = true;
    cancel();
    if (current !== undefined) await leave(current);
    await probe.end();
  };
};
