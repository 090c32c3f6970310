/** Tests that a person can decide a purchase beside a running server, which then answers accordingly. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { printCatalogue } from '../../src/catalogue/file/file.ts';
import { sampleProduct } from '../contract/sample-product.ts';
import { at, listOf } from '../support/answers.ts';
import { assertSentence, done, temporaryFolders, twoAtATime } from '../support/command.ts';
import { serveKept } from '../support/kept-server.ts';
import { parsed } from '../support/live.ts';
import { type Finished, type Served, simgate, simulatorProcess } from '../support/process.ts';
import { runSql } from '../support/sql.ts';

const folder = temporaryFolders();
const price = 10_000;

/** A number whose order stays pending forever. */
const pending = '989121234598';

/** A gateway with one product and one client, and the tests' actions on it. */
const createShop = () => {
  const data = folder();
  const state: {
    served?: Served;
    client: { id: string; token: string };
    env: Readonly<Record<string, string>>;
  } = { client: { id: '', token: '' }, env: {} };
  const json = async (...args: readonly string[]): Promise<unknown> =>
    parsed(await done(data, ...args, '--json'));

  const open = async (env: Readonly<Record<string, string>>): Promise<void> => {
    const file = join(data, 'products.json');
    const product = sampleProduct({ id: 1, price, sim_card_type: 'credit' });
    writeFileSync(
      file,
      [
        ...printCatalogue([product, { ...product, id: 2, sim_card_type: 'permanent' }], 'json'),
      ].join(''),
    );
    await done(data, 'catalogue', 'import', file);
    const made = await json('client', 'create', '--name', 'Reseller', '--balance', '1000000');
    state.client = { id: String(at(made, 'id')), token: String(at(made, 'token')) };
    const config = join(data, 'config.json');
    writeFileSync(config, JSON.stringify({ purchases: { pendingAfterMs: 300 } }));
    state.env = { SIMGATE_DEMO: 'off', SIMGATE_CONFIG: config, ...env };
    state.served = await serveKept(data, state.env);
  };

  const close = async (): Promise<void> => {
    const report = await json('verify');
    assert.equal(at(report, 'ok'), true, 'the ledger is correct after all of it');
    assert.equal(await state.served?.stop(), 0);
  };

  const buy = async (key: string, mobile = pending) => {
    const response = await fetch(`${state.served?.url}/api/top-up/package/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${state.client.token}`, 'idempotency-key': key },
      body: new URLSearchParams({
        product_id: Number(mobile) % 2 === 0 ? '1' : '2',
        mobile,
        price: String(price),
        webservice_code: 'code',
      }),
    });
    const text = await response.text();
    const id = response.headers.get('purchase-id') ?? assert.fail(text);
    const replayed = response.headers.get('idempotent-replayed');
    return { status: response.status, text, id, replayed };
  };

  /** Changes the database as days of waiting would; returns how many rows it changed. */
  const sql = async (text: string, ...values: readonly string[]): Promise<number> =>
    (await runSql(data, text, ...values)).changes;

  /** A purchase that could not be settled; past its quiet time. */
  const inReview = async (key: string, mobile = pending): Promise<string> => {
    // If recovery was faster, another one is bought.
    for (let tries = 0; tries < 5; tries += 1) {
      const { status, id } = await buy(`${key}${'-again'.repeat(tries)}`, mobile);
      if (status === 200) continue;
      assert.equal(status, 202);
      const changed = await sql(
        `update purchases set state = 'review', due_at = null, fence = fence + 1, send_before = 1,
          quiet_at = 1, reason = 'text', reason_values = '{"text":"not known"}' where id = ? and due_at is not null`,
        id,
      );
      if (changed === 1) return id;
    }
    assert.fail('recovery was always quicker');
  };

  const resolve = (id: string, ...options: readonly string[]): Promise<Finished> =>
    simgate(data, ['purchase', 'resolve', id, ...options], state.env);

  return { data, state, json, open, close, buy, sql, inReview, resolve };
};

/** The version that a refusal names for a forced decision. */
const versionIn = ({ err }: Finished): string => / With --force (\S+) /.exec(err)?.[1] ?? err;

