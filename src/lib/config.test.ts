/** Proves where configuration comes from, that it cannot be changed, and that mistakes in it are told. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type Config, readConfig } from './config.ts';
import { maskDatabaseUrl } from './config-database.ts';
import { UsageError } from './errors.ts';

const folder = mkdtempSync(join(tmpdir(), 'simgate-test-'));
after(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;

/** The environment with a config file of this content. */
const withFile = (content: unknown): { readonly SIMGATE_CONFIG: string } => {
  files += 1;
  const file = join(folder, `${files}.json`);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return { SIMGATE_CONFIG: file };
};

const refusal = (env: Readonly<Record<string, string>>): string => {
  try {
    readConfig(env);
  } catch (error) {
    assert.ok(error instanceof UsageError, String(error));
    return error.message;
  }
  return assert.fail('it was taken');
};

test('without any configuration, the gateway listens on port 3000 of this machine only', () => {
  const { host, port, dataDir, publicUrl, trustedProxies, logLevel, demo } = readConfig({});
  assert.deepEqual(
    { host, port, dataDir, publicUrl, trustedProxies, logLevel, demo },
    {
      host: '127.0.0.1',
      port: 3000,
      dataDir: './data',
      publicUrl: undefined,
      trustedProxies: [],
      logLevel: 'info',
      demo: true,
    },
  );
});

test('without any configuration, numbers are 98 and ten digits, and there are no rate limits', () => {
  const { mobile, rateLimits, offers } = readConfig({});
  assert.deepEqual(mobile, { prefix: '98', digits: 10 });
  assert.deepEqual(rateLimits, {});
  assert.equal(offers.rememberMs, 600_000);
});

test('without any configuration, five simulated operators are there and the second lists offers', () => {
  assert.deepEqual(
    readConfig({}).operators,
    [1, 2, 3, 4, 5].map((id) => ({
      id,
      name: `operator_${id}`,
      connector: 'simulator',
      settings: id === 2 ? { offers: true } : {},
    })),
  );
});

test('the environment wins over the file, and the file over the defaults', () => {
  const env = withFile({ host: '0.0.0.0', port: 4000, logLevel: 'warn', dataDir: '/from/file' });
  const file = readConfig(env);
  assert.deepEqual([file.host, file.port, file.logLevel], ['0.0.0.0', 4000, 'warn']);
  const both = readConfig({ ...env, PORT: '5000', HOST: '::1', LOG_LEVEL: 'debug' });
  assert.deepEqual([both.host, both.port, both.logLevel], ['::1', 5000, 'debug']);
  assert.equal(both.dataDir, '/from/file');
  assert.equal(readConfig({ ...env, DATA_DIR: '/from/env' }).dataDir, '/from/env');
});

test('one process serves unless WORKERS or the file says how many, up to 64', () => {
  assert.equal(readConfig({}).workers, 1);
  assert.equal(readConfig(withFile({ workers: 3 })).workers, 3);
  assert.equal(readConfig({ ...withFile({ workers: 3 }), WORKERS: '64' }).workers, 64);
  for (const wrong of ['0', '65', '1.5', 'two']) {
    assert.match(refusal({ WORKERS: wrong }), /workers must be/, wrong);
  }
});

test('an empty variable counts as absent', () => {
  const env = withFile({ port: 4000 });
  assert.equal(readConfig({ ...env, PORT: '', HOST: '', DATABASE_URL: '' }).port, 4000);
});

test('simgate.json in the current folder is the config file unless another is named', () => {
  const before = process.cwd();
  writeFileSync(join(folder, 'simgate.json'), '{"port": 4001}');
  process.chdir(folder);
  try {
    assert.equal(readConfig({}).port, 4001);
    assert.equal(readConfig(withFile({ port: 4002 })).port, 4002);
  } finally {
    process.chdir(before);
    rmSync(join(folder, 'simgate.json'));
  }
  assert.equal(readConfig({}).port, 3000);
});

test('a part of a group is enough; the rest of it keeps its defaults', () => {
  const { http, mobile } = readConfig(withFile({ http: { drainMs: 0 }, mobile: { prefix: '49' } }));
  assert.deepEqual(mobile, { prefix: '49', digits: 10 });
  assert.equal(http.drainMs, 0);
  assert.equal(http.bodyBytes, 65_536);
});

