/** Tests how TLS is chosen from the PostgreSQL URL, the settings and the host. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import type { TlsSettings } from '../../config/sections/database.ts';
import { UsageError } from '../../lib/errors.ts';
import { isUnavailable } from '../errors.ts';
import { secureAddress } from './address.ts';
import { tlsFault } from './errors.ts';

const folder = mkdtempSync(join(tmpdir(), 'simgate-test-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const ca = join(folder, 'ca.pem');
writeFileSync(ca, 'a certificate');

/** The chosen mode, in one word. */
const modeOf = (url: string, tls: TlsSettings = {}): string => {
  const { ssl } = secureAddress({ url, tls }).connecting;
  if (ssl === false) return 'disable';
  if (ssl.rejectUnauthorized !== true) return 'require';
  return ssl.checkServerIdentity === undefined ? 'verify-full' : 'verify-ca';
};

describe('Without settings', () => {
  for (const host of ['localhost', '127.0.0.1', '127.1.2.3', '[::1]', '%2Frun%2Fpg', '']) {
    test(`a local host has no TLS: ${host}`, () => {
      assert.equal(modeOf(`postgres://${host}/db`), 'disable');
      assert.equal(secureAddress({ url: `postgres://${host}/db` }).unsafe, undefined);
    });
  }
  test('a folder in the query is local', () => {
    assert.equal(modeOf('postgres://user:word@/db?host=/run/pg'), 'disable');
  });
  for (const host of ['db.internal', '10.0.0.5', '0.0.0.0', '[fd00::5]', 'localhost.example']) {
    test(`any other host is verified: ${host}`, () => {
      assert.equal(modeOf(`postgres://user:word@${host}:5432/db`), 'verify-full');
      assert.equal(secureAddress({ url: `postgres://${host}/db` }).unsafe, undefined);
    });
  }
  test('a CA means that it is verified, on a local host too', () => {
    assert.equal(modeOf('postgres://localhost/db', { ca }), 'verify-full');
    assert.equal(modeOf(`postgres://localhost/db?sslrootcert=${ca}`), 'verify-full');
  });
  test('so does direct TLS negotiation', () => {
    assert.equal(modeOf('postgres://localhost/db?sslnegotiation=direct'), 'verify-full');
  });
});

describe('The URL’s parameters', () => {
  for (const [parameters, mode] of [
    ['sslmode=disable', 'disable'],
    ['sslmode=require', 'require'],
    [`sslmode=require&sslrootcert=${ca}`, 'verify-ca'],
    [`sslmode=verify-ca&sslrootcert=${ca}`, 'verify-ca'],
    ['sslmode=verify-full', 'verify-full'],
    ['sslmode=verify-full&sslrootcert=system', 'verify-full'],
    ['sslmode=no-verify', 'require'],
    ['sslmode=prefer', 'verify-full'],
    ['sslmode=allow', 'verify-full'],
    ['ssl=true', 'verify-full'],
    ['ssl=0', 'disable'],
    ['uselibpqcompat=true&sslmode=require', 'require'],
  ] as const) {
    test(`work as in libpq: ${parameters.replace(folder, '')}`, () => {
      assert.equal(modeOf(`postgres://db.internal/db?${parameters}`), mode);
    });
  }

  test('override the settings', () => {
    const tls = { mode: 'verify-full' } as const;
    assert.equal(modeOf('postgres://db.internal/db?sslmode=disable', tls), 'disable');
    assert.equal(modeOf('postgres://db.internal/db', tls), 'verify-full');
    assert.equal(
      modeOf('postgres://db.internal/db?sslmode=prefer', { mode: 'require' }),
      'require',
    );
  });

  test('reach the driver without those about TLS, which it reads in its own way', () => {
    const url = `postgres://u:p@db/name?sslmode=require&application_name=a%26b&sslrootcert=${ca}`;
    const { connecting } = secureAddress({ url });
    assert.equal(connecting.connectionString, 'postgres://u:p@db/name?application_name=a%26b');
    assert.deepEqual(connecting.ssl !== false && connecting.ssl.ca, 'a certificate');
    const alone = secureAddress({ url: 'postgres://db/name?sslmode=require' });
    assert.equal(alone.connecting.connectionString, 'postgres://db/name');
  });
});

test('a socket never uses TLS', () => {
  assert.equal(modeOf('postgres:///db?host=/run/pg&sslmode=verify-full'), 'disable');
});

test('a warning says what others on the network could do', () => {
  const unsafe = (parameters: string): string | undefined =>
    secureAddress({ url: `postgres://db.internal/db?${parameters}` }).unsafe;
  assert.match(unsafe('sslmode=disable') ?? '', /not encrypted/);
  assert.match(unsafe('sslmode=require') ?? '', /not verified/);
  assert.equal(unsafe(`sslmode=verify-ca&sslrootcert=${ca}`), undefined);
});

for (const [about, url, tls, says] of [
  [
    'an unknown mode',
    'postgres://h/db?sslmode=tls',
    {},
    /^sslmode in DATABASE_URL must be one of: disable/,
  ],
  [
    'a CA to verify that is not named',
    'postgres://h/db?sslmode=verify-ca',
    {},
    /needs the file of a CA/,
  ],
  [
    'a file that is not there',
    'postgres://h/db',
    { ca: 'none.pem' },
    /^The file that database\.tls\.ca names cannot be read\.$/,
  ],
  [
    'an unreadable address',
    'postgres://u:hunter2%ff@h/db',
    {},
    /^databaseUrl cannot be read as an address/,
  ],
] as const) {
  test(`${about} is refused in a sentence`, () => {
    assert.throws(
      () => secureAddress({ url, tls }),
      (error: unknown) => {
        assert.ok(error instanceof UsageError);
        assert.match(error.message, says);
        assert.doesNotMatch(error.message, /hunter2/);
        return true;
      },
    );
  });
}

test('an expired certificate counts as an unavailable database, not as a bug', () => {
  for (const code of [
    'CERT_HAS_EXPIRED',
    'ERR_TLS_CERT_ALTNAME_INVALID',
    'SELF_SIGNED_CERT_IN_CHAIN',
  ]) {
    const error = Object.assign(new Error('refused'), { code });
    assert.ok(isUnavailable(error), code);
    assert.match(tlsFault(error) ?? '', /^The certificate of the database server /, code);
  }
  assert.equal(tlsFault(new Error('something else')), undefined);
});
