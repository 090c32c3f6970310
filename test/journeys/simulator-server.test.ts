/** Tests the simulator as a server: its command, its persistent records, and a gateway that reaches every documented outcome. */
import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as rest } from 'node:timers/promises';
import { printCatalogue } from '../../src/catalogue/file/file.ts';
import { catalogue, sold } from '../contract/buying.ts';
import { at } from '../support/answers.ts';
import { assertSentence, done, temporaryFolders, twoAtATime } from '../support/command.ts';
import { serveKept } from '../support/kept-server.ts';
import { ask, parsed } from '../support/live.ts';
import { simgate, simgateKept, simulatorProcess } from '../support/process.ts';

const folder = temporaryFolders();

/** The deliveries in a book: the lines that have a reference. */
const deliveriesIn = (data: string): readonly unknown[] =>
  readFileSync(join(data, 'book.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map(parsed)
    .filter((line) => at(line, 'ref') !== undefined);

const order = (ref: string, digits: string) => ({
  ref,
  mobile: `9891234567${digits}`,
  amount: 10_000,
  product_id: 1,
});

describe('simgate simulator', twoAtATime, () => {
  it('prints where it listens and where its book is, and stops on a signal', async () => {
    const data = folder();
    const served = await simulatorProcess(data);
    const printed = parsed(served.printed());
    assert.deepEqual(printed, { url: served.url, book: join(data, 'book.jsonl') });
    assert.equal((await ask(served.url, '', '/operators/1/subscribers/989120000000')).status, 200);
    assert.equal(await served.stop(), 0);
  });

  it('prints what is missing or wrong, and ends with 2', async () => {
    const data = folder();
    const right = ['simulator', '--port', '0', '--book', 'b'];
    for (const [args, expected] of [
      [['simulator', '--port', '0'], /^Missing: --book FILE\./],
      [['simulator', '--book', 'b'], /^Missing: --port P\./],
      [[...right, '--port', '70000'], /^--port must be a whole number from 0 to 65535/],
      [[...right, '--lose-answers', '1.5'], /^--lose-answers must be a rate from 0 to 1/],
      [[...right, '--resets', 'often'], /^--resets must be a rate from 0 to 1/],
      [[...right, '--delay', '-1'], /./],
      [[...right, '--only', 'everything'], /^--only accepts orders, inquiries/],
      [[...right, '--loose-answers', '1'], /loose-answers/],
    ] as const) {
      const { status, err } = await simgateKept(data, args);
      assert.equal(status, 2, args.join(' '));
      assert.match(err, expected);
      assert.match(err, /Usage: simgate simulator/);
    }
  });

  it('refuses a book that it cannot write or read, in a sentence', async () => {
    const data = folder();
    const at = (book: string) => simgate(data, ['simulator', '--port', '0', '--book', book]);
    assertSentence(await at(join('none', 'book')), /^The book .* cannot be written/);
    writeFileSync(join(data, 'a-text'), 'This is no book.\nNot by any means.\n');
    assertSentence(await at('a-text'), /^Line 1 of the book .* cannot be read/);
  });

  it('knows after kill -9 what it answered before, and cuts a torn line off', async () => {
    const data = folder();
    const first = await simulatorProcess(data);
    for (const [ref, digits] of [
      ['sold', '00'],
      ['waits', '97'],
    ] as const) {
      await ask(first.url, '', '/operators/2/orders', order(ref, digits));
    }
    await first.stop('SIGKILL');
    appendFileSync(join(data, 'book.jsonl'), '{"ref":"torn","mobile":"98912');
    const second = await simulatorProcess(data);
    const statusOf = async (ref: string): Promise<unknown> =>
      at((await ask(second.url, '', `/operators/2/orders/${ref}`)).body, 'status');
    assert.equal(await statusOf('sold'), 'delivered');
    assert.equal(await statusOf('waits'), 'pending');
    assert.equal(await statusOf('torn'), 'not_found');
    await ask(second.url, '', '/operators/2/orders', order('sold', '00'));
    assert.deepEqual(
      deliveriesIn(data).map((line) => at(line, 'ref')),
      ['sold', 'sold'],
    );
    assert.equal(await second.stop(), 0);
  });

  it('stops at once despite a lost answer or a slow order', async () => {
    const served = await simulatorProcess(folder(), '--delay', '60000', '--only', 'offers');
    const asked = [
      ask(served.url, '', '/operators/2/orders', order('lost', '93')),
      ask(served.url, '', '/operators/2/orders', order('slow', '92')),
      ask(served.url, '', '/operators/2/offers?mobile=989120000000'),
    ].map((request) => request.catch(() => 'cut off'));
    await rest(300);
    assert.equal(await served.stop(), 0);
    assert.deepEqual(await Promise.all(asked), ['cut off', 'cut off', 'cut off']);
  });
});

/** Fills a folder's database with a catalogue and a client. */
const openShop = async (
  data: string,
): Promise<{ readonly id: unknown; readonly token: string }> => {
  writeFileSync(join(data, 'catalogue.json'), [...printCatalogue(catalogue, 'json')].join(''));
  await done(data, 'catalogue', 'import', 'catalogue.json');
  const made = parsed(
    await done(data, 'client', 'create', '--name', 'A', '--balance', '1000000', '--json'),
  );
  return { id: at(made, 'id'), token: String(at(made, 'token')) };
};

type Ending = {
  readonly state: string;
  readonly status: number;
  readonly deliveries: number;
  /** What the client has paid in the end, and what is held. */
  readonly gone: number;
};

const price = 10_000;
const sale: Ending = { state: 'succeeded', status: 200, deliveries: 1, gone: price };
const loss: Ending = { state: 'failed', status: 422, deliveries: 0, gone: 0 };

const endings: Readonly<Record<string, Ending>> = {
  '00': sale,
  '90': loss,
  '91': loss,
  '92': sale,
  '93': sale,
  '94': loss,
  '95': sale,
  '96': loss,
  '97': sale,
  '98': { state: 'review', status: 202, deliveries: 0, gone: price },
  '99': { ...sale, state: 'reversed', gone: 0 },
};

// More than the minute within which every outcome occurs, for a busy machine.
const patienceMs = 90_000;

describe('A gateway with OPERATOR_URL', { timeout: 480_000 }, () => {
  it('brings every number to its documented end, and the book agrees', async () => {
    const data = folder();
    const simulator = await simulatorProcess(data);
    const { id: client, token } = await openShop(data);
    const env = { OPERATOR_URL: simulator.url, SIMGATE_DEMO: 'off' };
    const gateway = await serveKept(data, env);
    const until = performance.now() + patienceMs;

    /** Buys, and retries until the purchase has ended. */
    const buy = async (digits: string, ending: Ending): Promise<string> => {
      const fields = {
        product_id: Number(digits) % 2 === 0 ? sold.credit : sold.permanent,
        mobile: `9891234567${digits}`,
        price,
        webservice_code: digits,
      };
      for (;;) {
        const response = await fetch(`${gateway.url}/api/top-up/package/`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${token}`,
            'content-type': 'application/json',
            'idempotency-key': `key-${digits}`,
          },
          body: JSON.stringify(fields),
        });
        await response.text();
        const id = response.headers.get('purchase-id') ?? '';
        const { body } = await ask(gateway.url, token, `/api/purchases/${id}`);
        if (at(body, 'state') === ending.state) {
          assert.equal(response.status, ending.status, digits);
          return id;
        }
        const said = `${digits} is ${String(at(body, 'state'))}`;
        assert.ok(performance.now() < until, said);
        await rest(500);
      }
    };

    const bought = await Promise.all(
      Object.entries(endings).map(async ([digits, ending]) => ({
        digits,
        ending,
        id: await buy(digits, ending),
      })),
    );
    for (const { digits, ending, id } of bought) {
      const lines = deliveriesIn(data).filter((line) => at(line, 'ref') === id);
      assert.equal(lines.length, ending.deliveries, digits);
      for (const line of lines) {
        assert.equal(at(line, 'mobile'), `9891234567${digits}`);
        assert.equal(at(line, 'amount'), price);
        assert.equal(at(line, 'operator'), 1);
      }
    }
    const all = bought.reduce((sum, { ending }) => sum + ending.deliveries, 0);
    assert.equal(deliveriesIn(data).length, all, 'and nothing else was delivered');
    const listed = parsed(await done(data, 'client', 'list', '--json'));
    const spent = bought.reduce((sum, { ending }) => sum + ending.gone, 0);
    assert.equal(at(listed, 0, 'id'), client);
    assert.equal(at(listed, 0, 'available'), 1_000_000 - spent);
    assert.equal(at(listed, 0, 'held'), price, 'of the one in review');
    assert.equal(at(parsed(await done(data, 'verify', '--json')), 'ok'), true);
    assert.equal(await gateway.stop(), 0);
    assert.equal(await simulator.stop(), 0);
    assert.doesNotMatch(gateway.printed(), /98912345\d{4}/, 'no number in the log');
  });

  it('sells again automatically when its simulator server has come back, and lost nothing', async () => {
    const data = folder();
    const first = await simulatorProcess(data);
    const { port } = new URL(first.url);
    const { token } = await openShop(data);
    const gateway = await serveKept(data, { OPERATOR_URL: first.url, SIMGATE_DEMO: 'off' });
    const topUp = async (key: string): Promise<number> => {
      const response = await fetch(`${gateway.url}/api/top-up/`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          'idempotency-key': key,
        },
        body: JSON.stringify({
          product_id: sold.topUp,
          mobile: '989123456700',
          price: 5000,
          webservice_code: key,
        }),
      });
      await response.text();
      return response.status;
    };
    assert.equal(await topUp('before'), 200);
    await first.stop('SIGKILL');
    // Nothing could be sent, which is recorded for good; the client may buy under another key.
    assert.equal(await topUp('meanwhile'), 422);
    const second = await simulatorProcess(data, '--port', port);
    assert.equal(await topUp('meanwhile'), 422);
    assert.equal(await topUp('afterwards'), 200);
    assert.equal(await topUp('before'), 200);
    assert.equal(deliveriesIn(data).length, 2);
    assert.equal(await gateway.stop(), 0);
    await second.stop();
    assert.equal(at(parsed(await done(data, 'verify', '--json')), 'ok'), true);
  });
});

describe('simgate config', () => {
  it('shows the operators’ addresses, and never a token', async () => {
    const data = folder();
    const file = join(data, 'simgate.json');
    const settings = { baseUrl: 'https://operator.example/v1', token: 'very-secret' };
    writeFileSync(file, JSON.stringify({ operators: { 3: { connector: 'http', settings } } }));
    const shown = await done(data, 'config');
    assert.match(shown, /https:\/\/operator\.example\/v1/);
    assert.doesNotMatch(shown, /very-secret/);
    assert.equal(at(parsed(shown), 'operators', 2, 'settings', 'token'), '***');
    const env = { OPERATOR_URL: 'http://127.0.0.1:4010' };
    const { out } = await simgate(data, ['config'], env);
    assert.equal(at(parsed(out), 'operatorUrl'), 'http://127.0.0.1:4010');
    assert.equal(
      at(parsed(out), 'operators', 2, 'settings', 'baseUrl'),
      'http://127.0.0.1:4010/operators/3',
    );
    assert.doesNotMatch(out, /very-secret/);
  });
});
