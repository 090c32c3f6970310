/** Tests how the documentation is served: built or not, to whom, under which policy, and nothing else from the disk. */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { createAccount } from '../../src/admin/access/accounts.ts';
import { readConfig } from '../../src/config/config.ts';
import { docsRoutes } from '../../src/http/docs/docs.ts';
import { errorHandler } from '../../src/http/errors.ts';
import { command, officeDeps, sessionCookie, tokenOfSession } from '../support/admin.ts';
import { assertError, at } from '../support/answers.ts';
import { type Answer, request, startServer, type TestServer } from '../support/server.ts';

const folder = mkdtempSync(join(tmpdir(), 'simgate-docs-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const write = (path: string, content: string | Buffer): void => {
  const file = join(folder, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, content);
};

const inline = 'document.documentElement.classList.add("dark")';
const script = 'import("/docs/assets/other.def.js");'.repeat(20);
const page = (title: string): string => `<!doctype html><html><head>
<link rel="preload stylesheet" href="/docs/assets/style.abc.css">
<script type="module" src="/docs/assets/app.abc.js"></script>
<script id="check">${inline}</script></head><body><h1>${title}</h1></body></html>`;

write('site/built-from.txt', 'not for anyone');
write('site/index.html', page('Home'));
write('site/404.html', page('Not here'));
write('site/errors.html', page('Errors'));
write('site/errors.md', '# Errors\n\nA list.\n');
write('site/operate/index.html', page('Operate'));
write('site/assets/app.abc.js', script);
write('site/assets/app.abc.js.br', brotliCompressSync(script));
write('site/assets/app.abc.js.gz', gzipSync(script));
write('site/assets/style.abc.css', 'body { background: url(/docs/assets/sky.abc.svg); }');
write('site/simgate-client.tgz', gzipSync('a package'));
write('sources/start.md', '# Start here\n');
write('sources/guides/retries.md', '# Retries\n');
write('sources/console/picture.png', 'a picture');
write('CHANGELOG.md', '# Changelog\n');
write('secret.md', '# Not for anyone\n');

const folders = { site: join(folder, 'site'), sources: join(folder, 'sources') };
const unbuilt = { ...folders, site: join(folder, 'nowhere') };

const serve = async (from = folders, publicUrl?: string): Promise<FastifyInstance> => {
  const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } });
  const log = { warn: () => {}, error: () => {} };
  app.setErrorHandler(errorHandler({ log, refused: () => {}, publicUrl }));
  await app.register(docsRoutes({ publicUrl, guard: undefined, folders: from }));
  return app;
};

const browser = { accept: 'text/html,*/*;q=0.8' };

