/** Tests that a backup can be restored, and that what it lacks is never sold again unnoticed. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { printCatalogue } from '../../src/catalogue/file/file.ts';
import { sampleProduct } from '../contract/sample-product.ts';
import { at, listOf } from '../support/answers.ts';
import { assertSentence, done, temporaryFolders } from '../support/command.ts';
import { serveKept } from '../support/kept-server.ts';
import { ask, eventually, parsed } from '../support/live.ts';
import { type Served, serveProcess, simgate, simulatorProcess } from '../support/process.ts';

const folder = temporaryFolders();
const price = 10_000;
const balance = 10_000_000;

const json = async (data: string, ...args: readonly string[]): Promise<unknown> =>
  parsed(await done(data, ...args, '--json'));

type Client = { readonly id: string; readonly token: string };

/** A data folder with one product and one client. */
const newData = async (): Promise<{ readonly data: string; readonly client: Client }> => {
  const data = folder();
  const file = join(data, 'products.json');
  const product = sampleProduct({ id: 1, price, sim_card_type: 'credit' });
  writeFileSync(file, [...printCatalogue([product], 'json')].join(''));
  await done(data, 'catalogue', 'import', file);
  const made = await json(data, 'client', 'create', '--name', 'A', '--balance', `${balance}`);
  return { data, client: { id: String(at(made, 'id')), token: String(at(made, 'token')) } };
};

const withoutDemo = { SIMGATE_DEMO: 'off' };

