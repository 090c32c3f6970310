/** Opens the books of a soak test from outside, on either database. */
import { statSync } from 'node:fs';
import { readConfig } from '../src/config/config.ts';
import { openForReading } from '../src/db/open.ts';
import { databaseFile } from '../src/db/sqlite/open.ts';
import { runText } from '../src/db/statement.ts';
import type { Db } from '../src/db/types.ts';
import type { Engine } from './console-fill.ts';
import { runSql } from './pgbench.ts';
import { postgres } from './resources.ts';

export type Env = Readonly<Record<string, string>>;

/** Where the gateway's books are, for its commands and its server; on PostgreSQL the database is created. */
export const booksPlace = async (engine: Engine): Promise<Env> => {
  if (engine === 'sqlite') return {};
  await runSql('postgres', 'create database soak');
  return { DATABASE_URL: (await postgres()).url('soak') };
};

export type Sizes = { readonly databaseMb: number; readonly logMb: number };

export type SoakBooks = {
  readonly db: Db;
  /** How many rows a condition finds. */
  readonly count: (condition: string) => Promise<number>;
  /** Of the database and of its write-ahead log. */
  readonly sizes: () => Promise<Sizes>;
  readonly close: () => Promise<void>;
};

const megabytes = (file: string): number =>
  (statSync(file, { throwIfNoEntry: false })?.size ?? 0) / 1_000_000;

const serverSizes = `select pg_database_size(current_database()) / 1e6::float8 as "databaseMb",
  (select sum(size) from pg_ls_waldir())::float8 / 1e6 as "logMb"`;

export const openBooks = async (data: string, env: Env): Promise<SoakBooks> => {
  const { db, close } = await openForReading(readConfig({ DATA_DIR: data, ...env }));
  const file = databaseFile(data);
  return {
    db,
    count: async (condition) => {
      const text = `select count(*) as n from purchases where ${condition}`;
      const [row] = await runText<{ n: number }>(db, text, []);
      return row?.n ?? Number.NaN;
    },
    sizes: async () => {
      if (env['DATABASE_URL'] === undefined) {
        return { databaseMb: megabytes(file), logMb: megabytes(`${file}-wal`) };
      }
      const [row] = await runText<Sizes>(db, serverSizes, []);
      return row ?? { databaseMb: Number.NaN, logMb: Number.NaN };
    },
    close,
  };
};
