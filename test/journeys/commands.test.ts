/** Tests the commands for clients, tokens and money: their output as text and JSON, and how they fail. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { printCatalogue } from '../../src/catalogue/file/file.ts';
import { sampleProduct } from '../contract/sample-product.ts';
import { at, listOf } from '../support/answers.ts';
import { assertSentence, done, temporaryFolders, twoAtATime } from '../support/command.ts';
import { onSqlite } from '../support/database.ts';
import { parsed } from '../support/live.ts';
import { simgate } from '../support/process.ts';
import { runSql } from '../support/sql.ts';

const folder = temporaryFolders();

describe('A command that succeeds', { timeout: 480_000 }, () => {
  it('says in words what it did, and in JSON with --json', async () => {
    const data = folder();
    const made = await done(data, 'client', 'create', '--name', 'Corner shop', '--balance', '70');
    const [, client = '', token = ''] =
      /^Created the client (\S+) with a balance of 70\. .*\n\n {2}(simgate_\w+)\n/.exec(made) ?? [];
    assert.notEqual(token, '', made);
    const [listed, deposited, issued] = await Promise.all([
      done(data, 'client', 'list'),
      done(data, 'client', 'deposit', client, '30'),
      done(data, 'token', 'create', client, '--name', 'till'),
    ]);
    assert.match(listed, new RegExp(`^ID .*\n${client}  Corner shop  active +\\d+ +0 +0 +0\n$`));
    assert.equal(deposited, `Deposited. Available balance of client ${client}: 100.\n`);
    const [, tokenId = ''] =
      /^Created the token (\S+)\. It is shown only now:\n\n {2}simgate_\w+\n/.exec(issued) ?? [];
    const [tokens, suspended] = await Promise.all([
      done(data, 'token', 'list', client),
      done(data, 'client', 'suspend', client),
    ]);
    assert.match(
      tokens,
      new RegExp(`^ID .*\n.*\n${tokenId}  ${client}  till +\\w{4} +valid +never`),
    );
    assert.equal(suspended, `Client ${client} is suspended.\n`);
    const [resumed, revoked] = await Promise.all([
      done(data, 'client', 'resume', client),
      done(data, 'token', 'revoke', tokenId),
    ]);
    assert.equal(resumed, `Client ${client} is active.\n`);
    assert.equal(revoked, `Token ${tokenId} is revoked.\n`);
    const [words, json] = await Promise.all([done(data, 'verify'), done(data, 'verify', '--json')]);
    assert.match(words, /^Verified: 1 accounts, 2 postings\b.*\. No problems found\.\n$/);
    const report = parsed(json);
    assert.equal(at(report, 'ok'), true);
    assert.deepEqual([at(report, 'accounts'), at(report, 'postings')], [1, 2]);
    assert.deepEqual(at(report, 'problems'), []);
  });

  it('shows the rules of a client, and changes the named ones', async () => {
    const data = folder();
    const made = parsed(await done(data, 'client', 'create', '--name', 'A', '--json'));
    const rules = ['client', 'rules', String(at(made, 'id'))];
    const set = ['--products', '12, 3,12', '--operators', '2', '--repeat-guard', '60'];
    const id = at(made, 'id');
    const all = { products: null, operators: null, repeat_guard: null, daily_limit: null };
    const none = { id, ...all, currency: null, pending_status: 202 };
    assert.deepEqual(parsed(await done(data, ...rules, '--json')), none);
    await done(data, ...rules, ...set);
    const words = await done(data, ...rules, '--daily-limit', '5000', '--pending-status', '409');
    assert.match(words, /^products +3,12\noperators +2\nrepeat-guard +60 s\ndaily-limit +5000\n/m);
    const off = ['--products', 'all', '--operators', 'all', '--repeat-guard', 'off'];
    const still = parsed(await done(data, ...rules, ...off, '--json'));
    assert.deepEqual(still, { ...none, daily_limit: 5000, pending_status: 409 });
    for (const [option, value] of [
      ['--operators', '6'],
      ['--products', '1,a'],
      ['--repeat-guard', '0'],
      ['--daily-limit', '1.5'],
      ['--pending-status', '200'],
    ] as const) {
      const { status, err } = await simgate(data, [...rules, option, value]);
      assert.equal(status, 2);
      assert.match(err, new RegExp(`^${option} must be .*, not "${value}"\\.`));
    }
  });

  it('corrects a balance in either direction, with a reason that ledger and audit log keep', async () => {
    const data = folder();
    const made = parsed(
      await done(data, 'client', 'create', '--name', 'A', '--balance', '70', '--json'),
    );
    const id = String(at(made, 'id'));
    const why = ['--reason', 'deposited twice', '--by', 'the office'];
    const taken = await done(data, 'client', 'correct', id, '-30', ...why);
    assert.equal(taken, `Corrected. Available balance of client ${id}: 40.\n`);
    const added = await done(data, 'client', 'correct', id, '5', '--json', ...why);
    assert.deepEqual(parsed(added), { id, corrected: 5, available: 45, held: 0, currency: null });
    const refused = await simgate(data, ['client', 'correct', id, '-46', ...why]);
    assertSentence(refused, /^The client’s own money is less .* Nothing was corrected\.$/m);
    const { rows: audit } = await runSql(
      data,
      `select actor, subject from admin_audit where action = 'client correct'`,
    );
    assert.equal(audit.length, 2);
    assert.match(String(at(audit[0], 'actor')), /^the office \(as .*\), by command$/);
    assert.equal(at(audit[0], 'subject'), id);
    assert.match(await done(data, 'verify'), /^Verified: 1 accounts, 3 postings\b/);
  });

  it('sets how far a client may go beyond its own money, with a reason in the audit log', async () => {
    const data = folder();
    const made = parsed(
      await done(data, 'client', 'create', '--name', 'A', '--balance', '70', '--json'),
    );
    const id = String(at(made, 'id'));
    const why = ['--reason', 'a contract', '--by', 'the office'];
    const set = await done(data, 'client', 'set-credit', id, '500', ...why);
    assert.equal(set, `Credit limit of client ${id}: 500, of which 0 is used. It can spend 570.\n`);
    const ended = parsed(await done(data, 'client', 'set-credit', id, '0', '--json', ...why));
    const none = { credit_limit: 0, credit_used: 0 };
    assert.deepEqual(ended, { id, ...none, available: 70, currency: null });
    const unreasoned = await simgate(data, ['client', 'set-credit', id, '5']);
    assert.equal(unreasoned.status, 2);
    const [listed] = listOf(parsed(await done(data, 'client', 'list', '--json')));
    assert.deepEqual([at(listed, 'available'), at(listed, 'credit_limit')], [70, 0]);
    const { rows: audit } = await runSql(
      data,
      `select actor from admin_audit where action = 'client credit'`,
    );
    assert.equal(audit.length, 2);
    assert.match(await done(data, 'verify'), /^Verified: 1 accounts, 1 postings\b/);
  });

  it('sets the currency and the time zone, which others then name with every amount', async () => {
    const data = folder();
    const made = parsed(await done(data, 'client', 'create', '--name', 'A', '--json'));
    const id = String(at(made, 'id'));
    assert.equal(at(made, 'currency'), null);
    assert.match(await done(data, 'settings', 'show'), /^currency +off\ntime-zone +UTC\n/m);
    const set = ['--currency', 'IRT', '--time-zone', 'Asia/Tehran', '--by', 'the office'];
    const shown = await done(data, 'settings', 'change', ...set);
    assert.match(shown, /^name-en +toman\nname-fa +تومان\nsymbol-en +IRT\n/m);
    assert.match(shown, /An amount: 1500000 IRT\n$/);
    const said = await done(data, 'client', 'deposit', id, '70');
    assert.equal(said, `Deposited. Available balance of client ${id}: 70 IRT.\n`);
    assert.match(
      await done(data, 'client', 'list'),
      /AVAILABLE \(IRT\) +HELD \(IRT\) +CREDIT LIMIT \(IRT\) +CREDIT USED \(IRT\)\n/,
    );
    assert.match(await done(data, 'purchase', 'list'), /AMOUNT \(IRT\)/);
    assert.match(
      await done(data, 'sales', 'report'),
      /\nSOLD +REVERSED +FAILED +AMOUNT \(IRT\) +COST \(IRT\) +MARGIN \(IRT\)\n/,
    );
    assert.match(
      await done(data, 'sales', 'report', '--csv'),
      /^sold,.*,amount,cost,margin,uncosted,currency\n$/,
    );
    const limited = await done(data, 'client', 'rules', id, '--daily-limit', '5000');
    assert.match(limited, /^daily-limit +5000 IRT$/m);
    const symbol = ['--symbol-en', 'T ', '--position-en', 'before'];
    assert.match(await done(data, 'settings', 'change', ...symbol), /An amount: T 1500000\n$/);
    const { rows: audit } = await runSql(
      data,
      `select actor, after_it from admin_audit where action = 'settings change' order by id`,
    );
    assert.equal(audit.length, 2);
    assert.match(String(at(audit[0], 'actor')), /^the office /);
    assert.match(String(at(audit[0], 'after_it')), /"code":"IRT".*"time_zone":"Asia\/Tehran"/);
    for (const [option, value] of [
      ['--currency', 'rial'],
      ['--time-zone', '+03:30'],
      ['--position-fa', 'inside'],
    ] as const) {
      const { status, err } = await simgate(data, ['settings', 'change', option, value]);
      assert.equal(status, 2);
      assert.match(err, new RegExp(`^${option} must be `));
    }
    await done(data, 'settings', 'change', '--currency', 'off');
    assert.equal(at(parsed(await done(data, 'settings', 'show', '--json')), 'currency'), null);
  });

  it('that changes something leaves an audit entry, and one that changes nothing leaves none', async () => {
    const data = folder();
    const lines = async (): Promise<readonly unknown[]> =>
      (await runSql(data, 'select * from admin_audit order by id')).rows;
    /** Runs a command, and returns its audit entries. */
    const left = async (...args: readonly string[]): Promise<readonly unknown[]> => {
      const before = (await lines()).length;
      await done(data, ...args, '--by', 'the office');
      return (await lines()).slice(before);
    };
    const made = parsed(
      await done(data, 'client', 'create', '--name', 'A', '--balance', '70', '--json'),
    );
    const id = String(at(made, 'id'));
    const issued = parsed(await done(data, 'token', 'create', id, '--json'));
    const token = String(at(issued, 'id'));
    const [created, given, ...more] = await lines();
    assert.deepEqual(
      [created, given].map((line) => [at(line, 'action'), at(line, 'subject')]),
      [
        ['client create', id],
        ['client token create', id],
      ],
    );
    assert.deepEqual(more, []);
    assert.equal(at(parsed(String(at(created, 'after_it'))), 'available'), 70);
    assert.equal(at(parsed(String(at(given, 'after_it'))), 'token', 'id'), token);
    writeFileSync(
      join(data, 'two.json'),
      [...printCatalogue([sampleProduct({ id: 1 }), sampleProduct({ id: 2 })], 'json')].join(''),
    );
    for (const [action, subject, args] of [
      ['client deposit', id, ['client', 'deposit', id, '30', '--note', 'by bank']],
      ['client change', id, ['client', 'suspend', id]],
      [undefined, id, ['client', 'suspend', id]],
      ['client change', id, ['client', 'resume', id]],
      ['client rules', id, ['client', 'rules', id, '--daily-limit', '500']],
      [undefined, id, ['client', 'rules', id, '--daily-limit', '500']],
      [undefined, id, ['client', 'rules', id]],
      ['client token revoke', id, ['token', 'revoke', token]],
      [undefined, id, ['token', 'revoke', token]],
      ['catalogue import', 'catalogue', ['catalogue', 'import', 'two.json']],
      [undefined, 'catalogue', ['catalogue', 'import', 'two.json']],
      ['catalogue remove', 'catalogue', ['catalogue', 'remove', '2']],
    ] as const) {
      const written = await left(...args);
      assert.deepEqual(
        written.map((line) => [at(line, 'action'), at(line, 'subject'), at(line, 'account_id')]),
        action === undefined ? [] : [[action, subject, null]],
        args.join(' '),
      );
      for (const line of written) {
        assert.match(String(at(line, 'actor')), /^the office \(as .*\), by command$/);
      }
    }
    const noted = new Map((await lines()).map((line) => [at(line, 'action'), line]));
    const after = (action: string): unknown => parsed(String(at(noted.get(action), 'after_it')));
    assert.deepEqual(
      [at(after('client deposit'), 'amount'), at(after('client deposit'), 'note')],
      [30, 'by bank'],
    );
    assert.deepEqual([at(after('catalogue import'), 'created')], [2]);
    assert.deepEqual(at(after('catalogue remove'), 'ids'), [2]);
    assert.doesNotMatch(JSON.stringify(await lines()), /simgate_\w{36}/);
  });

  it('names its version', async () => {
    const manifest = parsed(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    for (const option of ['--version', '-v']) {
      assert.equal(await done(folder(), option), `${String(at(manifest, 'version'))}\n`);
    }
  });
});

