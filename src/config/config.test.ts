/** Tests where configuration comes from, its defaults, and the error for each mistake. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { UsageError } from '../lib/errors.ts';
import { isRecord } from '../lib/record.ts';
import { type Config, ConfigSchema, configFrom, readConfig, readConfigSources } from './config.ts';
import { originsOf } from './origins.ts';
import { maskDatabaseUrl } from './sections/database.ts';
import { simulatedIn } from './sections/operators.ts';
import { secretVariables } from './sources.ts';

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
  return assert.fail('it was accepted');
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

test('without any configuration, numbers are 98 and ten digits, and only anonymous callers have a rate limit', () => {
  const { mobile, rateLimits, offers } = readConfig({});
  assert.deepEqual(mobile, { prefix: '98', digits: 10 });
  assert.deepEqual(rateLimits, { anonymous: { perSecond: 50, burst: 500 } });
  assert.equal(offers.rememberMs, 600_000);
});

test('without any configuration, there are five simulated operators and the second lists offers', () => {
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
  assert.equal(readConfig({ SIMGATE_CONFIG: '', DATABASE_URL_FILE: '' }).port, 3000);
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

test('a part of a group is enough; the rest keeps its defaults', () => {
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

test('a removed setting is refused by name, in the file and in the environment', () => {
  assert.equal(
    refusal(withFile({ writerThread: false })),
    'The configuration is wrong. writerThread is unknown.',
  );
  assert.equal(
    refusal({ SIMGATE_WRITER_THREAD: 'on' }),
    'The variable SIMGATE_WRITER_THREAD was removed. Leave it out.',
  );
});

const production = { NODE_ENV: 'production' };

test('in production the database must be configured', () => {
  assert.match(refusal(production), /^With NODE_ENV=production .* set DATABASE_URL, or DATA_DIR/);
  const given = { ...production, ...withFile({ dataDir: '/srv/simgate' }) };
  assert.equal(readConfig(given).dataDir, '/srv/simgate');
});

test('in production an operator is for sale if it has a connector, and simulated only if that is named', () => {
  const place = { ...production, DATA_DIR: './data' };
  assert.deepEqual(readConfig(place).operators, []);
  const operators = {
    2: { connector: 'simulator' },
    3: { name: 'third' },
    4: { connector: 'http' },
  };
  const config = readConfig({ ...place, ...withFile({ operators }) });
  assert.deepEqual(
    config.operators.map((one) => [one.id, one.connector]),
    [
      [2, 'simulator'],
      [4, 'http'],
    ],
  );
  assert.deepEqual(config.notForSale, ['operator_1', 'third', 'operator_5']);
  assert.deepEqual(simulatedIn(config.operators, undefined), ['operator_2']);
  assert.deepEqual(readConfig({}).notForSale, []);
});

test('in production OPERATOR_URL replaces only the operators that are simulated by name', () => {
  const place = { ...production, DATA_DIR: './data', OPERATOR_URL: 'http://sim' };
  const refused = /^OPERATOR_URL leads to a simulator\. With NODE_ENV=production, leave it out/;
  assert.match(refusal(place), refused);
  const real = { connector: 'http', settings: { baseUrl: 'https://north' } };
  assert.match(refusal({ ...place, ...withFile({ operators: { 1: real } }) }), refused);
  const operators = { 1: real, 2: { connector: 'simulator' } };
  const config = readConfig({ ...place, ...withFile({ operators }) });
  assert.deepEqual(
    config.operators.map(({ id, settings }) => [id, settings['baseUrl']]),
    [
      [1, 'https://north'],
      [2, 'http://sim/operators/2'],
    ],
  );
  assert.deepEqual(simulatedIn(config.operators, config.operatorUrl), ['operator_2']);
});

test('operators 1 to 5 always exist, and further ones where they are configured', () => {
  const { operators } = readConfig(withFile({ operators: { 42: { name: 'north' }, 2: {} } }));
  assert.deepEqual(
    operators.map(({ id, name }) => [id, name]),
    [...[1, 2, 3, 4, 5].map((id) => [id, `operator_${id}`]), [42, 'north']],
  );
});

const second = { name: 'second', connector: 'http', settings: { baseUrl: 'https://second' } };

test('a demo has a second supplier, unless suppliers are configured or an operator is real', () => {
  assert.deepEqual(
    readConfig({}).suppliers.map(({ id, name, settings }) => [id, name, settings]),
    [[101, 'second_supplier', { second: true }]],
  );
  const real = { operators: { 3: { connector: 'http', settings: { baseUrl: 'https://north' } } } };
  for (const content of [{ suppliers: {} }, real]) {
    assert.deepEqual(readConfig(withFile(content)).suppliers, []);
  }
  assert.deepEqual(readConfig({ ...production, DATA_DIR: './data' }).suppliers, []);
  const named = readConfig(withFile({ suppliers: { 200: { ...second, group: 'one' } } }));
  assert.deepEqual(named.suppliers, [{ ...second, id: 200, group: 'one' }]);
});

test('OPERATOR_URL replaces the suppliers that are simulated, in production too', () => {
  const baseOf = (env: Record<string, string>) =>
    readConfig({ ...env, OPERATOR_URL: 'http://sim' }).suppliers.map(({ connector, settings }) => [
      connector,
      settings['baseUrl'],
    ]);
  assert.deepEqual(baseOf({}), [['http', 'http://sim/operators/101']]);
  const suppliers = { 100: { name: 'played', connector: 'simulator' }, 101: second };
  const replaced = [
    ['http', 'http://sim/operators/100'],
    ['http', 'https://second'],
  ];
  assert.deepEqual(baseOf(withFile({ suppliers })), replaced);
  const place = { ...production, DATA_DIR: './data', ...withFile({ suppliers }) };
  assert.deepEqual(baseOf(place), replaced);
  const config = readConfig(place);
  assert.deepEqual(config.simulatable, [100]);
  assert.deepEqual(simulatedIn(config.suppliers, undefined), ['played']);
});

test('in production the first link is printed only on request', () => {
  const place = { ...production, DATA_DIR: './data' };
  assert.equal(readConfig({}).admin.firstLink, true);
  assert.equal(readConfig(place).admin.firstLink, false);
  const asked = withFile({ admin: { firstLink: true } });
  assert.equal(readConfig({ ...place, ...asked }).admin.firstLink, true);
});

const key = 'A'.repeat(43);

/** A file of its own with this content. */
const fileWith = (content: string): string => {
  files += 1;
  const file = join(folder, `secret-${files}`);
  writeFileSync(file, content);
  return file;
};

