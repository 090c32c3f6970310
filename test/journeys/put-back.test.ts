/** Tests a database file put back manually, and the command that marks one as restored. */
import assert from 'node:assert/strict';
import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { printCatalogue } from '../../src/catalogue/file/file.ts';
import { sampleProduct } from '../contract/sample-product.ts';
import { at } from '../support/answers.ts';
import { done, temporaryFolders } from '../support/command.ts';
import { serveKept } from '../support/kept-server.ts';
import { eventually, parsed } from '../support/live.ts';
import type { Served } from '../support/process.ts';

const folder = temporaryFolders();
const price = 10_000;

const serve = (data: string): Promise<Served> => serveKept(data, { SIMGATE_DEMO: 'off' });

/** A data folder with one product, and the token of its client. */
const newData = async (): Promise<{ readonly data: string; readonly token: string }> => {
  const data = folder();
  const file = join(data, 'products.json');
  const product = sampleProduct({ id: 1, price, sim_card_type: 'credit' });
  writeFileSync(file, [...printCatalogue([product], 'json')].join(''));
  await done(data, 'catalogue', 'import', file);
  const args = ['client', 'create', '--name', 'A', '--balance', '1000000', '--json'];
  return { data, token: String(at(parsed(await done(data, ...args)), 'token')) };
};

const buy = async ({ url }: Served, token: string, key: string): Promise<number> => {
  const response = await fetch(`${url}/api/top-up/package/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'idempotency-key': key },
    body: new URLSearchParams({
      product_id: '1',
      mobile: '989121234500',
      price: String(price),
      webservice_code: key,
    }),
  });
  await response.text();
  return response.status;
};

const readyOf = async ({ url }: Served): Promise<unknown> =>
  (await fetch(`${url}/health/ready`)).json();

const status = async (data: string): Promise<unknown> =>
  parsed(await done(data, 'restore', 'status', '--json'));

describe('A database file', { timeout: 120_000 }, () => {
  it('that is older than its witness sells nothing when it is put back by "cp"', async () => {
    const { data, token } = await newData();
    const file = join(data, 'simgate.db');
    const first = await serve(data);
    assert.equal(await buy(first, token, 'known'), 200);
    await first.stop();
    const copy = join(data, 'copy.db');
    copyFileSync(file, copy);
    const second = await serve(data);
    assert.equal(await buy(second, token, 'lost'), 200);
    await second.stop();
    copyFileSync(copy, file);
    const third = await serve(data);
    const ready = await readyOf(third);
    assert.equal(at(ready, 'selling'), false);
    assert.match(String(at(ready, 'reason')), /The database lacks purchases/);
    assert.equal(await buy(third, token, 'lost'), 503);
    assert.equal(await buy(third, token, 'known'), 200);
    assert.equal(at(await status(data), 'cause'), 'witness_contradicted');
    await third.stop();
  });

  it('that is restored by the command is marked once, and sells once it is accepted', async () => {
    const { data, token } = await newData();
    const first = await serve(data);
    assert.equal(await buy(first, token, 'known'), 200);
    await done(data, 'backup', join(data, 'backup.db'));
    assert.equal(await buy(first, token, 'lost'), 200);
    await first.stop();
    await done(data, 'restore', join(data, 'backup.db'), '--force');
    await done(data, 'restore', 'accept', '--force', '--reason', 'settled manually');
    const second = await serve(data);
    assert.equal(at(await readyOf(second), 'selling'), undefined);
    assert.equal(at(await status(data), 'cause'), 'backup');
    await second.stop();
  });

  it('is closed by "restore mark" beside a selling server', async () => {
    const { data, token } = await newData();
    const served = await serve(data);
    assert.equal(await buy(served, token, 'before'), 200);
    await done(data, 'restore', 'mark', '--reason', 'a snapshot was put back');
    assert.equal(await buy(served, token, 'after'), 503);
    assert.match(String(at(await readyOf(served), 'reason')), /marked as restored/);
    const text = await done(data, 'restore', 'status');
    assert.match(text, /^Marked as restored at /);
    await done(data, 'restore', 'accept', '--force', '--reason', 'it was a drill');
    await eventually('it sells', async () => (await buy(served, token, 'after')) === 200);
    await served.stop();
  });
});