test('operators are merged by id, and what is left out keeps its default', () => {
  const { operators } = readConfig(
    withFile({
      operators: {
        2: { name: 'second' },
        4: { connector: 'other', settings: { url: 'http://x' } },
      },
    }),
  );
  assert.deepEqual(
    operators.map(({ id, name, connector }) => [id, name, connector]),
    [
      [1, 'operator_1', 'simulator'],
      [2, 'second', 'simulator'],
      [3, 'operator_3', 'simulator'],
      [4, 'operator_4', 'other'],
      [5, 'operator_5', 'simulator'],
    ],
  );
  assert.deepEqual(operators[1]?.settings, { offers: true });
  assert.deepEqual(operators[3]?.settings, { url: 'http://x' });
});

test('a thread writes the file only where the environment or the file says so', () => {
  assert.equal(readConfig({}).writerThread, false);
  assert.equal(readConfig({ SIMGATE_WRITER_THREAD: 'on' }).writerThread, true);
  assert.equal(readConfig(withFile({ writerThread: true })).writerThread, true);
});

test('demo data are left out where the environment says so, or in production', () => {
  assert.equal(readConfig({ SIMGATE_DEMO: 'off' }).demo, false);
  assert.equal(readConfig({ NODE_ENV: 'production' }).demo, false);
  assert.equal(readConfig({ ...withFile({ demo: true }), SIMGATE_DEMO: 'off' }).demo, false);
  assert.equal(readConfig(withFile({ demo: false })).demo, false);
  assert.equal(readConfig({ SIMGATE_DEMO: 'on', NODE_ENV: 'development' }).demo, true);
});

test('a public URL may carry a path, and loses its trailing slashes', () => {
  assert.equal(
    readConfig({ PUBLIC_URL: 'https://x.example/a//' }).publicUrl,
    'https://x.example/a',
  );
});

/** Every object in a configuration. */
const objectsIn = (value: unknown): object[] =>
  typeof value === 'object' && value !== null
    ? [value, ...Object.values(value).flatMap(objectsIn)]
    : [];

test('nothing of the configuration can be changed once it is read', () => {
  const config: Config = readConfig(
    withFile({ operators: { 1: { settings: { a: { b: [1] } } } }, trustedProxies: ['10.0.0.0/8'] }),
  );
  const parts = objectsIn(config);
  assert.ok(parts.length > 15);
  for (const part of parts) assert.ok(Object.isFrozen(part));
});

test('one configuration is not touched by the reading of another', () => {
  const first = JSON.stringify(readConfig({}));
  readConfig(withFile({ port: 1, operators: { 2: { settings: {} } }, http: { drainMs: 1 } }));
  assert.equal(JSON.stringify(readConfig({})), first);
});

for (const [mistake, content, told] of [
  ['an unknown key', { prot: 1 }, /prot is not known here/],
  ['an unknown key in a group', { http: { boddyBytes: 1 } }, /http\.boddyBytes is not known here/],
  ['the name of a method as a key', { constructor: 1 }, /constructor is not known here/],
  ['a port that is text', { port: '80' }, /port must be a whole number/],
  ['a port out of range', { port: 70_000 }, /port must be <= 65535/],
  ['an unknown level', { logLevel: 'loud' }, /logLevel must be one of: fatal, error/],
  ['an empty data folder', { dataDir: '' }, /dataDir must have at least 1 characters/],
  ['a sixth operator', { operators: { 6: {} } }, /operators\.6 is not known here/],
  ['an unknown key of an operator', { operators: { 1: { nam: 'x' } } }, /operators\.1\.nam is not/],
  [
    'an operator named like a route',
    { operators: { 1: { name: 'filter' } } },
    /operators\.1\.name/,
  ],
  [
    'an operator whose name is no path',
    { operators: { 1: { name: 'a/b' } } },
    /operators\.1\.name/,
  ],
  ['a rate without a burst', { rateLimits: { client: { perSecond: 1 } } }, /rateLimits\.client/],
  ['a prefix of letters', { mobile: { prefix: 'ab' } }, /mobile\.prefix/],
  ['a public URL without a scheme', { publicUrl: 'example.com' }, /publicUrl/],
  ['a public URL with a query', { publicUrl: 'http://x/?a=1' }, /publicUrl/],
] as const) {
  test(`${mistake} in the file is refused by name`, () => {
    const message = refusal(withFile(content));
    assert.match(message, /^The configuration is wrong\. /);
    assert.match(message, told);
  });
}

