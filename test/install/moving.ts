/** Moves the database of an installed gateway to PostgreSQL and back: a key that was sold answers as before. */
import assert from 'node:assert/strict';
import pg from 'pg';
import { hasty, startPostgres } from '../support/postgres.ts';
import { type Answer, type Buyer, buy, startGateway } from './gateway.ts';
import { type Place, run } from './process.ts';
import { atEnd } from './steps.ts';

export type Sold = { readonly key: string; readonly buyer: Buyer; readonly answer: Answer };

const createDatabase = async (): Promise<string> => {
  const postgres = await startPostgres(hasty);
  atEnd(postgres.remove);
  const client = new pg.Client({ connectionString: postgres.url('postgres') });
  await client.connect();
  await client.query('create database moved');
  await client.end();
  return postgres.url('moved');
};

/** Serves until the key has answered as it did, and a new one was sold. */
const sellAt = async (
  command: string,
  place: Place,
  { key, buyer, answer }: Sold,
  next: string,
): Promise<void> => {
  const { url, child, ended, printed } = await startGateway(command, ['serve'], place, buyer);
  assert.deepEqual(await buy(url, buyer, { key }), answer);
  const { status, text } = await buy(url, buyer, { key: next });
  assert.equal(status, 200, text);
  child.kill('SIGTERM');
  assert.equal(await ended, 0, printed());
};

/** Moves the database in `data` below the folder. No server runs on it. */
export const moveThereAndBack = async (command: string, cwd: string, sold: Sold): Promise<void> => {
  const [url, reason] = [await createDatabase(), ['--reason', 'a check']];
  await run(command, ['move', '--to', url, ...reason], { cwd });
  const there = { DATABASE_URL: url };
  await sellAt(command, { cwd, env: there }, sold, 'check-moved');
  await run(command, ['move', '--to', 'home', ...reason], { cwd, env: there });
  await sellAt(command, { cwd, env: { DATA_DIR: 'home' } }, sold, 'check-returned');
};