describe('A page of the site', () => {
  test('is found with and without its trailing slash, and revalidated each time', async () => {
    const app = await serve();
    for (const [url, title] of [
      ['/docs', 'Home'],
      ['/docs/', 'Home'],
      ['/docs/errors', 'Errors'],
      ['/docs/errors/', 'Errors'],
      ['/docs/operate', 'Operate'],
      ['/docs/operate/?a=b', 'Operate'],
    ] as const) {
      const { statusCode, headers, body } = await app.inject(url);
      assert.equal(statusCode, 200, url);
      assert.equal(headers['content-type'], 'text/html; charset=utf-8');
      assert.equal(headers['cache-control'], 'private, no-cache');
      assert.ok(body.includes(`<h1>${title}</h1>`), url);
    }
    assert.equal((await app.inject({ method: 'POST', url: '/docs' })).statusCode, 404);
  });

  test('runs scripts of this origin, and its own by their hashes, and no others', async () => {
    const app = await serve();
    const { headers } = await app.inject('/docs/errors');
    const policy = String(headers['content-security-policy']);
    const [, scripts = ''] = /script-src ([^;]*);/.exec(policy) ?? [];
    assert.equal(scripts, `'self' 'sha256-${hash('sha256', inline, 'base64')}'`);
    assert.doesNotMatch(policy, /unsafe|\*|https?:/);
    for (const part of ["default-src 'none'", "style-src 'self'", "connect-src 'self'"]) {
      assert.ok(policy.includes(part), part);
    }
  });

  test('comes compressed on request, and as 304 if it is known', async () => {
    const app = await serve();
    for (const encoding of ['br', 'gzip', 'identity']) {
      for (const url of ['/docs/errors', '/docs/errors.md', '/docs/assets/app.abc.js']) {
        const accepted = { 'accept-encoding': encoding };
        const { headers } = await app.inject({ url, headers: accepted });
        assert.equal(headers['content-encoding'] ?? 'identity', encoding, url);
        assert.equal(headers['vary'], 'accept-encoding');
        const known = { ...accepted, 'if-none-match': String(headers['etag']) };
        assert.equal((await app.inject({ url, headers: known })).statusCode, 304, url);
      }
    }
  });

  test('is requested below the path prefix of a proxy, and so are its files', async () => {
    const app = await serve(folders, 'https://shop.example/gateway/');
    const { body } = await app.inject('/docs/errors');
    assert.match(body, /src="\/gateway\/docs\/assets\/app\.abc\.js"/);
    assert.match(body, /href="\/gateway\/docs\/assets\/style\.abc\.css"/);
    const code = await app.inject('/docs/assets/app.abc.js');
    assert.ok(code.body.startsWith('import("/gateway/docs/assets/other.def.js");'));
    const styles = await app.inject('/docs/assets/style.abc.css');
    assert.match(styles.body, /url\(\/gateway\/docs\/assets\/sky/);
  });

  test('that does not exist is a page for people and an error for programs', async () => {
    const app = await serve();
    const seen = await app.inject({ url: '/docs/none', headers: browser });
    assert.deepEqual([seen.statusCode, seen.body.includes('Not here')], [404, true]);
    assert.equal(seen.headers['etag'], undefined);
    const error = await app.inject('/docs/none');
    assert.equal(error.headers['content-type'], 'application/json; charset=utf-8');
  });
});

test('files whose names change with their content may be cached for a year', async () => {
  const app = await serve();
  const { headers, body } = await app.inject('/docs/assets/app.abc.js');
  assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
  assert.equal(headers['content-type'], 'text/javascript; charset=utf-8');
  assert.equal(body, script);
});

test('the tarball of the library is served as it is, whatever encodings a client accepts', async () => {
  const app = await serve();
  const headers = { 'accept-encoding': 'gzip, br' };
  const answer = await app.inject({ url: '/docs/simgate-client.tgz', headers });
  assert.equal(answer.headers['content-type'], 'application/gzip');
  assert.equal(answer.headers['content-encoding'], undefined);
  assert.deepEqual(answer.rawPayload, gzipSync('a package'));
});

describe('The pages as Markdown', () => {
  test('are served beside the site, and listed for programs', async () => {
    const app = await serve();
    const { headers, body } = await app.inject('/docs/errors.md');
    assert.equal(headers['content-type'], 'text/markdown; charset=utf-8');
    assert.equal(body, '# Errors\n\nA list.\n');
    const list = await app.inject('/docs/llms.txt');
    assert.match(list.body, /^# Simgate\n/);
    assert.match(list.body, /^- \[Errors\]\(\/docs\/errors\.md\)$/m);
  });

  test('are served without the site, with a page that says how to build it', async () => {
    const app = await serve(unbuilt, 'https://shop.example/gateway');
    const { statusCode, headers, body } = await app.inject('/docs');
    assert.equal(statusCode, 200);
    assert.match(body, /npm run build:docs/);
    assert.match(body, /href="\/gateway\/openapi\.json"/);
    assert.match(body, /href="\/gateway\/docs\/guides\/retries\.md">Retries</);
    const style = /<style>([^<]*)<\/style>/.exec(body)?.[1] ?? '';
    const allowed = `style-src 'sha256-${hash('sha256', style, 'base64')}'`;
    assert.ok(String(headers['content-security-policy']).includes(allowed));
    assert.equal((await app.inject('/docs/guides/retries.md')).body, '# Retries\n');
    assert.equal((await app.inject('/docs/changelog.md')).body, '# Changelog\n');
    const list = await app.inject('/docs/llms.txt');
    assert.match(list.body, /\(https:\/\/shop\.example\/gateway\/docs\/start\.md\)/);
    assert.equal((await app.inject('/docs/errors')).statusCode, 404);
  });
});

test('nothing but the files of the list is ever read', async () => {
  for (const from of [folders, unbuilt]) {
    const app = await serve(from);
    for (const path of [
      'built-from.txt',
      '404',
      '404.html',
      'assets/app.abc.js.br',
      '../secret.md',
      '%2e%2e/secret.md',
      '..%2fsecret.md',
      'assets/..%2f..%2fsecret.md',
      'errors.md%00',
      'console/picture.png',
      '../../package.json',
    ]) {
      const { body, statusCode } = await app.inject(`/docs/${path}`);
      assert.equal(statusCode, 404, path);
      assert.doesNotMatch(body, /not for anyone|"dependencies"/i, path);
    }
  }
});

const { http } = readConfig({});

describe('A gateway whose documentation is public', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server.stop());

  test('serves it to everyone, and refuses other methods', async () => {
    for (const path of ['/docs', '/docs/', '/docs/errors.md', '/docs/llms.txt', '/openapi.json']) {
      const { status, headers } = await request(server, path, { token: null });
      assert.equal(status, 200, path);
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      const head = await request(server, path, { token: null, method: 'HEAD' });
      assert.equal(head.status, 200, path);
    }
    const posted = await request(server, '/docs', { token: null, method: 'POST' });
    assertError(posted, 405, 'METHOD_NOT_ALLOWED');
    assertError(await request(server, '/docs/none', { token: null }), 404, 'NOT_FOUND');
  });
});