describe('purchase resolve', { ...twoAtATime, timeout: 480_000 }, () => {
  const { data, state, json, open, close, buy, sql, inReview, resolve } = createShop();
  before(() => open({}));
  after(close);

  /** A purchase that was recorded as failed, and then reported as delivered. */
  const disputed = async (key: string): Promise<string> => {
    let { status, id } = await buy(key, '989121234590');
    // If the server was slower than the time to wait, the same key gets the answer later.
    while (status === 202) ({ status, id } = await buy(key, '989121234590'));
    assert.equal(status, 422);
    const [code, values] = ['reported_delivered', JSON.stringify({ at: 7 })];
    await sql(
      `update purchases set disputed = ?, disputed_values = ?, notes = 1 where id = ?`,
      code,
      values,
      id,
    );
    await sql(
      `insert into purchase_notes (client_id, purchase_id, seq, kind, code, fact_values, at)
        values (?, ?, 1, 'contradiction', ?, ?, 7)`,
      state.client.id,
      id,
      code,
      values,
    );
    return id;
  };

  it('sells what was delivered: a repeat of the key is answered 200 from then on', async () => {
    const id = await inReview('sold');
    const decision = ['--as', 'succeeded', '--by', 'Ana', '--reason', 'the subscriber has it'];
    const out = await json('purchase', 'resolve', id, ...decision);
    assert.deepEqual(
      [at(out, 'before'), at(out, 'state'), at(out, 'forced')],
      ['review', 'succeeded', false],
    );
    assert.match(
      String(at(out, 'evidence')),
      /operator 1 is simulated inside the server and cannot be asked from here$/,
    );
    const again = await buy('sold');
    assert.deepEqual([again.status, again.id, again.replayed], [200, id, 'true']);
    assert.deepEqual(at(out, 'answer'), { status: 200, body: again.text });
    const shown = await json('purchase', 'show', id);
    const [written] = listOf(at(shown, 'decisions'));
    assert.match(String(at(written, 'by')), /^Ana \(as .+\)$/);
    assert.equal(at(written, 'reason'), 'the subscriber has it');
    const { rows: audit } = await runSql(
      data,
      `select * from admin_audit where action = 'purchase resolve' and subject = '${id}'`,
    );
    assert.equal(audit.length, 1);
    assert.match(String(at(audit[0], 'actor')), /^Ana \(as .+\), by command$/);
    const after = parsed(String(at(audit[0], 'after_it')));
    assert.deepEqual(
      [at(after, 'decided'), at(after, 'reason')],
      ['succeeded', 'the subscriber has it'],
    );
    assert.deepEqual(
      listOf(at(shown, 'postings')).map((one) => at(one, 'kind')),
      ['hold', 'capture'],
    );
    const text = await done(data, 'purchase', 'show', id);
    assert.match(text, /^Decided at \S+ by Ana \(as .+\): the subscriber has it$/m);
    assert.match(text, /Z {2}decision +marked as delivered by Ana .*\n\S+Z {2}succeeded$/m);
  });

  it('refunds what was not: a repeat of the key is answered 422 from then on', async () => {
    const id = await inReview('failed');
    const why = `it was never sent to ${pending}`;
    const { status, out } = await resolve(id, '--as', 'failed', '--reason', why);
    assert.equal(status, 0);
    const audited = `select after_it from admin_audit where subject = '${id}'`;
    const { rows } = await runSql(data, audited);
    assert.equal(rows.length, 1);
    assert.doesNotMatch(String(at(rows[0], 'after_it')), /121234598/, 'no number in the audit');
    assert.match(
      out,
      new RegExp(`^Purchase ${id} was in review and is now failed\\.\nThe held 10000 is released`),
    );
    const again = await buy('failed');
    assert.equal(again.status, 422);
    assert.equal(at(parsed(again.text), 'code'), 'NOT_DELIVERED');
    const shown = await json('purchase', 'show', id);
    assert.deepEqual(
      listOf(at(shown, 'postings')).map((one) => at(one, 'kind')),
      ['hold', 'release'],
    );
  });

  it('closes a dispute without money, against its report only by force', async () => {
    const id = await disputed('disputed');
    const undecided = listOf(await json('purchase', 'list', '--undecided'));
    assert.ok(undecided.some((one) => at(one, 'id') === id));
    const options = ['--as', 'failed', '--reason', 'the report was a mistake'];
    const refused = await resolve(id, ...options);
    assertSentence(
      refused,
      /^The evidence contradicts "failed": the operator reports it delivered .* With --force/,
    );
    assertSentence(
      await resolve(id, ...options, '--force', '0-0'),
      /has changed .* look at it again/,
    );
    const forced = await resolve(id, ...options, '--force', versionIn(refused), '--json');
    assert.equal(forced.status, 0, forced.err);
    assert.deepEqual(
      [at(parsed(forced.out), 'state'), at(parsed(forced.out), 'forced')],
      ['failed', true],
    );
    const left = listOf(await json('purchase', 'list', '--undecided'));
    assert.ok(!left.some((one) => at(one, 'id') === id));
    const shown = await json('purchase', 'show', id);
    assert.equal(at(shown, 'disputed'), null);
    assert.equal(at(listOf(at(shown, 'history')).at(-1), 'what'), 'dispute closed');
    assertSentence(await resolve(id, ...options), /is failed and does not wait for a person/);
  });

  it('lets exactly one of many concurrent decisions count', async () => {
    const id = await inReview('raced');
    const ends = await Promise.all(
      ['succeeded', 'failed', 'succeeded', 'failed'].map((verdict) =>
        resolve(id, '--as', verdict, '--reason', `says ${verdict}`),
      ),
    );
    assert.deepEqual(
      ends.map(({ status }) => status).sort((a, b) => a - b),
      [0, 1, 1, 1],
    );
    const shown = await json('purchase', 'show', id);
    assert.equal(listOf(at(shown, 'decisions')).length, 1);
    assert.equal(listOf(at(shown, 'postings')).length, 2);
  });

  it('ends with 1 for a purchase that does not need review, or does not exist', async () => {
    const { id } = await buy('plain', '989121234500');
    const options = ['--as', 'succeeded', '--reason', 'why not'];
    assertSentence(await resolve(id, ...options), /is succeeded and does not wait for a person/);
    assertSentence(await resolve('nothing', ...options), /^There is no purchase nothing\.$/m);
  });

  it('ends with 2 for wrong usage, and changes nothing', async () => {
    const id = await inReview('unchanged');
    for (const [says, ...options] of [
      ['Missing: --as', '--reason', 'x'],
      ['Missing: --reason', '--as', 'failed'],
      ['--as must be one of: succeeded, failed; not "sold"', '--as', 'sold', '--reason', 'x'],
      ['--reason must be one line', '--as', 'failed', '--reason', ' '],
      ['--reason must be one line', '--as', 'failed', '--reason', 'two\nlines'],
    ] as const) {
      const { status, out, err } = await resolve(id, ...options);
      assert.deepEqual({ status, out }, { status: 2, out: '' });
      assert.ok(err.startsWith(says), err);
    }
    assert.equal(at(await json('purchase', 'show', id), 'state'), 'review');
  });
});

