/** Tests how the pages of the site are written: links that move, and the reference with its references followed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiPages } from '../../site/api-pages.ts';
import { moveMarkdown } from '../../site/links.ts';
import { operationsOf, resolverOf } from '../../site/openapi.ts';
import { sidebarOf } from '../../site/structure.ts';

const places: Readonly<Record<string, string>> = {
  'docs/errors.md': 'errors.md',
  'CHANGELOG.md': 'changelog.md',
};
const move = (text: string, source = 'docs/guides/retries.md', page = 'guides/retries.md') =>
  moveMarkdown(text, { source, page }, { pageOf: (path) => places[path] });

test('links lead to where the site has the page, whatever folder the document lies in', () => {
  assert.equal(move('[a](../errors.md#x)'), '[a](../errors.md#x)');
  assert.equal(move('[a](../../CHANGELOG.md)'), '[a](../changelog.md)');
  assert.equal(move('[a](docs/errors.md)', 'README.md', 'index.md'), '[a](./errors.md)');
  assert.equal(move('[a](https://a.example/b) [c](#d)'), '[a](https://a.example/b) [c](#d)');
});

test('what only the repository has is named, and its pictures are left out', () => {
  assert.equal(move('See [`index.ts`](../../src/index.ts).'), 'See `index.ts`.');
  assert.equal(move('![shop](../console/shop.png)'), '');
});

test('code stays as it is', () => {
  for (const text of ['`[a](../../CHANGELOG.md)`', '```md\n[a](../../CHANGELOG.md)\n```']) {
    assert.equal(move(text), text);
  }
});

const document = {
  info: { description: 'All of it.' },
  tags: [{ name: 'Money moves', description: 'Buy.' }, { name: 'Unused' }],
  paths: {
    '/api/buy/{id}/': {
      post: {
        operationId: 'buyIt',
        tags: ['Money moves'],
        summary: 'Buy it',
        security: [{ token: [] }],
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string' }, example: 'a b' },
          { $ref: '#/components/parameters/Key' },
        ],
        requestBody: {
          content: {
            'application/json': {
              schema: { $ref: '#/components/schemas/Order' },
              example: { lines: [{ amount: 1 }] },
            },
          },
        },
        responses: {
          200: {
            description: 'Sold.',
            headers: { 'Purchase-Id': { $ref: '#/components/headers/Id' } },
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Order' } } },
          },
          402: { $ref: '#/components/responses/Poor' },
        },
      },
    },
  },
  components: {
    parameters: {
      Key: { name: 'Idempotency-Key', in: 'header', required: true, schema: { type: 'string' } },
    },
    headers: { Id: { description: 'Which it is.' } },
    schemas: {
      Order: {
        type: 'object',
        required: ['lines'],
        properties: { lines: { type: 'array', items: { $ref: '#/components/schemas/Line' } } },
      },
      Line: {
        allOf: [
          {
            type: 'object',
            properties: { amount: { type: 'integer', description: 'Units of <x>.' } },
          },
        ],
      },
      Error: { type: 'object', properties: { code: { type: 'string' } } },
    },
    responses: {
      Poor: {
        description: 'No money.',
        content: {
          'application/json': {
            schema: {
              allOf: [
                { $ref: '#/components/schemas/Error' },
                { properties: { code: { enum: ['INSUFFICIENT_BALANCE'] } } },
              ],
            },
          },
        },
      },
    },
  },
};

test('the reference has a page for each tag, with all that the document refers to', () => {
  const pages = apiPages(document);
  assert.deepEqual(
    pages.map(({ path }) => path),
    ['api/index.md', 'api/money-moves.md'],
  );
  const [index, page] = pages.map(({ text }) => text);
  assert.match(
    index ?? '',
    /\[Buy it\]\(\.\/money-moves\.md#buyit\) \| `POST` \| `\/api\/buy\/\{id\}\/`/,
  );
  for (const part of [
    '## Buy it {#buyit}',
    '| `Idempotency-Key` | header | `string` | required |',
    '| `lines` | `array of object` | required |',
    '| `lines[].amount` | `integer` | optional | Units of &lt;x>. |',
    '| `Purchase-Id` | Which it is. |',
    '[`INSUFFICIENT_BALANCE`](../errors.md#insufficient_balance)',
    'curl -X POST "$SIMGATE_URL/api/buy/a%20b/"',
    '-H "Idempotency-Key: $(uuidgen)"',
    '&quot;spends&quot;:true',
  ]) {
    assert.ok(page?.includes(part), part);
  }
});

test('a deprecated operation comes after those that replace it', () => {
  const operation = (operationId: string) => ({ operationId, tags: ['a'], responses: {} });
  const paths = {
    '/buy': { get: { ...operation('buyByGet'), deprecated: true }, post: operation('buy') },
    '/look': { get: operation('look') },
  };
  assert.deepEqual(
    operationsOf({ paths }).map(({ id }) => id),
    ['buy', 'look', 'buyByGet'],
  );
});

test('a reference that leads nowhere stops the build', () => {
  const resolve = resolverOf({ components: {} });
  assert.throws(() => resolve({ $ref: '#/components/schemas/None' }), /leads nowhere/);
});

test('the sidebar has the pages that there are, and folds what most readers skip', () => {
  const titles = new Map([
    ['start', 'Get started'],
    ['api/index', 'API reference'],
    ['api/account', 'Account'],
    ['operate/index', 'Operate'],
    ['operate/install', 'Install'],
  ]);
  assert.deepEqual(sidebarOf('en', titles), [
    { text: 'Start', link: '/start' },
    {
      text: 'API reference',
      collapsed: false,
      items: [
        { text: 'API reference', link: '/api/' },
        { text: 'Account', link: '/api/account' },
      ],
    },
    {
      text: 'Operate',
      collapsed: true,
      items: [
        { text: 'Operate', link: '/operate/' },
        { text: 'Install', link: '/operate/install' },
      ],
    },
  ]);
});
