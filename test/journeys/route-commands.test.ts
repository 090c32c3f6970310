/** Tests the commands for routes: their output, their audit entries, and a running server that sees them. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { printCatalogue } from '../../src/catalogue/file/file.ts';
import { sampleProduct } from '../contract/sample-product.ts';
import { at } from '../support/answers.ts';
import { done, temporaryFolders } from '../support/command.ts';
import { parsed } from '../support/live.ts';
import { simgate } from '../support/process.ts';
import { runSql } from '../support/sql.ts';

const folder = temporaryFolders();

describe('The commands for routes', { timeout: 480_000 }, () => {
  it('create, list, change, explain and remove a route, each with an audit entry', async () => {
    const data = folder();
    const products = join(data, 'products.json');
    const product = sampleProduct({ id: 101, operator_id: 1, price: 1000 });
    writeFileSync(products, [...printCatalogue([product], 'json')].join(''));
    await done(data, 'catalogue', 'import', products);
    assert.match(await done(data, 'route', 'list'), /^No routes: each operator orders from/);

    const set = ['--operator', '1', '--supplier', '2', '--priority', '5', '--cost', '2.5%'];
    assert.equal(await done(data, 'route', 'set', ...set), 'Created the route 1.\n');
    const named = ['--product', '101', '--hours', '22:00-06:00', '--by', 'the office'];
    assert.equal(await done(data, 'route', 'set', '1', ...named), 'Route 1 is changed.\n');
    assert.equal(await done(data, 'route', 'set', '1'), 'Route 1 says that already.\n');
    assert.match(
      await done(data, 'route', 'list'),
      /^1 +1 +product 101 +2 operator_2 +2\.5% +5 +1 +22:00-06:00 +on$/m,
    );

    const noon = ['--at', '2026-01-31T12:00:00Z'];
    const byDay = await done(data, 'route', 'explain', '101', ...noon);
    assert.match(byDay, /^1 +implicit +everything +1 operator_1 +100 +100 % +taken$/m);
    assert.match(byDay, /^ +1 +product 101 +2 operator_2 +5 +975 +no: it is outside its hours/m);
    const night = ['--at', '2026-01-31T23:00:00Z', '--json'];
    const byNight = parsed(await done(data, 'route', 'explain', '101', ...night));
    assert.deepEqual(
      [0, 1].map((index) => at(byNight, 'routes', index, 'place')),
      [1, 2],
    );
    assert.deepEqual(
      [at(byNight, 'routes', 0, 'cost'), at(byNight, 'routes', 0, 'share')],
      [975, 1],
    );

    await done(data, 'route', 'set', '1', '--product', '', '--hours', '');
    assert.match(await done(data, 'route', 'list', '--history', '1'), /(.*\n){4}/);
    assert.equal(await done(data, 'route', 'remove', '1'), 'Route 1 is removed.\n');
    const { rows } = await runSql(
      data,
      `select actor, action, subject, before_it, after_it from admin_audit
       where action like 'route %' order by id`,
    );
    assert.deepEqual(
      rows.map((row) => at(row, 'action')),
      ['route create', 'route change', 'route change', 'route remove'],
    );
    assert.match(String(at(rows[1], 'actor')), /^the office /);
    assert.equal(at(rows[1], 'subject'), 'route 1');
    assert.deepEqual(parsed(String(at(rows[1], 'after_it'))), {
      product_id: '101',
      hours: '22:00-06:00',
    });
  });

  it('export and import a file, whole or not at all', async () => {
    const data = folder();
    const file = join(data, 'routes.csv');
    const header = 'id,operator_id,supplier_id,priority,weight\r\n';
    writeFileSync(file, `${header},1,2,5,\r\n,1,3,5,4\r\n`);
    assert.equal(
      await done(data, 'route', 'import', file),
      'Routes: 2 added, 0 changed, 0 removed, 0 unchanged.\n',
    );
    assert.equal(await done(data, 'route', 'export', file), '2 routes.\n');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace(/^2,.*\r\n/m, '').replace(/^(1,1,.*,)5,1,/m, '$16,1,'));
    const changed = parsed(await done(data, 'route', 'import', file, '--remove-missing', '--json'));
    assert.deepEqual(changed, { ok: true, added: 0, changed: 1, removed: 1, unchanged: 0 });

    writeFileSync(file, `${header}9,1,2,5,\r\n,1,77,0,\r\n,1,77,5,\r\n`);
    const first = await simgate(data, ['route', 'import', file]);
    assert.equal(first.status, 1);
    assert.match(first.err, /has 1 problem\.\nline 3: priority must be 1 or more/);
    writeFileSync(file, `${header}9,1,2,5,\r\n,1,77,5,\r\n`);
    const second = await simgate(data, ['route', 'import', file]);
    assert.match(
      second.err,
      /line 2: There is no route 9\..*\nline 3: supplier_id 77 does not exist/,
    );
    assert.equal(at(parsed(await done(data, 'route', 'list', '--json')), 0, 'priority'), '6');
    writeFileSync(file, header);
    const empty = await simgate(data, ['route', 'import', file, '--remove-missing']);
    assert.match(empty.err, /^The file has no routes, so all would be removed\./);
  });

  it('say what is wrong by the name of the option', async () => {
    const data = folder();
    const cases: readonly (readonly [readonly string[], number, RegExp])[] = [
      [['set', '--operator', '1', '--supplier', '2'], 2, /^--priority is missing\./],
      [
        ['set', '--operator', '1', '--supplier', '9', '--priority', '1'],
        2,
        /^--supplier 9 does not/,
      ],
      [['set', '7', '--priority', '1'], 1, /^There is no route 7\./],
      [['set', 'x'], 2, /^ID must be a positive ID/],
      [['remove', '7'], 1, /^There is no route 7\./],
      [['list', '--history', '7'], 1, /^There was never a route 7\./],
      [['explain', '7'], 1, /^There is no product 7\./],
    ];
    for (const [words, status, said] of cases) {
      const ended = await simgate(data, ['route', ...words]);
      assert.deepEqual([words, ended.status], [words, status]);
      assert.match(ended.err, said);
    }
  });
});

describe('The commands for suppliers', { timeout: 480_000 }, () => {
  it('list and show them with group, routes and masked secrets, suspend and resume one', async () => {
    const data = folder();
    const settings = { baseUrl: 'https://second.example', token: 'a-secret-token' };
    const second = { name: 'second', connector: 'http', settings, group: 'shared' };
    writeFileSync(join(data, 'simgate.json'), JSON.stringify({ suppliers: { 200: second } }));
    await done(data, 'route', 'set', '--operator', '1', '--supplier', '200', '--priority', '5');
    const listed = await done(data, 'supplier', 'list');
    assert.match(listed, /^1 +operator_1 +operator +simulator +file +0 +settings fit$/m);
    assert.match(listed, /^200 +second +supplier +http +file +shared +1 +settings fit$/m);
    assert.doesNotMatch(await done(data, 'operator', 'list'), /second/);

    const shown = await done(data, 'supplier', 'show', 'second');
    assert.match(shown, /^Connector: http\.$/m);
    assert.match(shown, /"No such order" is never proof/);
    assert.match(shown, /^Group: shared\.\nRoutes that name it: 1\.\nBroken promises: 0\.$/m);
    assert.match(shown, /^It is not suspended\.$/m);
    assert.doesNotMatch(shown, /a-secret-token/);

    const reason = ['--reason', 'they move', '--by', 'the office'];
    assert.equal(
      await done(data, 'supplier', 'suspend', '200', ...reason),
      'second is suspended.\n',
    );
    assert.match(await done(data, 'supplier', 'suspend', '200', ...reason), /was suspended before/);
    const json = parsed(await done(data, 'supplier', 'show', '200', '--json'));
    assert.equal(at(json, 'suspended', 'reason'), 'they move');
    assert.match(String(at(json, 'suspended', 'by')), /^the office /);
    assert.match(await done(data, 'supplier', 'list'), /^200 .* suspended since 2/m);
    assert.equal(await done(data, 'supplier', 'resume', 'second'), 'second is resumed.\n');
    assert.match(await done(data, 'supplier', 'resume', 'second'), /was not suspended/);
    await runSql(
      data,
      `insert into broken_promises (supplier_id, client_id, purchase_id, at) values (200, 'a', 'b', 1)`,
    );
    assert.match(await done(data, 'supplier', 'show', '200'), /^Broken promises: 1\.$/m);
    const trust = ['supplier', 'trust', '200', '--reason', 'they have repaired it'];
    assert.match(await done(data, ...trust), /^second is trusted again\..* had broken: 1\.$/m);
    assert.match(await done(data, ...trust), /had broken no promise/);
    const { rows } = await runSql(
      data,
      `select action, subject from admin_audit where action like 'operator %' order by id`,
    );
    assert.deepEqual(
      rows.map((row) => [at(row, 'action'), at(row, 'subject')]),
      [
        ['operator suspend', 'operator 200'],
        ['operator resume', 'operator 200'],
        ['operator trust', 'operator 200'],
      ],
    );
    await runSql(
      data,
      `insert into suppliers (id, name, name_en, name_fa, created_at) values (500, 'third', 'Third', 'سوم', 1)`,
    );
    await done(data, 'route', 'set', '--operator', '1', '--supplier', '500', '--priority', '9');
    assert.match(await done(data, 'route', 'list'), / 500 third /);
    assert.match(
      await done(data, 'supplier', 'list'),
      /^500 +third +supplier .* it has no connector$/m,
    );
    const third = await simgate(data, ['supplier', 'show', 'third']);
    assert.match(third.out, /^Defined in the console\.$/m);
    await done(data, 'supplier', 'suspend', 'third', '--reason', 'they have moved');
    const unknown = await simgate(data, ['supplier', 'show', '201']);
    assert.deepEqual([unknown.status, unknown.out], [1, '']);
    assert.match(
      unknown.err,
      /^There is no supplier "201"\. There are: operator_1, .*second, third\.$/m,
    );
  });
});
