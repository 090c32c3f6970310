/** Tests what `/` answers to people and to programs. */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import Fastify from 'fastify';
import { frontPage } from '../../src/http/pages/front-page.ts';
import { assertError } from '../support/answers.ts';
import { request, startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
before(async () => {
  server = await startServer();
});
after(() => server.stop());

describe('The front page', () => {
  const asBrowser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
  const linksIn = (html: string): string[] =>
    html
      .matchAll(/href="([^"]+)"/g)
      .map(([, address = '']) => address)
      .toArray();

  test('links to the docs and the console, in English and Persian', async () => {
    const answer = await request(server, '/', { token: null, headers: asBrowser });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8');
    assert.match(answer.headers.get('vary') ?? '', /\baccept\b/);
    const links = linksIn(answer.text);
    assert.ok(links.includes('/docs'));
    for (const link of links) {
      assert.equal((await request(server, link, { token: null })).status, 200, link);
    }
    const [english = '', persian = ''] = answer.text.split('<section').slice(1);
    assert.match(english, /lang="en"/);
    assert.match(persian, /lang="fa" dir="rtl"/);
    const words = persian.replaceAll(/<[^>]*>|^[^>]*>/g, '');
    assert.doesNotMatch(words, /[a-z]/i);
  });

  test('is not for programs: they get 404 as on any unknown path', async () => {
    for (const accept of ['application/json', '*/*']) {
      const answer = await request(server, '/', { token: null, headers: { accept } });
      assertError(answer, 404, 'NOT_FOUND');
      assert.match(answer.headers.get('vary') ?? '', /\baccept\b/);
    }
  });

  test('runs no script, loads nothing, and allows its own style by its hash', async () => {
    const { headers, text } = await request(server, '/', { token: null, headers: asBrowser });
    const policy = headers.get('content-security-policy') ?? '';
    const style = /<style>([^<]*)<\/style>/.exec(text)?.[1] ?? '';
    assert.ok(policy.startsWith("default-src 'none';"));
    assert.ok(policy.includes(`'sha256-${hash('sha256', style, 'base64')}'`));
    assert.doesNotMatch(text, /<script|\ssrc=|\son\w+=/);
  });

  test('links to no unbuilt console, to no disabled docs, and below a proxy’s prefix', async () => {
    const app = Fastify();
    const publicUrl = 'https://shop.example/gateway/';
    await app.register(frontPage({ publicUrl, hasDocs: true, hasConsole: false }));
    const { body } = await app.inject({ url: '/', headers: asBrowser });
    assert.deepEqual(linksIn(body), ['/gateway/docs', '/gateway/docs']);
    await app.close();
    const bare = Fastify();
    await bare.register(frontPage({ publicUrl, hasDocs: false, hasConsole: false }));
    assert.deepEqual(linksIn((await bare.inject({ url: '/', headers: asBrowser })).body), []);
    await bare.close();
  });
});
