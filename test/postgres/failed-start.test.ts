/** Tests that a server whose start fails exits, so that a process manager can start it again. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import pg from 'pg';
import { cleanUpAfterTest } from '../support/cleanup.ts';
import { assertSentence, temporaryFolders } from '../support/command.ts';
import { freshPostgres } from '../support/database.ts';
import { startDatabaseProxy } from '../support/database-proxy.ts';
import { eventually } from '../support/live.ts';
import { serveProcess, simgate } from '../support/process.ts';

const folder = temporaryFolders();

/** What is read during the start, and what already runs by then. */
const moments = [
  ['webhook_endpoints', 'changes are polled'],
  ['from restores', 'webhooks are sent'],
] as const;

for (const [read, runs] of moments) {
  test(`a server that loses its database during its start exits, although ${runs} already`, async (t) => {
    const { url, remove } = await freshPostgres();
    t.after(remove);
    const proxy = await startDatabaseProxy(Number(new URL(url).port));
    t.after(proxy.close);
    proxy.decide((sent) => (sent.includes(read) ? 'is lost' : 'passes'));
    const behind = new URL(url);
    behind.port = String(proxy.port);
    await assert.rejects(serveProcess(folder(), { DATABASE_URL: behind.href }), {
      message: /^The server ended: .*The database is unreachable/s,
    });
  });
}

/** The address of an empty database that is removed with its test. */
const emptyDatabase = async (): Promise<string> => {
  const { url, remove } = await freshPostgres('empty');
  cleanUpAfterTest(remove);
  return url;
};

const runOn = async (url: string, text: string): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
};

type Parts = Partial<Pick<URL, 'username' | 'password' | 'pathname' | 'port'>>;

/** The address with other parts. */
const changed = (url: string, parts: Parts): string => Object.assign(new URL(url), parts).href;

type Refused = readonly [
  about: string,
  prepare: (url: string) => Promise<string> | string,
  says: RegExp,
];

const limited = `simgate_limited_${process.pid}`;

const refused: readonly Refused[] = [
  [
    'a wrong password',
    (url) => changed(url, { password: 'hunter2' }),
    /^The database server of DATABASE_URL does not accept the user or the password\.$/m,
  ],
  [
    'a database that does not exist',
    (url) => changed(url, { pathname: 'hunter2' }),
    /^The database server of DATABASE_URL has no database of that name: create it first\.$/m,
  ],
  [
    'a user that may create no tables',
    async (url) => {
      await runOn(url, `create role ${limited} login password 'word'`);
      cleanUpAfterTest(() => runOn(url, `drop role ${limited}`));
      return changed(url, { username: limited, password: 'word' });
    },
    /the user of DATABASE_URL has no right to .*Run "simgate migrate" as/i,
  ],
  [
    'tables of another program',
    async (url) => {
      await runOn(url, 'create table clients (hunter2 text)');
      return url;
    },
    /of another program/,
  ],
  [
    'migrations of another program',
    async (url) => {
      await runOn(url, 'create table migrations (id int, migration text, batch int)');
      return url;
    },
    /of another program/,
  ],
  [
    'a database that can only be read',
    async (url) => {
      const name = new URL(url).pathname.slice(1);
      await runOn(url, `alter database ${name} set default_transaction_read_only = on`);
      return url;
    },
    /^The database of DATABASE_URL can only be read: it is a standby, or set so\. Name the primary\.$/m,
  ],
];

describe('A start is refused in a sentence, and so is its check beforehand', () => {
  for (const [about, prepare, says] of refused) {
    test(about, async () => {
      const env = { DATABASE_URL: await prepare(await emptyDatabase()), PORT: '0' };
      for (const args of [['serve'], ['config', '--check']]) {
        const result = await simgate(folder(), args, env);
        assertSentence(result, says);
        assert.doesNotMatch(result.err, /hunter2/);
      }
    });
  }
});

describe('A database that is unavailable when a server starts', () => {
  const startBehind = async (startWaitMs: number) => {
    const url = await emptyDatabase();
    const proxy = await startDatabaseProxy(Number(new URL(url).port));
    const data = folder();
    writeFileSync(join(data, 'simgate.json'), JSON.stringify({ database: { startWaitMs } }));
    const env = { DATABASE_URL: changed(url, { port: String(proxy.port) }), PORT: '0' };
    return { data, env, proxy };
  };

  test('is waited for if that is set, and the log says so once', {
    timeout: 240_000,
  }, async () => {
    const { data, env, proxy } = await startBehind(200_000);
    let tries = 0;
    proxy.decide(() => {
      tries += 1;
      return tries < 3 ? 'is lost' : 'passes';
    });
    const served = await serveProcess(data, env);
    await eventually('it is ready', async () => (await fetch(`${served.url}/health/ready`)).ok);
    assert.equal(await served.stop(), 0);
    const said = served.printed().match(/waiting for the database/g) ?? [];
    assert.equal(said.length, 1);
    assert.doesNotMatch(served.printed(), /a connection to the database broke/);
  });

  test('ends the start after that time, and at once if none is set', async () => {
    for (const waits of [0, 1]) {
      const { data, env, proxy } = await startBehind(waits);
      await proxy.goAway();
      const { status, err } = await simgate(data, ['serve'], env);
      assert.equal(status, 1);
      assert.match(err, /^The database of DATABASE_URL cannot be reached: .*ECONNREFUSED.*\.\n$/);
    }
  });

  test('is not waited for if it refuses the user', async () => {
    const { data, env } = await startBehind(200_000);
    const wrong = { ...env, DATABASE_URL: changed(env.DATABASE_URL, { password: 'x' }) };
    assertSentence(await simgate(data, ['serve'], wrong), /does not accept the user/);
  });
});
