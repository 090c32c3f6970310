/** Owns hearing of changes at once: a connection of its own, on which PostgreSQL tells of them. */
import pg from 'pg';
import type { Clock } from './clock.ts';
import { changesChannel } from './sql-postgres.ts';

// Changes are looked for twice a second anyway: no need to press on a database that is away.
const againAfterMs = 2000;

export type ListenDeps = {
  readonly url: string;
  readonly clock: Clock;
  readonly failed: (error: unknown) => void;
};

const leave = async (client: pg.Client): Promise<void> => {
  try {
    await client.end();
  } catch {
    // It is gone already.
  }
};

/** Calls `heard` at every word of a change, and after every gap in which one may have been missed. */
export const listenForChanges = (
  { url, clock, failed }: ListenDeps,
  heard: () => void,
): (() => Promise<void>) => {
  let stopped = false;
  let current: pg.Client | undefined;
  let cancel = (): void => {};

  const connect = async (): Promise<void> => {
    const client = new pg.Client({ connectionString: url, keepAlive: true });
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
    client.on('notification', heard);
    try {
      await client.connect();
      await client.query(`listen ${changesChannel}`);
      heard();
    } catch (error) {
      again(error);
    }
  };

  void connect();
  return async () => {
    stopped = true;
    cancel();
    if (current !== undefined) await leave(current);
  };
};
