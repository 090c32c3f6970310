/** Tests that secrets in a URL are masked. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maskUrl } from './mask-url.ts';

test('user, password, query and fragment are masked, and the rest stays', () => {
  for (const [url, shown] of [
    ['https://shop.example', 'https://shop.example'],
    ['https://shop.example:8443/hooks/simgate', 'https://shop.example:8443/hooks/simgate'],
    ['https://shop.example/a?key=1&b', 'https://shop.example/a?key=***&***'],
    ['https://token@shop.example/', 'https://***@shop.example/'],
    ['https://u:p@shop.example/a#part', 'https://***:***@shop.example/a#***'],
    ['https://u:p/q@shop.example/a', 'https://***'],
    ['no address', '***'],
  ] as const) {
    assert.equal(maskUrl(url), shown);
  }
});

test('of a user and a query only named parts are shown', () => {
  const parameters = new Set(['host', 'user']);
  assert.equal(
    maskUrl('postgres://me:secret@db/gate?user=me@db&host=db&password=p@ss', {
      user: true,
      parameters,
    }),
    'postgres://me:***@db/gate?user=me@db&host=db&password=***',
  );
});
