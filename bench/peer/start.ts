/** Starts the plain implementation on a database of its own, with a shop's clients, money and products. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { balance, type Shop } from '../fill.ts';
import { runSql } from '../pgbench.ts';
import { newFolder, postgres, type Running, startScript } from '../resources.ts';

const schema = new URL('./schema.sql', import.meta.url);

let databases = 0;

const fill = async (url: string, { tokens, products }: Shop): Promise<void> => {
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  await db.query(readFileSync(schema, 'utf8'));
  const ids = tokens.map((_, index) => `client ${index}`);
  const hashes = tokens.map((token) => createHash('sha256').update(token).digest());
  await db.query('insert into clients select * from unnest($1::text[], $2::bytea[])', [
    ids,
    hashes,
  ]);
  await db.query('insert into accounts select unnest($1::text[]), $2', [ids, balance]);
  await db.query(
    'insert into products select * from unnest($1::bigint[], $2::bigint[], $3::jsonb[])',
    [
      products.map(({ id }) => id),
      products.map(({ price }) => price),
      products.map((product) => JSON.stringify(product)),
    ],
  );
  await db.query('analyze');
  await db.end();
};

/** Simulates deliveries within itself, unless it is given an operator's address. */
export const startPeer = async (shop: Shop, operatorUrl?: string): Promise<Running> => {
  databases += 1;
  const database = `peer_${databases}`;
  await runSql('postgres', `create database ${database}`);
  const url = (await postgres()).url(database);
  await fill(url, shop);
  return startScript({
    script: './peer/server.ts',
    folder: newFolder(),
    env: {
      DATABASE_URL: url,
      ...(operatorUrl === undefined ? {} : { OPERATOR_URL: operatorUrl }),
    },
  });
};