const buy = async (
  { url }: Served,
  { token }: Client,
  key: string,
  mobile = '989121234500',
): Promise<{ status: number; text: string; headers: Headers }> => {
  const response = await fetch(`${url}/api/top-up/package/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'idempotency-key': key },
    body: new URLSearchParams({
      product_id: '1',
      mobile,
      price: String(price),
      webservice_code: key,
    }),
  });
  return { status: response.status, text: await response.text(), headers: response.headers };
};

const changes = (since: string): string => `/api/clients/products?updated_since=${since}`;

const codeOf = (text: string): unknown => at(parsed(text), 'code');

const readyOf = async ({ url }: Served): Promise<unknown> => {
  const response = await fetch(`${url}/health/ready`);
  assert.equal(response.status, 200);
  return response.json();
};

const sells = async (served: Served): Promise<boolean> =>
  at(await readyOf(served), 'selling') !== false;

describe('A backup of a gateway that sells', { timeout: 480_000 }, () => {
  it('holds everything sold before, is correct, and is restored into another folder', async () => {
    const { data, client } = await newData();
    const served = await serveKept(data, withoutDemo);
    const file = join(data, 'backup.db');
    const state = { going: true };
    const sold: string[] = [];
    const selling = (async () => {
      while (state.going || sold.length < 20) {
        const key = `key-${sold.length}`;
        const { status, text } = await buy(served, client, key);
        assert.equal(status, 200, text);
        sold.push(key);
      }
    })();
    await eventually('some were sold', async () => sold.length >= 10);
    const before = sold.length;
    const made = await json(data, 'backup', file);
    const until = sold.length;
    state.going = false;
    await selling;
    const held = Number(at(made, 'purchases'));
    assert.ok(held >= before && held <= until + 1, `${before} ≤ ${held} ≤ ${until}`);
    assert.deepEqual(
      [at(made, 'file'), at(made, 'checked'), at(made, 'bytes')],
      [file, 'books', statSync(file).size],
    );
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.deepEqual(
      readdirSync(data).filter((name) => name.startsWith('backup.db')),
      ['backup.db'],
      'nothing is left beside it',
    );
    const copied = parsed((await ask(served.url, client.token, changes('1970-01-01'))).text);
    assert.equal(await served.stop(), 0);

    const other = folder();
    const restored = await json(other, 'restore', file);
    assert.deepEqual([at(restored, 'purchases'), at(restored, 'kept')], [held, null]);
    const report = await json(other, 'verify');
    assert.deepEqual([at(report, 'ok'), at(report, 'purchases')], [true, held]);
    const [account] = listOf(await json(other, 'client', 'list'));
    const taken = balance - Number(at(account, 'available')) - Number(at(account, 'held'));
    assert.equal(taken, price * Number(at(report, 'states', 'succeeded')));

    const again = await serveKept(other, withoutDemo);
    assert.equal(await sells(again), false);
    assert.match(again.printed(), /"level":"warn".*restored from a backup/);
    const repeated = await buy(again, client, 'key-0');
    assert.deepEqual([repeated.status, repeated.headers.get('idempotent-replayed')], [200, 'true']);
    const refused = await buy(again, client, 'quite-new');
    assert.deepEqual([refused.status, codeOf(refused.text)], [503, 'DATABASE_UNAVAILABLE']);
    assert.match(String(at(parsed(refused.text), 'message')), /restored from a backup/);
    assert.ok(Number(refused.headers.get('retry-after')) > 0);
    const listed = await ask(again.url, client.token, '/api/clients/products');
    assert.equal(listed.status, 200, 'reads are answered');
    const since = changes(String(at(copied, 'next_updated_since')));
    const changed = parsed((await ask(again.url, client.token, since)).text);
    assert.equal(at(changed, 'data', 0, 'id'), 1, 'copies of the catalogue go back with it');
    // The simulated operators of that process have delivered nothing, and say so.
    await eventually('it sells automatically', () => sells(again));
    assert.equal((await buy(again, client, 'quite-new')).status, 200);
    // Lines of the log are written later than answers.
    await eventually('the log says so', async () =>
      again.printed().includes('the restored database is open'),
    );
    const status = await json(other, 'restore', 'status');
    assert.deepEqual([at(status, 'selling'), at(status, 'opened_by')], [true, 'simgate']);
    assert.equal(await again.stop(), 0);
    assert.equal(at(await json(other, 'verify'), 'ok'), true);
  });

  it('does not overwrite another file, and is never partial', async () => {
    const { data } = await newData();
    const file = join(data, 'backup.db');
    writeFileSync(file, 'mine');
    assertSentence(await simgate(data, ['backup', file]), /The file .* already exists\./);
    assert.equal(readFileSync(file, 'utf8'), 'mine');
    assert.match(await done(data, 'backup', file, '--force'), /^\S+ holds 0 purchases, \d+ bytes/);
    const unchecked = await json(data, 'backup', join(data, 'other.db'), '--no-check');
    assert.deepEqual([at(unchecked, 'checked'), at(unchecked, 'purchases')], ['nothing', 0]);
    const nowhere = join(data, 'nowhere', 'b.db');
    assertSentence(await simgate(data, ['backup', nowhere]), /^The directory /);
    assertSentence(
      await simgate(folder(), ['backup', join(data, 'third.db')]),
      /^There is no database at /,
    );
    const wrong = new DatabaseSync(join(data, 'simgate.db'));
    wrong.exec('update accounts set available = available + 1');
    wrong.close();
    const { status, err } = await simgate(data, ['backup', join(data, 'wrong.db')]);
    assert.equal(status, 1);
    assert.match(err, /^Problems found .*\nclient .*: the account's available is/);
    assert.deepEqual(
      readdirSync(data).filter((name) => /third|wrong|partial/.test(name)),
      [],
      'a bad copy leaves no file',
    );
  });
});

describe('A restore', { timeout: 480_000 }, () => {
  it('is refused beside a server, over a database, and for other files; forced, the old one is kept', async () => {
    const { data } = await newData();
    const file = join(data, 'backup.db');
    await done(data, 'backup', file);
    const served = await serveKept(data, withoutDemo);
    assertSentence(
      await simgate(data, ['restore', file, '--force']),
      /^Another Simgate server uses /,
    );
    assert.equal(await served.stop(), 0);
    assertSentence(await simgate(data, ['restore', file]), /^The database .* already exists\./);
    assertSentence(
      await simgate(data, ['restore', join(data, 'no.db')]),
      /^The file .* does not exist\./,
    );
    assertSentence(
      await simgate(data, ['restore', join(data, 'simgate.db'), '--force']),
      /is the database itself\.$/m,
    );
    const other = folder();
    assertSentence(
      await simgate(other, ['restore', join(data, 'products.json')]),
      /is not a database, or not a whole one\.$/m,
    );
    const foreign = new DatabaseSync(join(other, 'foreign.db'));
    foreign.exec('create table birds (name)');
    foreign.close();
    assertSentence(
      await simgate(other, ['restore', join(other, 'foreign.db')]),
      /is not a Simgate database\.$/m,
    );
    assert.equal(existsSync(join(other, 'simgate.db')), false);

    const created = await json(data, 'client', 'create', '--name', 'Later', '--balance', '5');
    const restored = await json(data, 'restore', file, '--force');
    assert.equal(listOf(await json(data, 'client', 'list')).length, 1, 'the later one is gone');
    const aside = String(at(restored, 'kept'));
    assert.match(aside, /simgate\.db\.before-\d{8}T\d{6}\.\d{3}Z$/);
    const old = folder();
    await done(old, 'restore', aside);
    const clients = listOf(await json(old, 'client', 'list'));
    assert.ok(
      clients.some((one) => at(one, 'id') === at(created, 'id')),
      'it was kept',
    );
    assert.deepEqual(
      readdirSync(data).filter((name) => name.includes('partial')),
      [],
    );
  });

  it('replaces a broken database, which is kept', async () => {
    const { data } = await newData();
    const file = join(data, 'backup.db');
    await done(data, 'backup', file);
    rmSync(join(data, 'simgate.db-wal'), { force: true });
    writeFileSync(join(data, 'simgate.db'), 'broken '.repeat(3000));
    const restored = await json(data, 'restore', file, '--force');
    assert.equal(at(await json(data, 'verify'), 'ok'), true);
    assert.equal(readFileSync(String(at(restored, 'kept')), 'utf8'), 'broken '.repeat(3000));
  });

  it('sells nothing until the operators have reported what it lacks, and then a person decides', async () => {
    const { data, client } = await newData();
    const operators = await simulatorProcess(folder());
    const env = { ...withoutDemo, OPERATOR_URL: operators.url };
    const file = join(data, 'backup.db');
    const first = await serveProcess(data, env);
    assert.equal((await buy(first, client, 'kept')).status, 200);
    await done(data, 'backup', file);
    const later = await buy(first, client, 'forgotten');
    assert.equal(later.status, 200);
    const ref = later.headers.get('purchase-id');
    assert.equal(await first.stop('SIGKILL'), -1);
    await done(data, 'restore', file, '--force');

    const accept = ['restore', 'accept', '--reason', 'the client knows', '--by', 'Ana'];
    assertSentence(await simgate(data, accept), /have not told yet .* may be sold twice\.$/m);
    const second = await serveProcess(data, env);
    const refusals = async (served: Served): Promise<void> => {
      for (const key of ['forgotten', 'quite-new']) {
        const { status, text } = await buy(served, client, key);
        assert.deepEqual([status, codeOf(text)], [503, 'DATABASE_UNAVAILABLE']);
      }
    };
    await refusals(second);
    // A crash during it changes nothing.
    await second.stop('SIGKILL');
    const third = await serveProcess(data, env);
    const status = (): Promise<unknown> => json(data, 'restore', 'status');
    await eventually('all operators have answered', async () =>
      listOf(at(await status(), 'operators')).every((one) => at(one, 'state') === 'told'),
    );
    await refusals(third);
    assert.equal(await sells(third), false);
    const told = await status();
    assert.deepEqual([at(told, 'selling'), at(told, 'forgotten_count')], [false, 1]);
    assert.deepEqual(
      listOf(at(told, 'forgotten')).map((one) => [at(one, 'operator_id'), at(one, 'ref')]),
      [[1, ref]],
    );
    assert.match(third.printed(), /the operator knows of a purchase that the restored database/);
    assert.match(
      await done(data, 'restore', 'status'),
      /^Restored at \S+\. New purchases are refused until you run "simgate restore accept --forgotten 1"\.\n/,
    );
    assertSentence(await simgate(data, accept), /^It is known of 1 forgotten .* --forgotten 1\. /);
    await refusals(third);
    await done(data, ...accept, '--forgotten', '1');
    await eventually('it sells', () => sells(third));
    assert.equal((await buy(third, client, 'quite-new')).status, 200);
    assert.equal((await buy(third, client, 'kept')).headers.get('idempotent-replayed'), 'true');
    assertSentence(await simgate(data, accept), /sells already\. Nothing was changed\.$/m);
    assert.equal(await third.stop(), 0);
    assert.equal(at(await json(data, 'verify'), 'ok'), true);
  });

  it('says that a database was never restored', async () => {
    const { data } = await newData();
    assert.match(await done(data, 'restore', 'status'), /^This database was never restored\.\n$/);
    const accept = await simgate(data, ['restore', 'accept', '--reason', 'why']);
    assertSentence(accept, /^This database was never closed for a restore\.$/m);
    const { status, err } = await simgate(data, ['restore', 'accept']);
    assert.equal(status, 2);
    assert.match(err, /^Missing: --reason TEXT\./);
  });
});
