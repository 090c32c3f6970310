/** Tests the commands for floats, beside the cost that a purchase shows: from a top-up to a sale. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { printCatalogue } from '../../src/catalogue/file/file.ts';
import { sampleProduct } from '../contract/sample-product.ts';
import { at, listOf } from '../support/answers.ts';
import { done, temporaryFolders } from '../support/command.ts';
import { parsed } from '../support/live.ts';
import { serveProcess, simgate } from '../support/process.ts';

const folder = temporaryFolders();
const mobile = '989123456700';

describe('The commands for floats', { timeout: 480_000 }, () => {
  it('record top-ups and corrections, and follow what a sale costs', async () => {
    const data = folder();
    const products = join(data, 'products.json');
    const product = sampleProduct({ id: 101, operator_id: 2, price: 1000 });
    writeFileSync(products, [...printCatalogue([product], 'json')].join(''));
    await done(data, 'catalogue', 'import', products);
    const made = parsed(
      await done(data, 'client', 'create', '--name', 'Shop', '--balance', '9000', '--json'),
    );
    const route = ['--operator', '2', '--supplier', '2', '--priority', '1', '--cost', '4%'];
    await done(data, 'route', 'set', ...route);
    assert.match(await done(data, 'supplier', 'float'), /^2 +operator_2 +0 +0 +0 *$/m);

    const why = ['--reason', 'for the weekend', '--by', 'the office'];
    const topUp = ['supplier', 'float', 'top-up', '2'];
    assert.equal(
      await done(data, ...topUp, '2000', '--reference', 'T-4711', ...why),
      'Recorded. By our books 2000 lie at operator_2.\n',
    );
    await done(data, 'supplier', 'float', 'correct', 'operator_2', '-40', ...why);
    const refused = await simgate(data, [...topUp, '-5', ...why]);
    assert.notEqual(refused.status, 0);

    const served = await serveProcess(data);
    const response = await fetch(`${served.url}/api/top-up/package/`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${String(at(made, 'token'))}`,
        'idempotency-key': randomUUID(),
      },
      body: new URLSearchParams({ product_id: '101', price: '1000', mobile, webservice_code: 'c' }),
    });
    assert.equal(response.status, 200, await response.text());
    const id = response.headers.get('purchase-id') ?? '';
    const shown = await done(data, 'purchase', 'show', id);
    for (const line of ['cost_by_rule     960', 'cost             960', 'margin           40']) {
      assert.ok(shown.includes(`${line}\n`), shown);
    }
    const float = parsed(await done(data, 'supplier', 'float', '2', '--json'));
    assert.deepEqual(
      [at(float, 'held'), at(float, 'in_flight'), at(float, 'free')],
      [1000, 0, 1000],
    );
    assert.deepEqual(
      listOf(at(float, 'entries')).map((entry) => [at(entry, 'kind'), at(entry, 'amount')]),
      [
        ['correction', -40],
        ['top_up', 2000],
      ],
    );
    assert.match(await done(data, 'route', 'explain', '101'), /taken/);
    await done(data, 'supplier', 'float', 'correct', '2', '-900', ...why);
    assert.match(await done(data, 'route', 'explain', '101'), /no: .*float/);
    assert.match(await done(data, 'verify'), /No problems found/);
    await served.stop();
  });
});
