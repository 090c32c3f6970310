/** Tests that a first start gives everything needed to try the gateway, once, and only then. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { printCatalogue } from '../../src/catalogue/file/file.ts';
import { sampleProduct } from '../contract/sample-product.ts';
import { at, keysOf, listOf } from '../support/answers.ts';
import { assertSentence, done, temporaryFolders, twoAtATime } from '../support/command.ts';
import { plainly } from '../support/environment.ts';
import { serveKept } from '../support/kept-server.ts';
import { ask, eventually, parsed } from '../support/live.ts';
import { type Served, serveProcess, simgate } from '../support/process.ts';
import { runSql } from '../support/sql.ts';

const folder = temporaryFolders();

/** The tokens of setup links. */
const linksIn = (printed: string): string[] =>
  [...printed.matchAll(/\/console\/setup#([\w-]{43})$/gm)].map(([, token = '']) => token);

const setPassword = async (url: string, token: string): Promise<number> => {
  const { status } = await fetch(`${url}/admin/api/setup`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' },
    body: JSON.stringify({ token, password: 'correct horse battery' }),
  });
  return status;
};

const tokenIn = (printed: string): string | undefined => /simgate_\w+/.exec(printed)?.[0];

/** Waits for the last line of the welcome, which comes after the line with the address. */
const welcomed = async (served: Served): Promise<string> => {
  const described = `Read the documentation at ${served.url}/docs\n`;
  await eventually('the welcome is printed', async () => served.printed().includes(described));
  return served.printed();
};

const countIn = async (data: string, table: 'clients' | 'products'): Promise<unknown> => {
  const { rows } = await runSql(data, `select count(*) as count from ${table}`);
  return at(rows, 0, 'count');
};

const shellHasCurl = spawnSync('sh', ['-c', 'curl --version']).status === 0;

/** Executes a printed command like a shell, for machines without the shell or curl. */
const fetchAsCurl = async (line: string): Promise<string> => {
  const words = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare);
  const after = (flag: string): string[] =>
    words.flatMap((word, index) => (words[index - 1] === flag ? [word ?? ''] : []));
  const fields = after('-d');
  const headers = new Headers(
    fields.length === 0 ? {} : { 'content-type': 'application/x-www-form-urlencoded' },
  );
  for (const header of after('-H')) {
    const [name = '', value = ''] = header.split(': ');
    headers.set(name, value);
  }
  const response = await fetch(words.at(-1) ?? '', {
    headers,
    ...(fields.length === 0 ? {} : { method: 'POST', body: fields.join('&') }),
  });
  return response.text();
};

const paste = async (line: string): Promise<unknown> =>
  parsed(
    shellHasCurl
      ? spawnSync('sh', ['-c', `${line} --silent`], { encoding: 'utf8' }).stdout
      : await fetchAsCurl(line),
  );