/** One valid value for each secret setting. */
const secrets: Readonly<Record<(typeof secretVariables)[number], readonly [string, unknown]>> = {
  DATABASE_URL: ['databaseUrl', 'postgres://user:word@db/simgate'],
  SIMGATE_SECRETS_KEY: ['secretsKey', key],
  SIMGATE_OLD_SECRETS_KEYS: ['oldSecretsKeys', [key, key]],
  METRICS_TOKEN: ['metrics.token', 'sixteen-letters-or-more'],
};

const valueAt = (config: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>((value, name) => (isRecord(value) ? value[name] : undefined), config);

for (const variable of secretVariables) {
  const [setting, value] = secrets[variable];
  test(`${variable} may be in a file, which ${variable}_FILE names`, () => {
    const text = [value].flat().join(' ');
    const env = { [`${variable}_FILE`]: fileWith(`${text}\n`) };
    assert.deepEqual(valueAt(readConfig(env), setting), value);
    assert.deepEqual(valueAt(readConfig({ [variable]: text }), setting), value);
    assert.match(refusal({ ...env, [variable]: text }), /are both set\. Leave one out\.$/);
    for (const empty of ['', ' \n']) {
      const message = refusal({ [`${variable}_FILE`]: fileWith(empty) });
      assert.equal(message, `The file that ${variable}_FILE names is empty.`);
    }
  });

  test(`a missing file of ${variable}_FILE is reported without its content`, () => {
    const message = refusal({ [`${variable}_FILE`]: 'postgres://user:hunter2@db/simgate' });
    assert.equal(message, `The file that ${variable}_FILE names does not exist.`);
  });
}

/** The names of all secret settings. */
const secretsIn = (schema: unknown, path: readonly string[] = []): string[] => {
  if (!isRecord(schema)) return [];
  if (schema['secret'] === true) return [path.join('.')];
  const { properties } = schema;
  if (!isRecord(properties)) return [];
  return Object.entries(properties).flatMap(([name, one]) => secretsIn(one, [...path, name]));
};

test('every secret setting has a variable for a file', () => {
  const inFiles = new Set<string>(Object.values(secrets).map(([setting]) => setting));
  const found = secretsIn(ConfigSchema);
  assert.ok(found.length >= 3);
  for (const setting of found) assert.ok(inFiles.has(setting), setting);
});

test('a text of the config file may be in another file, relative to the config file', () => {
  const url = 'postgres://user:word@db/simgate';
  const secret = fileWith(`${url}\n`);
  assert.equal(readConfig(withFile({ databaseUrl: { $file: secret } })).databaseUrl, url);
  const beside = withFile({ databaseUrl: { $file: basename(secret) } });
  assert.equal(readConfig(beside).databaseUrl, url);
  const token = { $file: fileWith('word') };
  const operators = { 3: { connector: 'http', settings: { list: [token] } } };
  const [third] = readConfig(withFile({ operators })).operators.slice(2);
  assert.deepEqual(third?.settings, { list: ['word'] });
});

test('an error about a setting’s file names the setting, and never shows the content', () => {
  const none = { $file: 'hunter2' };
  assert.equal(
    refusal(withFile({ oldSecretsKeys: [key, none] })),
    'The file that oldSecretsKeys.1 names does not exist.',
  );
  const operators = { 3: { settings: { token: { $file: fileWith('\n') } } } };
  assert.equal(
    refusal(withFile({ operators })),
    'The file that operators.3.settings.token names is empty.',
  );
});

test('a config file is read once, so that it may be a pipe', () => {
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  const writer = spawn('sh', ['-c', `echo '{"port": 4003}' > "$1"`, 'sh', pipe]);
  after(() => writer.kill());
  const given = readConfigSources({ SIMGATE_CONFIG: pipe });
  assert.equal(configFrom(given).port, 4003);
  assert.equal(originsOf(given).get('port'), 'file');
});

test('a mistyped setting gets a suggestion, and a wrong format its correction', () => {
  assert.match(refusal(withFile({ prot: 1 })), /prot is unknown\. The nearest is port\./);
  assert.match(refusal(withFile({ http: { bodyByte: 1 } })), /The nearest is bodyBytes\./);
  assert.doesNotMatch(refusal(withFile({ colour: 1 })), /nearest/);
  const wrong = refusal({ SIMGATE_SECRETS_KEY: 'short' });
  assert.match(
    wrong,
    /secretsKey does not have the right format\. .* 32 random bytes in base64url/,
  );
  assert.doesNotMatch(wrong, /\^|short/);
  const old = refusal(withFile({ oldSecretsKeys: ['short'] }));
  assert.match(
    old,
    /oldSecretsKeys\.0 does not have the right format\. SIMGATE_OLD_SECRETS_KEYS: Previous keys/,
  );
});

test('a mistyped variable of Simgate gets a suggestion', () => {
  assert.equal(
    refusal({ SIMGATE_SECRET_KEY: key }),
    'There is no variable SIMGATE_SECRET_KEY. The nearest is SIMGATE_SECRETS_KEY.',
  );
  assert.match(refusal({ SIMGATE_CONIFG: 'x' }), /The nearest is SIMGATE_CONFIG\./);
  assert.equal(readConfig({ SIMGATE_TEAM: 'mine', DATABASE_URI: 'x' }).port, 3000);
});

test('an invalid JSON file is reported with its line', () => {
  assert.match(
    refusal(withFile('{\n  "port": 1,\n}')),
    /is not JSON\. It breaks in line 3, at character 1\.$/,
  );
  assert.match(
    refusal(withFile('{\n  "admin": {},\n  "demo": True\n}')),
    /is not JSON\. It breaks in line 3, at character 11\.$/,
  );
  const secret = refusal(withFile(`{"metrics": {"token": 'hunter2-hunter2-hunter2'}}`));
  assert.match(secret, /line 1, at character 23\.$/);
  assert.doesNotMatch(secret, /hunter2/);
});

test('a config file may begin with a byte order mark', () => {
  assert.equal(readConfig(withFile('\uFEFF{"port": 4004}')).port, 4004);
});

test('the demo data is left out if the environment says so, or in production', () => {
  assert.equal(readConfig({ SIMGATE_DEMO: 'off' }).demo, false);
  assert.equal(readConfig({ ...production, DATA_DIR: './data' }).demo, false);
  assert.equal(readConfig({ ...withFile({ demo: true }), SIMGATE_DEMO: 'off' }).demo, false);
  assert.equal(readConfig(withFile({ demo: false })).demo, false);
  assert.equal(readConfig({ SIMGATE_DEMO: 'on', NODE_ENV: 'development' }).demo, true);
});

test('the fast path is off if the environment or the file says so', () => {
  assert.equal(readConfig({}).http.fastPath, true);
  const file = withFile({ http: { drainMs: 7 } });
  const { fastPath, drainMs } = readConfig({ ...file, SIMGATE_FAST_PATH: 'off' }).http;
  assert.deepEqual([fastPath, drainMs], [false, 7]);
  assert.equal(readConfig(withFile({ http: { fastPath: false } })).http.fastPath, false);
  assert.match(refusal({ SIMGATE_FASTPATH: 'off' }), /The nearest is SIMGATE_FAST_PATH\.$/);
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

test('the configuration is frozen once it is read', () => {
  const config: Config = readConfig(
    withFile({ operators: { 1: { settings: { a: { b: [1] } } } }, trustedProxies: ['10.0.0.0/8'] }),
  );
  const parts = objectsIn(config);
  assert.ok(parts.length > 15);
  for (const part of parts) assert.ok(Object.isFrozen(part));
});

test('reading one configuration does not affect another', () => {
  const first = JSON.stringify(readConfig({}));
  readConfig(withFile({ port: 1, operators: { 2: { settings: {} } }, http: { drainMs: 1 } }));
  assert.equal(JSON.stringify(readConfig({})), first);
});

for (const [mistake, content, told] of [
  ['an unknown key', { prot: 1 }, /prot is unknown/],
  ['an unknown key in a group', { http: { boddyBytes: 1 } }, /http\.boddyBytes is unknown/],
  ['the name of a method as a key', { constructor: 1 }, /constructor is unknown/],
  ['a port that is text', { port: '80' }, /port must be a whole number/],
  ['a port out of range', { port: 70_000 }, /port must be at most 65535/],
  ['an unknown level', { logLevel: 'loud' }, /logLevel must be one of: fatal, error/],
  ['an empty data folder', { dataDir: '' }, /dataDir must have at least 1 characters/],
  ['an operator beyond 99', { operators: { 100: {} } }, /operators\.100 is unknown/],
  [
    'a supplier below 100',
    { suppliers: { 99: { name: 'x', connector: 'http' } } },
    /suppliers\.99 is unknown/,
  ],
  [
    'a supplier without a connector',
    { suppliers: { 100: { name: 'x' } } },
    /suppliers\.100\.connector is required/,
  ],
  [
    'a supplier named like a route',
    { suppliers: { 100: { name: 'filter', connector: 'http' } } },
    /suppliers\.100\.name/,
  ],
  [
    'a supplier with prefixes',
    { suppliers: { 100: { name: 'x', connector: 'http', prefixes: ['98912'] } } },
    /suppliers\.100\.prefixes is unknown/,
  ],
  [
    'an unknown key of an operator',
    { operators: { 1: { nam: 'x' } } },
    /operators\.1\.nam is unknown/,
  ],
  [
    'an operator named like a route',
    { operators: { 1: { name: 'filter' } } },
    /operators\.1\.name/,
  ],
  [
    'an operator whose name is not a path',
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

test('all mistakes are reported at once', () => {
  const message = refusal(withFile({ port: -1, prot: 1, logLevel: 'loud' }));
  for (const part of ['port must be at least 0', 'prot is unknown', 'logLevel must be']) {
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

test('DATABASE_URL names a PostgreSQL database, and no other URL is accepted', () => {
  const url = 'postgres://user:secret@host:5432/simgate';
  assert.equal(readConfig({ DATABASE_URL: url }).databaseUrl, url);
  const message = refusal({ DATABASE_URL: 'mysql://user:secret@host/db' });
  assert.match(message, /databaseUrl/);
  assert.ok(!message.includes('secret'));
});

test('an unreadable database address is refused in a sentence, and not shown', () => {
  for (const url of [
    'postgres://user:hun/ter2@host/db',
    'postgres://user:hun#ter2@host/db',
    'postgres://user:hunter2@host:port/db',
    'postgres://user:hun,ter2/x@host/db',
  ]) {
    const message = refusal({ DATABASE_URL: url });
    assert.match(message, /^databaseUrl cannot be read as an address\. .* \/ is %2F\.$/);
    assert.doesNotMatch(message, /hun|ter2/);
  }
  for (const url of [
    'postgres://u:p%@host/db',
    'postgres://u:p@/db?host=/run/pg',
    'postgres:///db',
  ]) {
    assert.equal(readConfig({ DATABASE_URL: url }).databaseUrl, url);
  }
});

test('a database address with several hosts is refused, and not shown', () => {
  for (const url of [
    'postgres://user:hunter2@one:5432,two:5432/db?target_session_attrs=read-write',
    'postgres://one,two/db',
    'postgres://user:hunter2@/db?host=one,two',
  ]) {
    const message = refusal({ DATABASE_URL: url });
    assert.match(message, /^databaseUrl names several hosts, .* HAProxy/);
    assert.doesNotMatch(message, /hunter2/);
  }
  const commas = 'postgres://user:hun,ter2@host/db?options=a,b';
  assert.equal(readConfig({ DATABASE_URL: commas }).databaseUrl, commas);
});

test('libpq’s variables configure PostgreSQL’s TLS; the environment overrides the file', () => {
  const env = {
    DATABASE_URL: 'postgres://host/db',
    PGSSLMODE: 'verify-ca',
    PGSSLROOTCERT: 'ca.pem',
  };
  const file = withFile({
    database: { connections: 7, tls: { mode: 'require', cert: 'own.pem' } },
  });
  assert.deepEqual(readConfig({ ...env, ...file }).database.tls, {
    mode: 'verify-ca',
    ca: 'ca.pem',
    cert: 'own.pem',
  });
  assert.equal(readConfig({ ...env, ...file }).database.connections, 7);
  assert.deepEqual(readConfig({ ...env, PGSSLMODE: 'prefer', PGSSLROOTCERT: '' }).database.tls, {});
  assert.match(
    refusal({ ...env, PGSSLMODE: 'tls' }),
    /database\.tls\.mode must be one of: disable/,
  );
  assert.deepEqual(
    readConfig({ PGSSLMODE: 'tls' }).database.tls,
    {},
    'not for a database in a file',
  );
});

test('a database address is shown without its password', () => {
  for (const [url, shown] of [
    ['postgres://user:se:c@r/et@host/db', 'postgres://***'],
    ['postgres://user:s%2Fcret@host:5432/db', 'postgres://user:***@host:5432/db'],
    ['postgres://host/db', 'postgres://host/db'],
    ['postgres://host/db?user=u&password=s%26cret', 'postgres://host/db?user=u&password=***'],
    ['postgres://host:5432/db?password=p@ss#word', 'postgres://host:5432/db?password=***#***'],
    ['postgres://u@host/db?sslpassword=a=b&secret', 'postgres://u@host/db?sslpassword=***&***'],
    ['postgres://u:p?x@host/db?sslpassword=a=b', 'postgres://***'],
    ['postgres://u:5432/secret@host/db', 'postgres://***'],
    ['postgres:///db?host=/run/pg&sslmode=require', 'postgres:///db?host=/run/pg&sslmode=require'],
  ] as const) {
    assert.equal(maskDatabaseUrl(url), shown);
  }
});

test('OPERATOR_URL points every operator to a simulator server, with its short times', () => {
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

test('OPERATOR_URL overrides the file, which still names operators and adds matching settings', () => {
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

test('an invalid OPERATOR_URL, or one with a secret, is refused without showing it', () => {
  for (const url of ['4000', 'ftp://sim', 'http://user:secret@sim', 'http://sim?key=secret']) {
    const message = refusal({ OPERATOR_URL: url });
    assert.match(message, /operatorUrl/);
    assert.ok(!message.includes('secret'));
  }
});