test('all mistakes are told at once', () => {
  const message = refusal(withFile({ port: -1, prot: 1, logLevel: 'loud' }));
  for (const part of ['port must be >= 0', 'prot is not known', 'logLevel must be']) {
    assert.ok(message.includes(part), message);
  }
});

test('a variable with a mistake is refused', () => {
  for (const port of ['abc', '-1', '80.5', '1e3', '65536', ' 80']) {
    assert.match(refusal({ PORT: port }), /port must be/, port);
  }
  assert.match(refusal({ LOG_LEVEL: 'loud' }), /logLevel must be one of/);
  assert.match(refusal({ PUBLIC_URL: 'ftp://x' }), /publicUrl/);
});

test('a file that is missing, or not a JSON object, is refused by its name', () => {
  const missing = join(folder, 'missing.json');
  assert.ok(refusal({ SIMGATE_CONFIG: missing }).includes(missing));
  const broken = withFile('{"port": ');
  assert.ok(refusal(broken).includes(broken.SIMGATE_CONFIG));
  for (const content of ['[]', 'null', '"text"', '1']) {
    assert.match(refusal(withFile(content)), /must hold a JSON object/);
  }
});

test('DATABASE_URL names a PostgreSQL database, and no other is taken for one', () => {
  const url = 'postgres://user:secret@host:5432/simgate';
  assert.equal(readConfig({ DATABASE_URL: url }).databaseUrl, url);
  const message = refusal({ DATABASE_URL: 'mysql://user:secret@host/db' });
  assert.match(message, /databaseUrl/);
  assert.ok(!message.includes('secret'));
});

test('an address of a database is shown without its password', () => {
  for (const [url, shown] of [
    ['postgres://user:se:c@r/et@host/db', 'postgres://user:***@host/db'],
    ['postgres://host/db', 'postgres://host/db'],
    ['postgres://host/db?user=u&password=s%26cret', 'postgres://host/db?user=u&password=***'],
    ['postgres://u:p?x@host/db?sslpassword=a=b', 'postgres://u:***@host/db?sslpassword=***'],
    ['postgres:///db?host=/run/pg&sslmode=require', 'postgres:///db?host=/run/pg&sslmode=require'],
  ] as const) {
    assert.equal(maskDatabaseUrl(url), shown);
  }
});

test('OPERATOR_URL makes every operator one of a simulator server, with its short times', () => {
  const { operators, operatorUrl } = readConfig({ OPERATOR_URL: 'http://127.0.0.1:4000/' });
  assert.equal(operatorUrl, 'http://127.0.0.1:4000');
  assert.deepEqual(
    operators.map(({ id, connector, settings }) => [id, connector, settings['baseUrl']]),
    [1, 2, 3, 4, 5].map((id) => [id, 'http', `http://127.0.0.1:4000/operators/${id}`]),
  );
  assert.deepEqual(
    operators.map(({ settings }) => settings['offers']),
    [false, true, false, false, false],
  );
  assert.ok(operators.every(({ settings }) => settings['settlesWithin'] === 3_000));
});

test('OPERATOR_URL wins over the file, which still names operators and adds settings that fit', () => {
  const env = withFile({
    operators: {
      1: { connector: 'simulator', settings: { deadline: 1 } },
      2: { name: 'blue', connector: 'http', settings: { baseUrl: 'http://other', token: 't' } },
      3: { settings: { offers: true } },
    },
  });
  const [first, second, third] = readConfig({ ...env, OPERATOR_URL: 'https://sim' }).operators;
  assert.equal(first?.connector, 'http');
  assert.equal('deadline' in (first?.settings ?? {}), false);
  assert.deepEqual(
    [second?.name, second?.settings['baseUrl'], second?.settings['token']],
    ['blue', 'https://sim/operators/2', 't'],
  );
  assert.equal(third?.settings['offers'], true);
});

test('an OPERATOR_URL that is none, or that carries a secret, is refused without showing it', () => {
  for (const url of ['4000', 'ftp://sim', 'http://user:secret@sim', 'http://sim?key=secret']) {
    const message = refusal({ OPERATOR_URL: url });
    assert.match(message, /operatorUrl/);
    assert.ok(!message.includes('secret'));
  }
});