describe('A gateway whose documentation is for clients', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ config: { http: { ...http, docs: 'clients' } } });
  });
  after(() => server.stop());

  const paths = ['/docs', '/docs/errors.md', '/docs/llms.txt', '/openapi.json'];
  const ask = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
    request(server, path, { token: null, headers });

  test('answers 401 without a token: an error for programs, a page and a password prompt for browsers', async () => {
    for (const path of paths) {
      assertError(await ask(path), 401, 'TOKEN_MISSING');
      assertError(await ask(path, { authorization: 'Bearer none' }), 401, 'TOKEN_INVALID');
      const { status, headers, text } = await ask(path, browser);
      assert.equal(status, 401);
      assert.match(headers.get('www-authenticate') ?? '', /^Basic realm="[^"]+"/);
      assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
      assert.match(text, /access token/);
      // Known by an ETag it would be a 304, and no question.
      assert.deepEqual([headers.get('cache-control'), headers.get('etag')], ['no-store', null]);
    }
  });

  test('takes a token as programs send it, and as the password of a browser', async () => {
    const { token } = server.client;
    const basic = Buffer.from(`anything:${token}`).toString('base64');
    for (const path of paths) {
      assert.equal((await ask(path, { authorization: `Bearer ${token}` })).status, 200, path);
      assert.equal((await ask(path, { authorization: `Basic ${basic}` })).status, 200, path);
      const wrong = Buffer.from('anything:none').toString('base64');
      assert.equal((await ask(path, { authorization: `Basic ${wrong}` })).status, 401, path);
    }
    assert.equal((await ask('/api/account', { authorization: `Basic ${basic}` })).status, 401);
  });

  test('accepts a full session of the console', async () => {
    const deps = officeDeps(server);
    const { account } = await createAccount(deps, command, { name: 'reader', role: 'viewer' });
    const cookieOf = async (stage: 'full' | 'code'): Promise<Record<string, string>> => ({
      cookie: `${sessionCookie}=${await tokenOfSession(deps, account, stage)}`,
    });
    assert.equal((await ask('/docs', await cookieOf('full'))).status, 200);
    assert.equal((await ask('/docs', await cookieOf('code'))).status, 401);
    assert.equal(
      (await ask('/docs', { cookie: `${sessionCookie}=${'x'.repeat(43)}` })).status,
      401,
    );
  });
});

test('a gateway whose documentation is off serves none of it', async () => {
  const server = await startServer({ config: { http: { ...http, docs: 'off' } } });
  try {
    for (const path of ['/docs', '/docs/errors.md', '/openapi.json']) {
      assertError(await request(server, path), 404, 'NOT_FOUND');
    }
    const home = await request(server, '/', { token: null, headers: browser });
    assert.doesNotMatch(home.text, /href="[^"]*docs/);
  } finally {
    await server.stop();
  }
});

test('an error names the page that explains it, by the public URL if there is one', async () => {
  const server = await startServer({ config: { publicUrl: 'https://shop.example/gateway' } });
  try {
    const { body } = await request(server, '/api/account', { token: null });
    assert.equal(at(body, 'docs'), 'https://shop.example/gateway/docs/errors#token_missing');
  } finally {
    await server.stop();
  }
});
