/** Proves what is looked at before the server starts: configuration, database, port; and what it says of each. */
import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { at, listOf } from '../support/answers.ts';
import { assertSentence, done, temporaryFolders, twoAtATime } from '../support/command.ts';
import { parsed } from '../support/live.ts';
import { serveProcess, simgate, simgateKept } from '../support/process.ts';

const folder = temporaryFolders();

describe('config', twoAtATime, () => {
  it('prints the configuration in force as JSON, secrets masked', async () => {
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
});

describe('A configuration that is wrong', twoAtATime, () => {
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
  /** Refused as soon as they are read: nothing is open by then that would need a process of its own. */
  const read: readonly Case[] = [
    ['a port that is no number', '{}', { PORT: 'http' }, /port must be a whole number/],
    ['a log level that is none', '{}', { LOG_LEVEL: 'loud' }, /logLevel must be one of: fatal/],
    ['a file that is no JSON', '{port: 1}', {}, /^The config file simgate\.json cannot be read/],
    ['a file that is not there', '{}', { SIMGATE_CONFIG: 'no.json' }, /^The config file no\.json/],
    ['a key that is not known', '{"prot": 1}', {}, /prot is not known/],
    ['a proxy without an address', '{"trustedProxies": ["lb"]}', {}, /^trustedProxies: "lb"/],
  ];
  const tried: readonly Case[] = [
    [
      'a database that is not there',
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
      'a connector that is not there',
      '{"operators": {"3": {"connector": "fax"}}}',
      {},
      /^Operator "operator_3": there is no connector "fax"/,
    ],
  ];
  for (const [cases, run] of [
    [read, simgateKept],
    [tried, simgate],
  ] as const) {
    for (const [about, file, env, says] of cases) {
      it(`keeps the server from starting, with a sentence: ${about}`, async () => {
        const data = withFile(file);
        assertSentence(await run(data, ['serve'], { PORT: '0', ...env }), says);
      });
    }
  }
});

describe('A place that is taken', { timeout: 240_000 }, () => {
  it('keeps the server from starting on a port, which it names', async () => {
    const holder = createServer().unref();
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
    const address = holder.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    const result = await simgate(folder(), ['serve'], { PORT: port });
    holder.close();
    assertSentence(result, new RegExp(`^Port ${port} of 127\\.0\\.0\\.1 is taken\\. Set PORT`));
  });

  it('keeps a second server off the same folder, and the first one serves on', async () => {
    const data = folder();
    const first = await serveProcess(data);
    const second = await simgate(data, ['serve'], { PORT: '0' });
    assertSentence(second, /^Another Simgate server uses .*\. Stop it first, or set DATA_DIR/);
    assert.equal((await fetch(`${first.url}/health/ready`)).status, 200);
    assert.equal(await first.stop(), 0);
  });
});

describe('migrate', twoAtATime, () => {
  it('brings a new database up to date, and finds nothing to do the second time', async () => {
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

  it('brings an old database up to date, which verify refuses before', async () => {
    const data = folder();
    writeFileSync(join(data, 'simgate.db'), '');
    assertSentence(
      await simgate(data, ['verify']),
      /older than this Simgate. Run "simgate migrate"/,
    );
    assert.match(await done(data, 'migrate'), /^Applied 0001-/);
    await done(data, 'verify');
  });

  it('leaves a database of a newer Simgate alone, as all commands do', async () => {
    const data = folder();
    await done(data, 'migrate');
    const database = new DatabaseSync(join(data, 'simgate.db'));
    database.exec("insert into migrations (number, name, applied_at) values (9999, 'later', 0)");
    database.close();
    const newer = /^The database is newer than this Simgate/;
    for (const args of [['migrate'], ['verify'], ['serve']]) {
      assertSentence(await simgate(data, args), newer);
    }
  });
});