describe('A command that fails', twoAtATime, () => {
  it('says that there is no such client or token, and ends with 1', async () => {
    const data = folder();
    await done(data, 'migrate');
    for (const args of [
      ['client', 'deposit', 'unknown', '5'],
      ['client', 'correct', 'unknown', '5', '--reason', 'a test'],
      ['client', 'suspend', 'unknown'],
      ['client', 'rules', 'unknown'],
      ['token', 'create', 'unknown'],
    ]) {
      assertSentence(await simgate(data, args), /^There is no client unknown\.$/m);
    }
    assertSentence(await simgate(data, ['token', 'revoke', 'none']), /^There is no token none\.$/m);
  });

  it('refuses a deposit beyond exact integers, and deposits nothing', async () => {
    const data = folder();
    const made = parsed(
      await done(data, 'client', 'create', '--name', 'A', '--balance', '1', '--json'),
    );
    const all = String(Number.MAX_SAFE_INTEGER);
    const refused = await simgate(data, ['client', 'deposit', String(at(made, 'id')), all]);
    assertSentence(refused, /Nothing was deposited/);
    assert.equal(at(parsed(await done(data, 'client', 'list', '--json')), 0, 'available'), 1);
  });

  it('names the invalid network', async () => {
    const data = folder();
    const made = parsed(await done(data, 'client', 'create', '--name', 'A', '--json'));
    const args = ['token', 'create', String(at(made, 'id')), '--network', '10.0.0.0/99'];
    assertSentence(
      await simgate(data, args),
      /^"10\.0\.0\.0\/99" is not an IP address or a network/,
    );
  });

  onSqlite(() => {
    it('says that a folder, or a file in it, is not usable for a database', async () => {
      const data = folder();
      const file = join(data, 'simgate.db');
      writeFileSync(file, 'This is a text, and by no means a database of whichever kind.');
      assertSentence(await simgate(data, ['client', 'list']), /cannot be opened as a database/);
      assertSentence(await simgate(data, ['verify']), /cannot be opened as a database/);
      assertSentence(await simgate(data, ['serve']), /cannot be opened as a database/);
      const env = { DATA_DIR: file };
      assertSentence(await simgate(data, ['client', 'list'], env), /^The folder .* cannot be used/);
    });
  });
});

