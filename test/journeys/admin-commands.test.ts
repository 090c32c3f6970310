/** Tests the commands for accounts of the back office, and that no password is passed on a command line. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { at, listOf } from '../support/answers.ts';
import { assertSentence, done, temporaryFolders, twoAtATime } from '../support/command.ts';
import { inherited } from '../support/environment.ts';
import { parsed } from '../support/live.ts';
import { placeOf, simgate } from '../support/process.ts';
import { runSql } from '../support/sql.ts';

const folder = temporaryFolders();
const command = fileURLToPath(new URL('../../bin/simgate.js', import.meta.url));

describe('The commands about accounts of the back office', twoAtATime, () => {
  it('create one with a link that is shown once, list it, disable it, and enable it again', async () => {
    const data = folder();
    const made = await done(data, 'admin', 'create', 'Clerk');
    assert.match(
      made,
      /^Created the account clerk with the role owner\.\nShare this link with clerk .* until \d{4}-\S+Z:\n\n {2}http:\/\/127\.0\.0\.1:3000\/console\/setup#[\w-]{43}\n\n$/,
    );
    assertSentence(await simgate(data, ['admin', 'create', 'clerk']), /^An account with this name/);
    assertSentence(await simgate(data, ['admin', 'create', 'a b']), /^The name must have 2 to 64/);
    assert.match(
      await done(data, 'admin', 'list'),
      /^NAME .*\nclerk +owner +active +none +off +never\n$/,
    );
    assert.equal(await done(data, 'admin', 'disable', 'CLERK'), 'Account clerk is disabled.\n');
    assertSentence(await simgate(data, ['admin', 'password', 'clerk']), /^The account is disabled/);
    assert.equal(
      await done(data, 'admin', 'disable', 'clerk', '--undo'),
      'Account clerk is active.\n',
    );
    assertSentence(
      await simgate(data, ['admin', 'disable', 'cashier']),
      /^There is no such account/,
    );
    const { status, err } = await simgate(data, ['admin', 'create', 'cashier', '--role', 'king']);
    assert.equal(status, 2);
    assert.match(err, /^--role must be one of: viewer, support, manager, owner; not "king"\./);
  });

  it('say the same in JSON, and never a password or its hash', async () => {
    const data = folder();
    const env = { PUBLIC_URL: 'https://gate.example/x' };
    const words = ['admin', 'create', 'cashier', '--role', 'viewer', '--json'];
    const made = parsed((await simgate(data, words, env)).out);
    assert.equal(at(made, 'role'), 'viewer');
    const token = String(at(made, 'setup_token'));
    assert.equal(at(made, 'setup_link'), `https://gate.example/x/console/setup#${token}`);
    const again = parsed(await done(data, 'admin', 'password', 'cashier', '--json'));
    assert.notEqual(at(again, 'setup_token'), token);
    const [listed] = listOf(parsed(await done(data, 'admin', 'list', '--json')));
    assert.deepEqual(listed, {
      id: at(made, 'id'),
      name: 'cashier',
      role: 'viewer',
      status: 'active',
      password: false,
      totp: false,
      passkeys: 0,
      created_at: at(listed, 'created_at'),
      signed_in_at: null,
    });
  });

  it('take a password from standard input, if it is a good one', async () => {
    const data = folder();
    const env = { ...inherited, ...(await placeOf(data)) };
    const args = [command, 'admin', 'create', 'clerk', '--password-stdin'];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: data,
      env,
      input: 'correct horse battery\n',
      encoding: 'utf8',
    });
    assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
    assert.equal(stdout, 'Created the account clerk with the role owner.\n');
    assert.match(await done(data, 'admin', 'list'), /^clerk +owner +active +set /m);
    const nothing = await simgate(data, ['admin', 'password', 'clerk', '--password-stdin']);
    assertSentence(nothing, /^The password must have 12 to 256 characters/);
  });

  it('find no session and no link in a database that was restored from a backup', async () => {
    const [data, other] = [folder(), folder()];
    const made = parsed(await done(data, 'admin', 'create', 'clerk', '--json'));
    const text = `insert into admin_sessions (hash, account_id, stage, created_at, seen_at, address, agent)
        values (?, ?, 'full', 0, 0, '', '')`;
    await runSql(data, text, 'hash', String(at(made, 'id')));
    const code = `insert into admin_recovery_codes (account_id, hash, created_at) values (?, 'hash', 0)`;
    await runSql(data, code, String(at(made, 'id')));
    const file = join(data, 'copy.db');
    await done(data, 'backup', file);
    await done(other, 'restore', file);
    const links = 'select setup_hash, setup_until from admin_accounts';
    const { rows } = await runSql(other, links);
    assert.deepEqual(
      rows.map((row) => ({ ...row })),
      [{ setup_hash: null, setup_until: null }],
    );
    assert.deepEqual((await runSql(other, 'select hash from admin_sessions')).rows, []);
    assert.deepEqual((await runSql(other, 'select hash from admin_recovery_codes')).rows, []);
    const before = await runSql(data, 'select hash from admin_sessions');
    assert.equal(before.rows.length, 1, 'the copied database is unchanged');
  });
});
