/** Tests the commands for price lists: their output, their audit entries, and a running server that charges by them. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { printCatalogue } from '../../src/catalogue/file/file.ts';
import { sampleProduct } from '../contract/sample-product.ts';
import { at, listOf } from '../support/answers.ts';
import { done, temporaryFolders } from '../support/command.ts';
import { ask, parsed } from '../support/live.ts';
import { serveProcess, simgate } from '../support/process.ts';
import { runSql } from '../support/sql.ts';

const folder = temporaryFolders();

/** Data with a product of operator 2, and a client with its token. */
const prepared = async () => {
  const data = folder();
  const products = join(data, 'products.json');
  const product = sampleProduct({ id: 101, operator_id: 2, price: 1000 });
  writeFileSync(products, [...printCatalogue([product], 'json')].join(''));
  await done(data, 'catalogue', 'import', products);
  const made = parsed(
    await done(data, 'client', 'create', '--name', 'Shop', '--balance', '9000', '--json'),
  );
  return { data, client: String(at(made, 'id')), token: String(at(made, 'token')) };
};

describe('The commands for price lists', { timeout: 480_000 }, () => {
  it('create, date, explain, assign and remove, each with an audit entry', async () => {
    const { data, client } = await prepared();
    assert.match(await done(data, 'price-list', 'list'), /^1 +default +1 +0$/m);
    const named = ['--name', 'Partners', '--parent', '1'];
    const made = await done(data, 'price-list', 'set', ...named, '--by', 'the office');
    assert.equal(made, 'Created the price list 2.\n');
    const all = ['--commission', '1%'];
    assert.match(
      await done(data, 'price-list', 'set', '1', ...all),
      /^Price list 1 has version 1,/,
    );
    const scope = ['--operator', '2', '--type', 'cell_internet', '--commission', '4%'];
    const later = ['--from', '2126-01-31T00:00:00Z'];
    assert.equal(
      await done(data, 'price-list', 'set', '2', ...scope, ...later),
      'Price list 2 has version 1, from 2126-01-31T00:00:00.000Z on.\n',
    );
    const same = await done(data, 'price-list', 'set', '2', ...scope, ...later);
    assert.equal(same, 'Price list 2 says that already.\n');
    assert.match(
      await done(data, 'price-list', 'assign', client, '2'),
      new RegExp(`^Client ${client} is in price list 2, Partners\\.$`, 'm'),
    );

    const explain = ['price-list', 'explain', '101', '--client', client] as const;
    const now = await done(data, ...explain);
    assert.match(now, /^Price 1000, commission 10, charged 990\.$/m);
    assert.match(now, /^1 default +1 +everything +1% +decides$/m);
    const then = parsed(await done(data, ...explain, '--at', '2126-02-01T00:00:00Z', '--json'));
    assert.deepEqual([at(then, 'charged_amount'), at(then, 'steps', 0, 'code')], [960, 'decides']);
    assert.equal(at(then, 'steps', 1, 'code'), 'parent');
    const dear = ['--at', '2126-02-01T00:00:00Z', '--cost', '980'];
    assert.match(await done(data, ...explain, ...dear), /charged 980\./);

    const used = await simgate(data, ['price-list', 'remove', '2']);
    assert.deepEqual(
      [used.status, used.err],
      [1, 'The price list has 1 clients. Assign them to another one first.\n'],
    );
    assert.match(await done(data, 'price-list', 'remove', '2', '--version', '1'), /is removed\.$/m);
    const begun = await simgate(data, ['price-list', 'remove', '1', '--version', '1']);
    assert.equal(begun.status, 1);
    await done(data, 'price-list', 'assign', client, '1');
    assert.equal(await done(data, 'price-list', 'remove', '2'), 'Price list 2 is removed.\n');
    const { rows } = await runSql(
      data,
      `select action from admin_audit where action like '%price list%' order by id`,
    );
    assert.deepEqual(
      rows.map((row) => at(row, 'action')),
      [
        'price list create',
        'price list version',
        'price list version',
        'client price list',
        'price list version remove',
        'client price list',
        'price list remove',
      ],
    );
  });

  it('import a file after a preview of last month’s sales, and a running server charges by it', async () => {
    const { data, token } = await prepared();
    const served = await serveProcess(data);
    const buy = async (key: string) => {
      const response = await fetch(`${served.url}/api/top-up/package/`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'idempotency-key': key },
        body: new URLSearchParams({
          product_id: '101',
          price: '1000',
          mobile: '989123456700',
          webservice_code: key,
        }),
      });
      assert.equal(response.status, 200, await response.text());
    };
    const file = join(data, 'entries.csv');
    writeFileSync(file, 'operator_id,product_type,commission\n2,cell_internet,2.59%\n1,,500\n');
    const imported = await done(data, 'price-list', 'import', '1', file);
    assert.match(imported, /^Entries: 2 added, 0 changed, 0 removed, 0 unchanged\. Version 1/);
    // No wait for the server to hear of it: the purchase that it began by the old lists is priced again.
    await buy('one');
    await buy('two');
    const { body } = await ask(served.url, token, '/api/statement');
    const amounts = listOf(at(body, 'data')).map((entry) => [
      at(entry, 'kind'),
      at(entry, 'amount'),
    ]);
    assert.deepEqual(amounts.slice(1, 3), [
      ['hold', 975],
      ['capture', 975],
    ]);

    writeFileSync(file, 'operator_id,product_type,commission\n2,cell_internet,10%\n');
    const preview = ['price-list', 'import', '1', file, '--preview', '--json'] as const;
    const previewed = async (): Promise<unknown> => parsed(await done(data, ...preview));
    while (at(await previewed(), 'effects', 0, 'sold') !== 2);
    const shown = await previewed();
    assert.deepEqual([at(shown, 'changed'), at(shown, 'removed')], [1, 1]);
    const effect = at(shown, 'effects', 0);
    assert.deepEqual(
      [at(effect, 'price'), at(effect, 'chargedBefore'), at(effect, 'chargedAfter')],
      [2000, 1950, 1800],
    );
    const copy = join(data, 'copy.csv');
    await done(data, 'price-list', 'export', '1', copy);
    assert.match(readFileSync(copy, 'utf8'), /^product_id,.*\r?\n,,2,cell_internet,2\.59%/);
    writeFileSync(file, 'operator_id,commission\n2,much\n2,1\n2,2\nx,1\n');
    const refused = await simgate(data, ['price-list', 'import', '1', file]);
    assert.equal(refused.status, 1);
    assert.match(refused.err + refused.out, /commission must be a percentage/);
  });
});
