/** Tests how the console is served: its page, files and headers, and nothing else from the disk. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { consoleRoutes } from '../../src/http/console/console.ts';
import { systemRandom } from '../../src/lib/random.ts';
import { request, startServer, type TestServer } from '../support/server.ts';

const script = 'console.log("a piece of the console")'.repeat(20);
const page = `<html><meta property="csp-nonce" nonce="%NONCE%" /><meta name="simgate-base" content="%BASE%" />
<link href="./icon.svg"><script type="module" src="./assets/index-abc.js"></script></html>`;

const folder = mkdtempSync(join(tmpdir(), 'simgate-console-'));
mkdirSync(join(folder, 'assets'));
writeFileSync(join(folder, 'index.html'), page);
writeFileSync(join(folder, 'icon.svg'), '<svg/>');
writeFileSync(join(folder, 'built-from.txt'), 'not to be served');
writeFileSync(join(folder, 'assets/index-abc.js'), script);
writeFileSync(join(folder, 'assets/index-abc.js.br'), brotliCompressSync(script));
writeFileSync(join(folder, 'assets/index-abc.js.gz'), gzipSync(script));
after(() => rmSync(folder, { recursive: true, force: true }));

const serve = async (publicUrl?: string, from = folder): Promise<FastifyInstance> => {
  const app = Fastify();
  await app.register(consoleRoutes({ publicUrl, random: systemRandom, folder: from }));
  return app;
};

describe('the page of the console', () => {
  test('is served below /console for every path without a file, never cached', async () => {
    const app = await serve();
    for (const url of [
      '/console',
      '/console/',
      '/console/accounts',
      '/console/setup',
      '/console/a/b?c=d',
    ]) {
      const answer = await app.inject(url);
      assert.equal(answer.statusCode, 200, url);
      assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8');
      assert.match(answer.body, /src="\/console\/assets\/index-abc\.js"/);
    }
    assert.equal((await app.inject({ method: 'POST', url: '/console' })).statusCode, 404);
  });

  test('allows its own styles by a one-time nonce, and no inline code', async () => {
    const app = await serve();
    const nonces = new Set<string>();
    for (let visit = 0; visit < 5; visit += 1) {
      const { headers, body } = await app.inject('/console');
      const policy = String(headers['content-security-policy']);
      const nonce = /style-src 'self' 'nonce-([\w-]{22})'/.exec(policy)?.[1] ?? '';
      assert.ok(body.includes(`nonce="${nonce}"`));
      nonces.add(nonce);
      assert.match(policy, /^default-src 'none'; script-src 'self';/);
      assert.doesNotMatch(policy, /unsafe|\*|https?:/);
      for (const part of [
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "connect-src 'self'",
      ]) {
        assert.ok(policy.includes(part), part);
      }
      assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
      assert.ok(headers['permissions-policy'] !== undefined);
    }
    assert.equal(nonces.size, 5);
  });

  test('knows its path behind a proxy that strips a prefix', async () => {
    const app = await serve('https://shop.example/gateway/');
    const { body } = await app.inject('/console/accounts');
    assert.match(body, /content="\/gateway\/console"/);
    assert.match(body, /src="\/gateway\/console\/assets\/index-abc\.js"/);
    assert.match(body, /href="\/gateway\/console\/icon\.svg"/);
  });

  test('says how to build it if it was not built', async () => {
    const app = await serve(undefined, join(folder, 'nowhere'));
    const { statusCode, body } = await app.inject('/console/accounts');
    assert.equal(statusCode, 503);
    assert.match(body, /npm run build:console/);
  });
});

describe('the files of the console', () => {
  test('come in the encoding that a browser accepts, and may be cached for a year', async () => {
    const app = await serve();
    for (const [accepted, encoding] of [
      ['br, gzip', 'br'],
      ['gzip', 'gzip'],
      ['br;q=0, gzip;q=0.5', 'gzip'],
      ['identity', undefined],
      [undefined, undefined],
    ] as const) {
      const answer = await app.inject({
        url: '/console/assets/index-abc.js',
        headers: accepted === undefined ? {} : { 'accept-encoding': accepted },
      });
      assert.equal(answer.statusCode, 200);
      assert.equal(answer.headers['content-encoding'], encoding, String(accepted));
      assert.equal(answer.headers['cache-control'], 'public, max-age=31536000, immutable');
      assert.equal(answer.headers['content-type'], 'text/javascript; charset=utf-8');
      assert.equal(answer.headers['vary'], 'accept-encoding');
    }
    const plain = await app.inject('/console/assets/index-abc.js');
    assert.equal(plain.body, script);
    const icon = await app.inject('/console/icon.svg');
    assert.deepEqual([icon.body, icon.headers['cache-control']], ['<svg/>', 'no-cache']);
  });

  test('are those of a list: nothing else on the disk is ever read', async () => {
    const app = await serve();
    for (const path of [
      'built-from.txt',
      'index.html',
      '.vite/manifest.json',
      'assets/index-abc.js.br',
      '../package.json',
      '%2e%2e/package.json',
      '..%2fpackage.json',
      'assets/..%2f..%2fpackage.json',
      'assets%2findex-abc.js%00',
    ]) {
      const { body, statusCode } = await app.inject(`/console/${path}`);
      assert.ok(body.includes('<html>') || statusCode >= 400, path);
      assert.doesNotMatch(body, /not to be served|"name"|%NONCE%/, path);
    }
    assert.notEqual((await app.inject('/console/assets/gone-def.js')).statusCode, 200);
  });
});

describe('a gateway', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server.stop());

  test('serves the console to everyone, and refuses other methods', async () => {
    const { status, headers, text } = await request(server, '/console', { token: null });
    assert.ok(status === 200 || status === 503, text);
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('referrer-policy'), 'no-referrer');
    assert.equal(headers.get('cache-control'), 'no-store');
    const head = await request(server, '/console/accounts', { token: null, method: 'HEAD' });
    assert.equal(head.status, status);
    const post = await request(server, '/console/accounts', { token: null, method: 'POST' });
    assert.equal(post.status, 405);
    const gone = await request(server, '/console/assets/gone.js', { token: null });
    assert.equal(gone.status, 404);
  });
});
