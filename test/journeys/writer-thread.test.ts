/** Proves a server whose purchases are written by a thread: it sells as any other, beside commands, to the end. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { at, listOf } from '../support/answers.ts';
import { done, temporaryFolders } from '../support/command.ts';
import { ask, eventually, parsed } from '../support/live.ts';
import { type Served, serveProcess } from '../support/process.ts';

const folder = temporaryFolders();
const balance = 10_000_000;
const range = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

describe('A server with a thread that writes', { timeout: 480_000 }, () => {
  const data = folder();
  let served: Served;
  let [clientId, token] = ['', ''];
  let product: unknown;

  before(async () => {
    served = await serveProcess(data, { SIMGATE_WRITER_THREAD: 'on' });
    const made = ['client', 'create', '--name', 'A', '--balance', String(balance), '--json'];
    const client = parsed(await done(data, ...made));
    [clientId, token] = [String(at(client, 'id')), String(at(client, 'token'))];
    const items = { pagination: 'false', sim_card_type: 'credit', type: 'cell_internet' };
    const body = { table: 'product', items };
    const { body: found } = await ask(served.url, token, '/api/filter', body);
    product = listOf(at(found, 'data')).find(
      (one) => at(one, 'status') === 1 && at(one, 'operator_id') === 1,
    );
  });
  after(() => served.stop());

  const price = (): number => Number(at(product, 'price'));
  const buy = async (key: string, mobile = '989123456700', by = token) => {
    const [product_id, amount] = [at(product, 'id'), price()];
    const body = JSON.stringify({ product_id, price: amount, mobile, webservice_code: key });
    const response = await fetch(`${served.url}/api/top-up/package/`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${by}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body,
    });
    return { status: response.status, text: await response.text() };
  };
  const balanceNow = async (): Promise<number> =>
    Number(at((await ask(served.url, token, '/api/clients/products')).body, 'balance'));

  it('sells each key once, also where many ask at once, and answers repeats with the same bytes', async () => {
    const keys = range(100).map((index) => `key-${index % 50}`);
    const answers = await Promise.all(keys.map((key) => buy(key)));
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
    assert.equal(await balanceNow(), balance - 50 * price());
    const repeated = await Promise.all(keys.map((key) => buy(key)));
    assert.deepEqual(
      repeated.map(({ text }) => text),
      answers.map(({ text }) => text),
    );
    assert.equal(await balanceNow(), balance - 50 * price());
  });

  it('refuses what the balance does not reach, and sells after a deposit by a command beside it', async () => {
    const left = await balanceNow();
    const most = Math.floor(left / price());
    const sold = await Promise.all(range(most + 5).map((index) => buy(`all-${index}`)));
    assert.equal(sold.filter(({ status }) => status === 200).length, most);
    assert.equal(sold.filter(({ status }) => status === 402).length, 5);
    await done(data, 'client', 'deposit', clientId, String(price()));
    assert.equal((await buy('after')).status, 200);
  });

  it('keeps to the guard and the limit of a client', async () => {
    const make = ['client', 'create', '--name', 'B', '--balance', String(9 * price()), '--json'];
    const client = parsed(await done(data, ...make));
    const rules = ['--repeat-guard', '60', '--daily-limit', String(2 * price())];
    await done(data, 'client', 'rules', String(at(client, 'id')), ...rules);
    const by = String(at(client, 'token'));
    const same = await Promise.all(range(5).map((index) => buy(`same-${index}`, undefined, by)));
    const count = (wanted: number): number => same.filter((one) => one.status === wanted).length;
    assert.deepEqual([count(200), count(409)], [1, 4]);
    assert.equal((await buy('second', '989123456702', by)).status, 200);
    assert.equal((await buy('third', '989123456704', by)).status, 403);
  });

  it('recovers what the operator left unknown, and stops with nothing lost', async () => {
    await done(data, 'client', 'deposit', clientId, String(3 * price()));
    const unknown = await buy('unknown', '989123456796');
    assert.equal(unknown.status, 422);
    const slow = buy('slow', '989123456792');
    await eventually('it is under way', async () => {
      const { body } = await ask(served.url, token, '/api/purchases?idempotency_key=slow');
      return at(body, 'data', 0, 'state') === 'submitted';
    });
    assert.equal(await served.stop(), 0);
    assert.equal((await slow).status, 200);
    await done(data, 'verify');
  });
});
