/** Tests the checks before the server starts, of configuration, database and port, and their messages. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { at, listOf } from '../support/answers.ts';
import { assertSentence, done, temporaryFolders, twoAtATime } from '../support/command.ts';
import { serveKept } from '../support/kept-server.ts';
import { parsed } from '../support/live.ts';
import { freePort } from '../support/port.ts';
import { simgate, simgateKept } from '../support/process.ts';

const folder = temporaryFolders();

describe('config', twoAtATime, () => {
  it('prints the current configuration as JSON, secrets masked', async () => {
    const data = folder();
    const operators = {
      1: { name: 'north', connector: 'nobody-knows', settings: { password: 'hunter2' } },
      2: { settings: { offers: true, api_key: 'hunter2' } },
    };
    writeFileSync(join(data, 'simgate.json'), JSON.stringify({ port: 1, host: '::1', operators }));
    const env = { PORT: '8080', PUBLIC_URL: 'https://sell.example/gate/' };
    const [words, json] = await Promise.all([
      simgate(data, ['config'], env),
      simgate(data, ['config', '--json'], env),
    ]);
    assert.deepEqual([words.status, json.status], [0, 0]);
    assert.deepEqual(parsed(words.out), parsed(json.out));
    const shown = parsed(json.out);
    assert.equal(at(shown, 'port'), 8080, 'the environment wins over the file');
    assert.equal(at(shown, 'host'), '::1', 'the file wins over the default');
    assert.equal(at(shown, 'dataDir'), data);
    assert.equal(at(shown, 'publicUrl'), 'https://sell.example/gate');
    assert.deepEqual(at(shown, 'operators', 0, 'settings'), { password: '***' });
    assert.deepEqual(at(shown, 'operators', 1, 'settings'), { offers: true, api_key: '***' });
    assert.doesNotMatch(words.out + json.out, /hunter2/);
  });

  it('also shows what a start would refuse, so that it can be inspected', async () => {
    const { status, out } = await simgate(folder(), ['config'], { WORKERS: '2' });
    assert.deepEqual([status, at(parsed(out), 'workers')], [0, 2]);
  });
});

describe('An invalid configuration', twoAtATime, () => {
  const withFile = (text: string): string => {
    const data = folder();
    writeFileSync(join(data, 'simgate.json'), text);
    return data;
  };
  type Case = readonly [
    about: string,
    file: string,
    env: Readonly<Record<string, string>>,
    says: RegExp,
  ];
  /** Refused as soon as it is read: nothing is open by then that would need its own process. */
  const read: readonly Case[] = [
    ['a port that is not a number', '{}', { PORT: 'http' }, /port must be a whole number/],
    ['an unknown log level', '{}', { LOG_LEVEL: 'loud' }, /logLevel must be one of: fatal/],
    [
      'a file that is not JSON',
      '{port: 1}',
      {},
      /^The config file simgate\.json is not JSON\. It breaks in line 1/,
    ],
    [
      'a missing file',
      '{}',
      { SIMGATE_CONFIG: 'no.json' },
      /^The file no\.json does not exist, which SIMGATE_CONFIG names\.$/m,
    ],
    ['an unknown key', '{"prot": 1}', {}, /prot is unknown\. The nearest is port\./],
    ['a proxy without an address', '{"trustedProxies": ["lb"]}', {}, /^trustedProxies: "lb"/],
    [
      'a secret that is not in its file',
      '{}',
      { METRICS_TOKEN_FILE: 'simgate.json/none' },
      /^The file that METRICS_TOKEN_FILE names cannot be read\.$/m,
    ],
    [
      'a key that does not match its pattern',
      '{}',
      { SIMGATE_SECRETS_KEY: 'hunter2' },
      /^The configuration is wrong\. secretsKey does not have the right format\. .* 32 random bytes in base64url\./m,
    ],
    [
      'an invalid database address',
      '{}',
      { DATABASE_URL: 'postgres://user:hun/ter2@host/db' },
      /^databaseUrl cannot be read as an address\./,
    ],
    [
      'a mistyped variable',
      '{}',
      { SIMGATE_CONFG: 'x' },
      /^There is no variable SIMGATE_CONFG\. The nearest is SIMGATE_CONFIG\.$/m,
    ],
    [
      'more workers than a file has servers',
      '{"workers": 2}',
      {},
      /^workers must be 1: SQLite supports one server process\./,
    ],
  ];
  const tried: readonly Case[] = [
    [
      'a missing database',
      '{}',
      { DATABASE_URL: 'postgres://127.0.0.1:1/simgate' },
      /^The database of DATABASE_URL cannot be reached/,
    ],
    [
      'an address of another machine',
      '{}',
      { HOST: '192.0.2.1' },
      /^192\.0\.2\.1 is not an address/,
    ],
    [
      'a missing connector',
      '{"operators": {"3": {"connector": "fax"}}}',
      {},
      /^Operator "operator_3": there is no connector "fax"/,
    ],
    [
      'settings that are invalid for their connector',
      '{"operators": {"3": {"connector": "http"}}}',
      {},
      /^Operator "operator_3": .*baseUrl/,
    ],
    [
      'an invalid network of webhooks',
      '{"webhooks": {"allowedNetworks": ["lan"]}}',
      {},
      /^webhooks\.allowedNetworks: "lan" is not an IP address/,
    ],
    [
      'a folder that cannot be written',
      '{}',
      { DATA_DIR: '/dev/null/data' },
      /^The folder .*DATA_DIR/,
    ],
    [
      'metrics of workers on the main port',
      '{}',
      {
        WORKERS: '2',
        METRICS_TOKEN: 'sixteen-letters-or-more',
        DATABASE_URL: 'postgres://127.0.0.1:1/simgate',
      },
      /^With workers the metrics need a port of their own/,
    ],
    [
      'an unreadable witness',
      '{}',
      { DATA_DIR: 'with-witness' },
      /simgate\.db\.witness tells whether the database is complete, and cannot be read\./,
    ],
  ];
  for (const [cases, run] of [
    [read, simgateKept],
    [tried, simgate],
  ] as const) {
    for (const [about, file, env, says] of cases) {
      it(`prevents the start, and is found by the check, with a sentence: ${about}`, async () => {
        const data = withFile(file);
        mkdirSync(join(data, 'with-witness', 'simgate.db.witness'), { recursive: true });
        for (const [args, how] of [
          [['serve'], run],
          [['config', '--check'], simgateKept],
        ] as const) {
          const result = await how(data, args, { PORT: '0', ...env });
          assertSentence(result, says);
          assert.doesNotMatch(result.err, /hunter2|hun\/ter2|\^|\[A-Z/, 'a secret or a pattern');
        }
      });
    }
  }
});