describe('The first start on an empty folder', { timeout: 480_000 }, () => {
  const data = join(folder(), 'data');
  let served: Served | undefined;
  let printed = '';
  let token = '';
  let products: readonly unknown[] = [];

  before(async () => {
    // The most permissive umask, to see what the server does with it.
    const umask = process.umask(0);
    const starting = serveProcess(folder(), { DATA_DIR: data, ...plainly });
    process.umask(umask);
    served = await starting;
    printed = await welcomed(served);
    token = tokenIn(printed) ?? '';
    const everything = {
      table: 'product',
      items: { pagination: 'false', categories: 'categories' },
    };
    const { body } = await ask(served.url, token, '/api/filter', everything);
    products = listOf(at(body, 'data'));
  });
  after(async () => {
    await served?.stop();
  });

  const some = (holds: (product: unknown) => boolean): boolean => products.some(holds);
  const valuesOf = (field: string): Set<unknown> =>
    new Set(products.map((product) => at(product, field)));

  it('prints one token, of a client with the balance that it names', async () => {
    assert.equal(new Set(printed.match(/simgate_\w+/g)).size, 1);
    const [, balance] = /a demo client with a balance of (\d+) IRR\. /.exec(printed) ?? [];
    const { body } = await ask(served?.url ?? '', token, '/api/clients/products');
    assert.ok(Number(balance) > 0);
    assert.equal(at(body, 'balance'), Number(balance));
    const account = await ask(served?.url ?? '', token, '/api/account');
    assert.equal(at(account.body, 'currency', 'names', 'fa'), 'ریال');
    assert.equal(at(account.body, 'time_zone'), 'Asia/Tehran');
  });

  const curlLine = (path: string): string =>
    (printed.match(/(?<=^ {2})curl .*$/gm) ?? []).find((line) => line.includes(path)) ?? '';

  for (const [how, run] of [
    ['when they are pasted', paste],
    ['word for word without curl', async (line: string) => parsed(await fetchAsCurl(line))],
  ] as const) {
    it(`prints lines for curl that work ${how}: list, ask for offers, buy`, async () => {
      assert.equal(listOf(at(await run(curlLine('/api/clients/products')), 'data')).length, 2);
      const offers = await run(curlLine('/offers/'));
      assert.equal(at(offers, 'status'), true);
      assert.ok(listOf(at(offers, 'offersList')).length > 0);
      const bought = await run(curlLine('/api/top-up/package/'));
      assert.deepEqual(keysOf(bought), ['message'], JSON.stringify(bought));
    });
  }

  it('has two suppliers for operator 1: a number that ends in 88 is delivered by the second', async () => {
    const product = products.find(
      (one) =>
        at(one, 'operator_id') === 1 &&
        at(one, 'type') === 'cell_internet' &&
        at(one, 'sim_card_type') === 'credit' &&
        at(one, 'status') === 1,
    );
    const response = await fetch(`${served?.url}/api/top-up/package/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'idempotency-key': 'second-supplier' },
      body: new URLSearchParams({
        product_id: String(at(product, 'id')),
        price: String(at(product, 'price')),
        mobile: '989123456788',
        webservice_code: 'second-supplier',
      }),
    });
    assert.equal(response.status, 200, await response.text());
    const bought = await runSql(
      data,
      `select purchases.supplier_id as delivered, attempts.supplier_id as refused, proof, code
       from purchases join attempts on attempts.purchase_id = purchases.id`,
    );
    assert.deepEqual(
      bought.rows.map((row) => ({ ...row })),
      [{ delivered: 101, refused: 1, proof: 'refused', code: 'error' }],
    );
    const routes = await runSql(
      data,
      'select operator_id, supplier_id, priority from routes order by priority',
    );
    assert.deepEqual(
      routes.rows.map((row) => ({ ...row })),
      [
        { operator_id: 1, supplier_id: 1, priority: 1 },
        { operator_id: 1, supplier_id: 101, priority: 2 },
      ],
    );
  });

  it('serves the documentation that it names', async () => {
    const page = await fetch(`${served?.url}/docs`);
    assert.equal(page.status, 200);
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/);
  });

  it('adds at least 120 products of all operators, types and SIM types', () => {
    assert.ok(products.length >= 120, `${products.length} products`);
    assert.deepEqual(valuesOf('operator_id'), new Set([1, 2, 3, 4, 5]));
    assert.deepEqual(
      valuesOf('type'),
      new Set(['cell_internet', 'cell_direct_charge', 'td_lte_internet']),
    );
    assert.deepEqual(valuesOf('sim_card_type'), new Set(['credit', 'permanent']));
  });

  it('adds price ranges, categories, and a product that is switched off', () => {
    assert.ok(
      some((product) => Number(at(product, 'second_price')) > Number(at(product, 'price'))),
    );
    assert.ok(products.every((product) => listOf(at(product, 'categories')).length > 0));
    assert.ok(some((product) => at(product, 'status') === 0));
  });

  it('adds the products of personal offers, 510 for prepaid and 511 for postpaid', () => {
    for (const [id, sim] of [
      [510, 'credit'],
      [511, 'permanent'],
    ] as const) {
      const product = products.find((one) => at(one, 'id') === id);
      assert.equal(at(product, 'sim_card_type'), sim);
      assert.equal(at(product, 'operator_id'), 2);
    }
  });

  it('hides its files from other users of the machine, whatever the umask', () => {
    assert.equal(statSync(data).mode & 0o777, 0o700);
    const files = readdirSync(data);
    assert.ok(files.includes('simgate.db') && files.includes('simgate.db-wal'), files.join());
    for (const file of files) assert.equal(statSync(join(data, file)).mode & 0o777, 0o600, file);
  });

  it('stores the token nowhere, neither in its files nor in its log', () => {
    for (const file of readdirSync(data)) {
      assert.equal(readFileSync(join(data, file)).includes(token), false, file);
    }
    const log = printed.split('\n').filter((line) => line.startsWith('{'));
    assert.ok(log.length > 0);
    assert.doesNotMatch(log.join(), /simgate_/);
  });

  it('prints one link to the back office, which is stored and logged nowhere', async () => {
    await eventually('it is printed', async () => linksIn(served?.printed() ?? '').length > 0);
    printed = served?.printed() ?? '';
    const [link = '', ...others] = linksIn(printed);
    assert.deepEqual([link.length, others.length], [43, 0]);
    const log = printed.split('\n').filter((line) => line.startsWith('{'));
    assert.ok(!log.join().includes(link) && !log.join().includes('setup#'));
  });

  it('is the only one: the second start prints no token and changes nothing, but has a new link', async () => {
    assert.equal(await served?.stop(), 0);
    const again = await serveKept(folder(), { DATA_DIR: data });
    served = again;
    const [first = ''] = linksIn(printed);
    await eventually('a link is printed', async () => linksIn(again.printed()).length === 1);
    const [second = ''] = linksIn(again.printed());
    assert.equal(
      await setPassword(again.url, first),
      401,
      'that of the previous start no longer works',
    );
    assert.equal(await setPassword(again.url, second), 200);
    const everything = {
      table: 'product',
      items: { pagination: 'false', categories: 'categories' },
    };
    const { body } = await ask(again.url, token, '/api/filter', everything);
    assert.deepEqual(at(body, 'data'), products);
    assert.equal(await countIn(data, 'clients'), 1);
    assert.equal(await again.stop(), 0);
    assert.match(again.printed(), /"msg":"stopped"/);
    assert.doesNotMatch(again.printed(), /simgate_|curl/);
  });
});

/** Starts and stops a server, and returns all its output. */
const printedBy = async (data: string, env: Readonly<Record<string, string>> = {}) => {
  const served = await serveKept(data, env);
  assert.equal(await served.stop(), 0);
  return served.printed();
};

const withoutDemo = [{ SIMGATE_DEMO: 'off' }, { NODE_ENV: 'production' }];

describe('A start without demo data', twoAtATime, () => {
  for (const env of withoutDemo) {
    it(`is what ${JSON.stringify(env)} asks for`, async () => {
      const data = folder();
      const printed = await printedBy(data, env);
      assert.doesNotMatch(printed, /simgate_|curl/);
      const links = 'NODE_ENV' in env ? 0 : 1;
      assert.equal(linksIn(printed).length, links, 'the link to the back office');
      assert.deepEqual([await countIn(data, 'clients'), await countIn(data, 'products')], [0, 0]);
    });
  }

  it('in production prints the owner’s link on request', async () => {
    const data = folder();
    writeFileSync(join(data, 'simgate.json'), '{"admin":{"firstLink":true}}');
    const printed = await printedBy(data, { NODE_ENV: 'production' });
    assert.equal(linksIn(printed).length, 1);
  });

  it('happens for a database with a client', async () => {
    const data = folder();
    await done(data, 'client', 'create', '--name', 'Mine');
    writeFileSync(join(data, 'simgate.json'), '{"admin":{"firstLink":false}}');
    const printed = await printedBy(data);
    assert.doesNotMatch(printed, /simgate_|curl/);
    assert.deepEqual(linksIn(printed), [], 'it was switched off');
    assert.deepEqual([await countIn(data, 'clients'), await countIn(data, 'products')], [1, 0]);
  });

  it('happens for a database with a product', async () => {
    const data = folder();
    const file = join(data, 'mine.csv');
    writeFileSync(file, [...printCatalogue([sampleProduct({ id: 1 })], 'csv')].join(''));
    await done(data, 'catalogue', 'import', file);
    await done(data, 'admin', 'create', 'office');
    const printed = await printedBy(data);
    assert.doesNotMatch(printed, /simgate_|curl/);
    assert.deepEqual(linksIn(printed), [], 'the account has a link of its own');
    assert.deepEqual([await countIn(data, 'clients'), await countIn(data, 'products')], [0, 1]);
  });
});

describe('A first start that fails', { timeout: 240_000 }, () => {
  it('creates no client, so that the next start still shows a token', async () => {
    const data = folder();
    const holder = createServer().unref();
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
    const address = holder.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    assertSentence(await simgate(data, ['serve'], { PORT: port }), /is in use/);
    holder.close();
    assert.equal(await countIn(data, 'clients'), 0);
    const served = await serveKept(data);
    assert.notEqual(tokenIn(await welcomed(served)), undefined);
    assert.equal(await served.stop(), 0);
  });
});
