/** Copies a PostgreSQL database, and swaps a copy in beneath running connections. */
import pg from 'pg';
import { eventually } from './live.ts';

export type Copies = {
  /** Copies the database under another name. */
  readonly keep: () => Promise<string>;
  /** Replaces the database with a copy, and cuts its connections. */
  readonly putBack: (kept: string) => Promise<void>;
  /** Removes copies and replaced databases; the database itself stays. */
  readonly remove: () => Promise<void>;
};

let count = 0;

export const openCopies = async (url: string): Promise<Copies> => {
  const address = new URL(url);
  const name = address.pathname.slice(1);
  address.pathname = 'postgres';
  const client = new pg.Client({ connectionString: address.href });
  await client.connect();
  const others = new Set<string>();
  const another = (): string => {
    count += 1;
    const made = `${name}_copy_${count}`;
    others.add(made);
    return made;
  };
  const allow = (allowed: boolean) =>
    client.query(`alter database ${name} with allow_connections ${allowed}`);
  const sendAway = async (): Promise<void> => {
    await allow(false);
    await eventually('no session is connected', async () => {
      const { rows } = await client.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1',
        [name],
      );
      return rows.length === 0;
    });
  };
  return {
    keep: async () => {
      const kept = another();
      await sendAway();
      await client.query(`create database ${kept} template ${name} strategy file_copy`);
      await allow(true);
      return kept;
    },
    putBack: async (kept) => {
      await sendAway();
      await client.query(`alter database ${name} rename to ${another()}`);
      others.delete(kept);
      await client.query(`alter database ${kept} rename to ${name}`);
    },
    remove: async () => {
      for (const one of others) await client.query(`drop database if exists ${one} with (force)`);
      await client.end();
    },
  };
};