describe('config --check', twoAtATime, () => {
  const check = async (data: string, env: Readonly<Record<string, string>> = {}) => {
    const { status, out, err } = await simgate(data, ['config', '--check'], { PORT: '0', ...env });
    assert.deepEqual({ status, err }, { status: 0, err: '' });
    return out;
  };

  it('prints what would be sold, and creates nothing', async () => {
    const data = folder();
    const place = join(data, 'deep', 'inside');
    assert.equal(
      await check(data, { DATA_DIR: place }),
      'The configuration is valid. Database: empty; the start sets it up. Operators: operator_1 (simulator), operator_2 (simulator), operator_3 (simulator), operator_4 (simulator), operator_5 (simulator). Suppliers: second_supplier (simulator).\n',
    );
    assert.deepEqual(readdirSync(data), []);
  });

  it('names the operators that are not for sale in production', async () => {
    const data = folder();
    const operators = { 1: { connector: 'simulator' }, 2: { name: 'blue' } };
    writeFileSync(join(data, 'simgate.json'), JSON.stringify({ operators }));
    const out = await check(data, { NODE_ENV: 'production' });
    assert.match(
      out,
      /Operators: operator_1 \(simulator\)\. Not for sale: blue, operator_3, operator_4, operator_5\.$/m,
    );
    const none = await check(folder(), { NODE_ENV: 'production' });
    assert.match(none, /Operators: none, so nothing can be sold\./);
  });

  it('refuses production without a chosen database', async () => {
    const env = { NODE_ENV: 'production', DATA_DIR: '' };
    assertSentence(
      await simgateKept(folder(), ['config', '--check'], env),
      /^With NODE_ENV=production it has to be said where the database is: set DATABASE_URL, or DATA_DIR/,
    );
  });

  it('says what is in use beside a running server, and does not refuse it', async () => {
    const data = folder();
    const port = String(await freePort());
    const served = await serveKept(data, { PORT: port });
    const out = await check(data, { PORT: port });
    assert.match(out, /Database: up to date\./);
    assert.match(out, /Another Simgate server uses .*\. Stop the process that uses it first\./);
    assert.match(out, new RegExp(`Port ${port} of 127\\.0\\.0\\.1 is in use\\. Stop`));
    assert.equal((await fetch(`${served.url}/health/ready`)).status, 200);
    assert.equal(await served.stop(), 0);
    assert.doesNotMatch(await check(data, { PORT: port }), / now: /);
  });

  it('finds a port that is configured twice', async () => {
    const port = String(await freePort());
    assertSentence(
      await simgateKept(folder(), ['config', '--check'], { PORT: port, METRICS_PORT: port }),
      /^The metrics cannot be served at 127\.0\.0\.1:\d+ \(it is the port of the gateway\)/,
    );
  });

  it('finds an invalid database, or a newer one', async () => {
    const data = folder();
    writeFileSync(join(data, 'simgate.db'), 'not a database, and long enough to be read as one');
    const run = () => simgateKept(data, ['config', '--check'], { PORT: '0' });
    assertSentence(await run(), /simgate\.db cannot be opened as a database/);
  });

  it('accepts the console’s settings, as a start does', async () => {
    const data = folder();
    const operators = { 3: { connector: 'http' } };
    writeFileSync(join(data, 'simgate.json'), JSON.stringify({ operators }));
    await done(data, 'migrate');
    const database = new DatabaseSync(join(data, 'simgate.db'));
    database.exec(`insert into operator_settings (operator_id, connector, sealed, version, changed_at)
      values (3, 'http', 'sealed', 'one', 0)`);
    database.close();
    assert.match(await check(data), /operator_3 \(http\)/);
    const served = await serveKept(data);
    assert.equal(await served.stop(), 0);
  });
});