describe('purchase resolve, where the operator can be asked', { timeout: 480_000 }, () => {
  const { json, open, close, buy, sql, inReview, resolve } = createShop();
  let operators: Served | undefined;
  before(async () => {
    operators = await simulatorProcess(folder());
    await open({ OPERATOR_URL: operators.url });
  });
  after(async () => {
    await close();
    await operators?.stop();
  });
  /**
   * Again if the operator has said something new in between, as the command asks: the server reads its
   * reports, too.
   */
  const decide = async (
    id: string,
    verdict: string,
    ...more: readonly string[]
  ): Promise<Finished> => {
    const decided = await resolve(id, '--as', verdict, '--reason', 'as it is', ...more);
    const isNew = /has changed since it was shown/.test(decided.err);
    return isNew ? decide(id, verdict, ...more) : decided;
  };

  it('cannot fail it against its answer that it was delivered', async () => {
    const id = await inReview('delivered', '989121234593');
    assertSentence(await decide(id, 'failed'), /^The evidence contradicts "failed": .*delivered/);
    assert.equal(at(await json('purchase', 'show', id), 'state'), 'review');
    const { status, out } = await decide(id, 'succeeded');
    assert.equal(status, 0);
    assert.match(out, /^Evidence: .*the operator was asked just now and says: delivered\.$/m);
    assert.equal(at(await json('purchase', 'show', id), 'state'), 'succeeded');
  });

  it('cannot sell it against its "no such order", except by force', async () => {
    const id = await inReview('lost', '989121234594');
    const refused = await decide(id, 'succeeded');
    assertSentence(
      refused,
      /^The evidence contradicts "succeeded": the operator was asked just now and knows no such order\./,
    );
    const { status, out } = await decide(id, 'succeeded', '--force', versionIn(refused));
    assert.equal(status, 0);
    assert.match(out, /knows no such order\. The decision is against it\.$/m);
    assert.equal((await buy('lost', '989121234594')).status, 200);
  });

  it('may sell it despite "no such order", if it was sent to another system', async () => {
    for (const [key, sentTo] of [
      ['moved', `'another'`],
      ['not-known', 'null'],
    ] as const) {
      const id = await inReview(key, '989121234594');
      await sql(`update purchases set sent_to = ${sentTo} where id = ?`, id);
      const { status, out, err } = await decide(id, 'succeeded');
      assert.equal(status, 0, err);
      assert.match(out, /^Evidence: .*the operator knows no such order, which is no proof\.$/m);
    }
  });

  it('asks no operator whose settings from the console cannot be read', async () => {
    const id = await inReview('sealed', '989121234594');
    await sql(`insert into operator_settings values (1, 'http', 'v1.a.b.c', 'x', 1, null)`);
    const { status, out, err } = await decide(id, 'succeeded');
    await sql('delete from operator_settings');
    assert.equal(status, 0, err);
    assert.match(
      out,
      /was not asked: its settings from the console cannot be read: the key .*not here/,
    );
  });

  it('lets a person decide alone if the operator is down', async () => {
    const id = await inReview('away');
    await operators?.stop('SIGKILL');
    const { status, out, err } = await decide(id, 'failed');
    assert.equal(status, 0, err);
    assert.match(out, /^Evidence: the operator was asked and gave no answer /m);
  });
});
