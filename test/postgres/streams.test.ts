/** Tests that a slow reader of streamed rows meets no client timeout, and leaves none on the connection. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as rest } from 'node:timers/promises';
import { CompiledQuery, Kysely, sql } from 'kysely';
import { readConfig } from '../../src/config/config.ts';
import { postgresDialect } from '../../src/db/postgres/postgres.ts';
import { freshPostgres } from '../support/database.ts';

// More than one statement takes on the busiest machine. The client's limit is twice this.
const statementMs = 1500;
const clientLimitMs = 2 * statementMs;

let place: Awaited<ReturnType<typeof freshPostgres>>;
let db: Kysely<object>;
before(async () => {
  place = await freshPostgres();
  const settings = { ...readConfig({}).database, url: place.url, statementMs, connections: 2 };
  db = new Kysely({ dialect: postgresDialect(settings, (error) => assert.fail(error)) });
});
after(async () => {
  await db.destroy();
  await place.remove();
});

const rows = CompiledQuery.raw('select generate_series(1, 300) as n');

test('a slow reader gets every row', async () => {
  let read = 0;
  for await (const chunk of db.getExecutor().stream(rows, 100)) {
    read += chunk.rows.length;
    await rest(clientLimitMs / 2);
  }
  assert.equal(read, 300);
});

test('the next user of a reader’s connection is not disturbed', async () => {
  for await (const chunk of db.getExecutor().stream(rows, 300))
    assert.equal(chunk.rows.length, 300);
  await db.transaction().execute(async (transaction) => {
    // Almost always a statement in flight.
    const ask = () => sql<{ n: number }>`select 1 as n from pg_sleep(0.05)`.execute(transaction);
    const until = performance.now() + clientLimitMs + 500;
    while (performance.now() < until) assert.equal((await ask()).rows[0]?.n, 1);
  });
});