describe('The log of a start', twoAtATime, () => {
  it('names the operators that are simulated', async () => {
    const served = await serveKept(folder());
    assert.equal(await served.stop(), 0);
    assert.match(
      served.printed(),
      /"operators":\["operator_1","operator_2","operator_3","operator_4","operator_5","second_supplier"\],"msg":"these operators are simulated/,
    );
  });

  it('names the operators that are not for sale in production', async () => {
    const data = folder();
    const operators = { 1: { connector: 'simulator' }, 2: { name: 'blue' } };
    writeFileSync(join(data, 'simgate.json'), JSON.stringify({ operators }));
    const served = await serveKept(data, { NODE_ENV: 'production' });
    assert.equal(await served.stop(), 0);
    assert.match(
      served.printed(),
      /"operators":\["operator_1"\],"msg":"these operators are simulated/,
    );
    assert.match(
      served.printed(),
      /"operators":\["blue","operator_3","operator_4","operator_5"\],"msg":"these operators have no connector/,
    );
  });
});

describe('A place that is taken', { timeout: 240_000 }, () => {
  it('prevents the start on a port, which it names', async () => {
    const holder = createServer().unref();
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
    const address = holder.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    const result = await simgate(folder(), ['serve'], { PORT: port });
    holder.close();
    assertSentence(result, new RegExp(`^Port ${port} of 127\\.0\\.0\\.1 is in use\\. Set PORT`));
  });

  it('keeps a second server off the same folder, and the first one continues', async () => {
    const data = folder();
    const first = await serveKept(data);
    const second = await simgate(data, ['serve'], { PORT: '0' });
    assertSentence(second, /^Another Simgate server uses .*\. Stop it first, or set DATA_DIR/);
    assert.equal((await fetch(`${first.url}/health/ready`)).status, 200);
    assert.equal(await first.stop(), 0);
  });
});

describe('migrate', twoAtATime, () => {
  it('migrates a new database, and finds nothing to do the second time', async () => {
    const data = folder();
    const applied = listOf(at(parsed(await done(data, 'migrate', '--json')), 'applied'));
    const files = readdirSync(new URL('../../migrations/', import.meta.url)).sort();
    assert.deepEqual(
      applied.map((name) => `${String(name)}.sql`),
      files,
    );
    assert.deepEqual(parsed(await done(data, 'migrate', '--json')), { applied: [] });
    assert.equal(await done(data, 'migrate'), 'The database is up to date.\n');
  });

  it('migrates an old database, which verify refuses before', async () => {
    const data = folder();
    writeFileSync(join(data, 'simgate.db'), '');
    assertSentence(
      await simgate(data, ['verify']),
      /older than this Simgate. Run "simgate migrate"/,
    );
    assert.match(await done(data, 'migrate'), /^Applied 0001-/);
    await done(data, 'verify');
  });

  it('leaves a newer Simgate’s database alone, as all commands do', async () => {
    const data = folder();
    await done(data, 'migrate');
    const database = new DatabaseSync(join(data, 'simgate.db'));
    database.exec("insert into migrations (number, name, applied_at) values (9999, 'later', 0)");
    database.close();
    for (const args of [['migrate'], ['verify'], ['serve']]) {
      const { status, out, err } = await simgate(data, args);
      assert.deepEqual([status, out], [3, ''], 'a status of its own');
      assert.match(err, /^The database is newer than this Simgate[^\n]+\.\n$/);
    }
  });
});
