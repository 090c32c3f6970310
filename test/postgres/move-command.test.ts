/** Tests when `simgate move` refuses, what it leaves behind, and that keys answer as before. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { sql } from 'kysely';
import { databaseFile, lockDataDirAsServer } from '../../src/db/sqlite/open.ts';
import { findPlace, readPlace } from '../../src/purchases/restored/place/store.ts';
import { witnessFileOf } from '../../src/purchases/restored/place/witness-file.ts';
import { readDecisions } from '../../src/purchases/review/store.ts';
import { changedTables, drillMove } from '../drills/move-run.ts';
import { at } from '../support/answers.ts';
import { assertSentence } from '../support/command.ts';
import { openBesideTest } from '../support/database.ts';
import { serveKept } from '../support/kept-server.ts';
import { ask, eventually, parsed } from '../support/live.ts';
import {
  because,
  changeFile,
  emptyPostgres,
  fullFile,
  fullPostgres,
  inFile,
  moveByCommand,
  ownFolder,
} from '../support/moves.ts';
import { launch, type Served, simgate } from '../support/process.ts';

describe('simgate move refuses', () => {
  test('targets that it cannot take, and a missing reason, as wrong usage', async () => {
    const data = ownFolder();
    const [file, server] = [inFile, { DATABASE_URL: 'postgres://db.example/simgate' }];
    for (const [args, env, says] of [
      [[], file, /^Give one of --to TARGET and --to-file FILE\./],
      [['--to', 'a', '--to-file', 'b'], file, /^Give one of/],
      [['--to', 'mysql://db.example/x'], file, /must be a postgres:\/\/ URL or a data directory/],
      [['--to', ownFolder()], file, /^The database is in a file already\./],
      [['--to', 'postgres://other.example/x'], server, /^The database is in PostgreSQL already\./],
    ] as const) {
      const { status, err } = await simgate(data, ['move', ...args, ...because], env);
      assert.deepEqual([status, says.test(err)], [2, true], err);
    }
    const { status, err } = await simgate(data, ['move', '--to', 'x'], file);
    assert.deepEqual([status, err.startsWith('Missing: --reason')], [2, true], err);
  });

  test('a source without a database, and one that a server uses', async () => {
    const url = await emptyPostgres();
    assertSentence(await moveByCommand(ownFolder(), url), /^There is no database at /);
    const data = await fullFile();
    const unlock = lockDataDirAsServer(data);
    try {
      assertSentence(await moveByCommand(data, url), /^Another Simgate server uses /);
    } finally {
      unlock();
    }
  });

  test('a PostgreSQL source whose server has a heartbeat', async () => {
    const url = await fullPostgres();
    const { db } = openBesideTest(url);
    await sql`insert into instances values ('i', 1, 1, 1)`.execute(db);
    const beating = setInterval(() => {
      void sql`update instances set beat = beat + 1`.execute(db).catch(() => {});
    }, 200);
    try {
      const refused = await moveByCommand(ownFolder(), ownFolder(), { DATABASE_URL: url });
      assertSentence(refused, /^1 servers run on the database\. Stop them first\./);
    } finally {
      clearInterval(beating);
    }
  });

  test('a source that may be incomplete', async () => {
    const data = await fullFile();
    const claims = { posted: [{ clientId: 'a', seq: 999, kind: 'deposit', purchaseId: null }] };
    writeFileSync(witnessFileOf(databaseFile(data)), JSON.stringify({ ...claims, recorded: [] }));
    const url = await emptyPostgres();
    assertSentence(await moveByCommand(data, url), /^The database lacks purchases: an older file /);
    const elsewhere = await fullPostgres();
    await sql`insert into place values (1, 'another', 1, 1, 1, '', 1)`.execute(
      openBesideTest(elsewhere).db,
    );
    assertSentence(
      await moveByCommand(ownFolder(), ownFolder(), { DATABASE_URL: elsewhere }),
      /^The database is in another place than it was\./,
    );
  });

  test('a target that holds something else', async () => {
    const [data, url] = [await fullFile(), await fullPostgres()];
    assertSentence(
      await moveByCommand(data, url),
      /^The target postgres:\/\/[^@]+ is not empty: it has rows in .*purchases/,
    );
    const { db } = openBesideTest(url);
    await sql`insert into moves values (1, 'm', 'copying', '/elsewhere/simgate.db', '{}', 1)`.execute(
      db,
    );
    assertSentence(
      await moveByCommand(data, url),
      /holds an unfinished move from \/elsewhere\/simgate\.db\. Nothing was changed\./,
    );
  });
});

test('a move that loses its connection or its process within a transaction is continued by the next one', async () => {
  const [data, url] = [await fullFile(), await emptyPostgres()];
  const { db } = openBesideTest(url);
  const blocking = await db.startTransaction().execute();
  await sql`lock table purchases in share mode`.execute(blocking);
  const waiting = () =>
    sql<{ pid: number }>`select pid from pg_locks
      where relation = 'purchases'::regclass and not granted`.execute(db);
  const untilItWaits = (): Promise<void> =>
    eventually('it waits for the table', async () => (await waiting()).rows.length === 1);
  const args = ['move', '--to', url, ...because];

  const cut = await launch(data, args, inFile);
  await untilItWaits();
  await sql`select pg_terminate_backend(pid) from pg_locks
    where relation = 'purchases'::regclass and not granted`.execute(db);
  assert.equal(await cut.closed, 1);
  assert.match(
    cut.printed(),
    /^A database became unavailable during the move\. Nothing is lost: /m,
  );

  const killed = await launch(data, args, inFile);
  await untilItWaits();
  killed.child.kill('SIGKILL');
  await killed.closed;
  await blocking.rollback().execute();
  const refused = await simgate(ownFolder(), ['client', 'list'], { DATABASE_URL: url });
  assertSentence(
    refused,
    /^This database is incomplete: a move from .*simgate\.db has not finished\./,
  );
  const { status, err } = await moveByCommand(data, url);
  assert.deepEqual(
    [status, /^An earlier move was interrupted\. It goes on\.$/m.test(err)],
    [0, true],
    err,
  );
});

test('a process that is killed repeatedly moves all purchases there and back', async () => {
  const databaseUrl = await emptyPostgres();
  const [there, back] = await drillMove({
    folder: ownFolder(),
    databaseUrl,
    purchases: 300,
    clients: 7,
    interruptions: 2,
    killAfterMs: 0,
    say: () => {},
  });
  assert.deepEqual([there.kills, back.kills], [2, 2]);
  assert.ok(there.rows > 900, String(there.rows));
  assert.deepEqual(changedTables(there, back), []);
});

type Sold = { readonly status: number; readonly text: string };

const buy = async ({ url }: Served, token: string, mobile: string): Promise<Sold> => {
  const response = await fetch(`${url}/api/top-up/package/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'idempotency-key': mobile },
    body: new URLSearchParams({
      product_id: '1001',
      mobile,
      price: '55000',
      webservice_code: 'c',
    }),
  });
  return { status: response.status, text: await response.text() };
};

// The simulator sells to the first and refuses the others.
const mobiles = ['989120000000', '989120000090', '989120000091'];

const buyAll = (served: Served, token: string): Promise<Sold[]> =>
  Promise.all(mobiles.map((mobile) => buy(served, token, mobile)));

/** Serves until the work is done. */
const serving = async <T>(
  data: string,
  env: Readonly<Record<string, string>>,
  work: (served: Served) => Promise<T>,
): Promise<T> => {
  const served = await serveKept(data, env);
  const result = await work(served);
  assert.equal(await served.stop(), 0);
  return result;
};

