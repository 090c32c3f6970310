/** Tests TLS to a real PostgreSQL: what is verified, what is refused, and that every connection uses it. */
import assert from 'node:assert/strict';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { certificateFor } from '../support/certificate.ts';
import { assertSentence, temporaryFolders } from '../support/command.ts';
import { serveKept } from '../support/kept-server.ts';
import { eventually } from '../support/live.ts';
import { accountOf, hasty, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { type Finished, simgate } from '../support/process.ts';

const folder = temporaryFolders();

const files = mkdtempSync(join(tmpdir(), 'simgate-tls-'));
chmodSync(files, 0o755);
after(() => rmSync(files, { recursive: true, force: true }));

/** Readable by PostgreSQL, which runs as another user where the tests are root. */
const write = (name: string, text: string): string => {
  const file = join(files, name);
  const { uid, gid } = accountOf();
  writeFileSync(file, text, { mode: 0o600 });
  if (uid !== undefined && gid !== undefined) chownSync(file, uid, gid);
  return file;
};

const server = certificateFor('localhost');
const person = certificateFor('postgres');
const ca = write('ca.pem', server.cert);
const wrongCa = write('wrong-ca.pem', certificateFor('localhost').cert);
const own = { cert: write('own.pem', person.cert), key: write('own.key', person.key) };

// Connections without TLS are refused.
const rules = [
  'hostssl certified postgres 127.0.0.1/32 cert',
  'hostssl all all 127.0.0.1/32 password',
].join('\n');

let postgres: TestPostgres;

before(async () => {
  postgres = await startPostgres({
    ...hasty,
    ssl: 'on',
    ssl_cert_file: write('server.pem', server.cert),
    ssl_key_file: write('server.key', server.key),
    ssl_ca_file: own.cert,
    hba_file: write('pg_hba.conf', `${rules}\n`),
  });
  const admin = new pg.Client({
    connectionString: postgres.url('postgres'),
    ssl: { rejectUnauthorized: false },
  });
  await admin.connect();
  await admin.query('create database simgate');
  await admin.query('create database certified');
  await admin.end();
});

after(() => postgres.remove());

/** The address of the database with another host, and with TLS parameters. */
const addressOf = (host: string, parameters = '', database = 'simgate'): string =>
  `${postgres.url(database).replace('127.0.0.1', host)}${parameters && `?${parameters}`}`;

const check = (url: string, env: Readonly<Record<string, string>> = {}): Promise<Finished> =>
  simgate(folder(), ['config', '--check'], { PORT: '0', DATABASE_URL: url, ...env });

const assertRight = ({ status, out, err }: Finished): void => {
  assert.deepEqual({ status, err }, { status: 0, err: '' });
  assert.match(out, /^The configuration is valid\. Database: /);
};

describe('A server with a certificate', () => {
  test('is accepted by the name and the CA of its certificate', async () => {
    assertRight(await check(addressOf('localhost', `sslmode=verify-full&sslrootcert=${ca}`)));
    const settings = { PGSSLMODE: 'verify-full', PGSSLROOTCERT: ca };
    assertRight(await check(addressOf('localhost'), settings));
  });

  test('is refused if its CA is another one, or not named', async () => {
    const says =
      /^The certificate of the database server cannot be verified: it was not signed by a CA that is known here\. .* database\.tls\.ca, .* set sslmode=require in DATABASE_URL/;
    const wrong = addressOf('localhost', `sslmode=verify-full&sslrootcert=${wrongCa}`);
    assertSentence(await check(wrong), says);
    assertSentence(await check(addressOf('localhost', 'sslmode=verify-full')), says);
    assertSentence(
      await check(addressOf('localhost', `sslmode=require&sslrootcert=${wrongCa}`)),
      says,
    );
  });

  test('is refused by another name, unless only its CA is verified', async () => {
    const named = `sslrootcert=${ca}`;
    assertSentence(
      await check(addressOf('127.0.0.1', `sslmode=verify-full&${named}`)),
      /^The certificate of the database server is for another name than the host .*verify-ca/,
    );
    assertRight(await check(addressOf('127.0.0.1', `sslmode=verify-ca&${named}`)));
  });

  test('is accepted unverified on explicit request', async () => {
    assertRight(await check(addressOf('127.0.0.1', 'sslmode=require')));
  });

  test('is verified by default if the host is not local', async () => {
    // The machine reaches itself by this address, which does not look local.
    assertSentence(await check(addressOf('0.0.0.0')), /^The certificate .* cannot be verified/);
  });

  test('is used without TLS by default if the host is local', async () => {
    assertSentence(await check(addressOf('127.0.0.1')), /does not let the user in/);
  });

  test('gets a client certificate if it asks for one', async () => {
    const parameters = `sslmode=require&sslcert=${own.cert}&sslkey=${own.key}`;
    assertRight(await check(addressOf('localhost', parameters, 'certified')));
    assertSentence(
      await check(addressOf('localhost', 'sslmode=require', 'certified')),
      /does not let the user in/,
    );
  });

  test('a key that matches no certificate is reported', async () => {
    const parameters = `sslmode=require&sslcert=${own.cert}&sslkey=${join(files, 'server.key')}`;
    assertSentence(
      await check(addressOf('localhost', parameters)),
      /^The files of database\.tls cannot be used/,
    );
  });

  test('has only TLS connections, of servers and of commands', {
    timeout: 240_000,
  }, async () => {
    const url = addressOf('localhost', `sslmode=verify-full&sslrootcert=${ca}`);
    const data = folder();
    const env = { DATABASE_URL: url };
    const served = await serveKept(data, env);
    const watcher = new pg.Client({
      connectionString: addressOf('127.0.0.1'),
      ssl: { rejectUnauthorized: false },
    });
    await watcher.connect();
    try {
      // The listening connection is separate from the pool.
      await eventually('it listens for changes', async () => {
        const text = `select 1 from pg_stat_activity where datname = 'simgate' and application_name = ''
          and pid <> pg_backend_pid()`;
        return (await watcher.query(text)).rows.length === 1;
      });
      assert.equal((await fetch(`${served.url}/health/ready`)).status, 200);
      for (const args of [['verify'], ['client', 'create', '--name', 'New']]) {
        const { status, err } = await simgate(data, args, env);
        assert.deepEqual({ status, err }, { status: 0, err: '' });
      }
    } finally {
      await watcher.end();
    }
    assert.equal(await served.stop(), 0);
    assert.doesNotMatch(served.printed(), /not verified|not encrypted|SECURITY WARNING/);
  });
});

describe('A server without TLS', () => {
  let plain: TestPostgres;
  before(async () => {
    plain = await startPostgres(hasty);
  });
  after(() => plain.remove());

  test('is refused if the host is not local, unless explicitly allowed', async () => {
    const url = plain.url('postgres').replace('127.0.0.1', '0.0.0.0');
    assertSentence(
      await check(url),
      /^The database server offers no TLS\. Turn it on there, .* set sslmode=disable in DATABASE_URL/,
    );
    const served = await serveKept(folder(), { DATABASE_URL: `${url}?sslmode=disable` });
    assert.equal(await served.stop(), 0);
    assert.match(
      served.printed(),
      /"level":"warn".*the connection to the database is not encrypted/,
    );
  });

  test('is used without TLS if the host is local', async () => {
    assertRight(await check(plain.url('postgres')));
  });
});