describe('verify', twoAtATime, () => {
  it('ends with 1 and names the client whose balance is not what its postings give', async () => {
    const data = folder();
    const made = parsed(
      await done(data, 'client', 'create', '--name', 'A', '--balance', '70', '--json'),
    );
    const client = String(at(made, 'id'));
    await runSql(data, 'update accounts set available = available + 1');
    const [words, json] = await Promise.all([
      simgate(data, ['verify']),
      simgate(data, ['verify', '--json']),
    ]);
    assert.equal(words.status, 1);
    assert.match(
      words.out,
      new RegExp(`^Problems found .*\nclient ${client}: .* is 71, .* give 70\n$`),
    );
    assert.deepEqual({ status: json.status, err: json.err }, { status: 1, err: '' });
    assert.equal(at(parsed(json.out), 'ok'), false);
    assert.equal(at(parsed(json.out), 'problems', 0, 'client'), client);
    await runSql(data, 'update accounts set available = available - 1');
    assert.equal(at(parsed(await done(data, 'verify', '--json')), 'ok'), true);
  });

  onSqlite(() => {
    it('creates no database if there is none', async () => {
      const data = join(folder(), 'none');
      const result = await simgate(folder(), ['verify'], { DATA_DIR: data });
      assertSentence(result, /^There is no database at /);
      assert.equal(existsSync(data), false);
    });
  });
});
