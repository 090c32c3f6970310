/** Tests that few exports run at once, that more are refused, and that none blocks a slot or a shutdown. */
import assert from 'node:assert/strict';
import { type ClientRequest, type IncomingMessage, request as rawRequest } from 'node:http';
import { after, before, test } from 'node:test';
import { type BackOffice, backOffice, type Cookie } from '../support/admin.ts';
import { at } from '../support/answers.ts';
import { largeCatalogue } from '../support/large-catalogue.ts';
import { eventually } from '../support/live.ts';
import { type Answer, startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
let office: BackOffice;

before(async () => {
  // As a file far more than connections buffer for a reader that does not fetch it.
  server = await startServer({ products: largeCatalogue(12_000) });
  office = await backOffice(server);
});
after(() => server.stop());

const large = 'catalogue/export?format=json';
const others = (): readonly string[] => [
  'catalogue/export',
  'purchases/export',
  `clients/${server.client.id}/statement.csv`,
];

type Fetching = { readonly sent: ClientRequest; readonly answer: IncomingMessage };

/** Begins to fetch a file, and reads nothing of it. */
const begin = (cookie: Cookie): Promise<Fetching> =>
  new Promise((resolve, reject) => {
    const sent = rawRequest(`${server.url}/admin/api/${large}`, { headers: cookie });
    sent.once('response', (answer) => {
      answer.pause().on('error', () => {});
      resolve({ sent, answer });
    });
    sent.once('error', reject).end();
  });

const ask = (path: string, cookie: Cookie): Promise<Answer> =>
  path.startsWith('purchases')
    ? office.send('POST', path, cookie, {})
    : office.send('GET', path, cookie);

const assertBusy = (answer: Answer): void => {
  assert.deepEqual([answer.status, at(answer.body, 'code')], [429, 'EXPORT_BUSY'], answer.text);
  assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]/);
};

test('one export per account and two per server run, of any kind; a slot is free when its reader leaves', async () => {
  const [viewer, support, owner] = [
    await office.enter('viewer'),
    await office.enter('support'),
    await office.enter('owner'),
  ];
  const first = await begin(viewer);
  const again = await office.enter('viewer');
  for (const path of others()) assertBusy(await ask(path, again));
  const second = await begin(support);
  for (const path of others()) assertBusy(await ask(path, owner));
  assert.equal((await ask('purchases/search', viewer)).status, 200, 'all else goes on');
  first.sent.destroy();
  await eventually(
    'the slot is free',
    async () => (await ask('catalogue/export', again)).status === 200,
  );
  for (const path of others()) assert.equal((await ask(path, owner)).status, 200, path);
  assertBusy(await ask('catalogue/export', support));
  second.sent.destroy();
});

test('an export without a reader does not hold a shutdown', async () => {
  await eventually('there is a slot', async () => {
    const { status } = await ask('catalogue/export', await office.enter('manager'));
    return status === 200;
  });
  const { answer } = await begin(await office.enter('manager'));
  const cut = new Promise((resolve) => answer.once('close', resolve));
  server.drain();
  answer.resume();
  await cut;
  assert.equal(answer.complete, false, 'a truncated file is not taken for a complete one');
});