/** Sells, and registers a webhook, whose secret is sealed. */
const sellFirst = (data: string) =>
  serving(data, inFile, async (served) => {
    await eventually('the token is printed', async () => /simgate_\w+/.test(served.printed()));
    const token = /simgate_\w+/.exec(served.printed())?.[0] ?? '';
    const endpoint = { url: 'https://hook.example/', events: ['purchase.succeeded'] };
    assert.equal((await ask(served.url, token, '/api/webhooks', endpoint)).status, 201);
    const sold = await buyAll(served, token);
    assert.deepEqual(
      sold.map(({ status }) => status),
      [200, 422, 422],
    );
    return { token, sold };
  });

test('a gateway sells in a file, in PostgreSQL and in a file again, and its keys answer with the same bytes', async () => {
  const [data, url] = [ownFolder(), await emptyPostgres()];
  const { token, sold } = await sellFirst(data);
  const keyFile = join(data, 'secrets.key');
  const urlFile = join(data, 'target');
  writeFileSync(urlFile, `${url}\n`);
  const there = await simgate(data, ['move', '--to-file', urlFile, ...because], inFile);
  assert.equal(there.status, 0, there.err);
  assert.match(there.out, /^Moved \d+ rows from .*simgate\.db to postgres:\/\/[^@]+\. /m);
  assert.match(
    there.out,
    /^Verified: 1 accounts, \d+ postings, 3 purchases\. No problems found\.$/m,
  );
  assert.ok(there.out.includes(`Set SIMGATE_SECRETS_KEY_FILE=${keyFile}`), there.out);
  const { password } = new URL(url);
  assert.ok(!(there.out + there.err).includes(`:${password}@`));

  const { db } = openBesideTest(url);
  const [decision] = await readDecisions(db, 'place');
  assert.deepEqual([decision?.action, decision?.reason], ['move', because[1]]);
  assert.match(decision?.actor ?? '', /^the night shift \(as /);
  const [place, seen] = [await findPlace(db), await readPlace(db)];
  assert.deepEqual([place?.system_id, place?.signature], [seen?.system_id, seen?.signature]);

  const moved = { DATABASE_URL: url, SIMGATE_SECRETS_KEY_FILE: keyFile };
  const more = '989120000002';
  const third = await serving(data, moved, async (served) => {
    assert.deepEqual(await buyAll(served, token), sold);
    return buy(served, token, more);
  });
  assert.equal(third.status, 200, third.text);

  const home = ownFolder();
  const key = readFileSync(keyFile, 'utf8').trim();
  const env = { DATABASE_URL: url, SIMGATE_SECRETS_KEY: key };
  const back = await moveByCommand(data, home, env);
  assert.equal(back.status, 0, back.err);
  assert.deepEqual(at(parsed(back.out), 'unreadable_secrets'), []);
  await serving(home, { ...inFile, SIMGATE_SECRETS_KEY: key }, async (served) => {
    assert.deepEqual(await buyAll(served, token), sold);
    assert.deepEqual(await buy(served, token, more), third);
    assert.equal((await buy(served, token, '989120000004')).status, 200);
  });
});

test('the source is refused by servers and commands until that is undone, and then sells nothing new', async () => {
  const [data, url] = [await fullFile(), await emptyPostgres()];
  await changeFile(data, (db) => sql`update restores set opened_at = 3`.execute(db));
  assert.equal((await moveByCommand(data, url)).status, 0);
  const says =
    /^This database was moved to postgres:\/\/[\w.]+:\d+\/\w+ at \S+Z\. .* run "simgate move undo"\.$/m;
  for (const args of [
    ['serve'],
    ['config', '--check'],
    ['client', 'deposit', 'a', '1'],
    ['move', '--to', await emptyPostgres(), ...because],
  ]) {
    assertSentence(await simgate(data, args, { ...inFile, PORT: '0' }), says);
  }
  // Read-only commands may use it.
  assert.match((await simgate(data, ['verify'], inFile)).out, /^(Verified|Problems found)/);
  assertSentence(
    await simgate(data, ['move', 'undo', ...because], { DATABASE_URL: url }),
    /^This database was not moved away\./,
  );
  const undone = await simgate(data, ['move', 'undo', ...because], inFile);
  assert.equal(undone.status, 0, undone.err);
  const status = await simgate(data, ['restore', 'status', '--json'], inFile);
  const { cause, selling } = {
    cause: at(parsed(status.out), 'cause'),
    selling: at(parsed(status.out), 'selling'),
  };
  assert.deepEqual({ cause, selling }, { cause: 'marked', selling: false });
  const [decision] = await changeFile(data, (db) => readDecisions(db, 'place'));
  assert.deepEqual([decision?.action, decision?.reason], ['move undo', because[1]]);
});
