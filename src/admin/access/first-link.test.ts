/** Tests that a first start's link creates one owner, lives until the next start, and stops once a password is set. */
import assert from 'node:assert/strict';
import { after, beforeEach, describe, test } from 'node:test';
import { openTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { quickPasswords } from '../../../test/support/passwords.ts';
import { createLockRetry } from '../../db/lock-retry.ts';
import { systemClock } from '../../lib/clock.ts';
import { systemRandom, uuidV7 } from '../../lib/random.ts';
import { AdminError } from '../errors.ts';
import { createAccount, createSetup, firstLink, updateAccount } from './accounts.ts';
import { type SignInDeps, setUp } from './sign-in.ts';
import { listAccounts, listAudit } from './store.ts';

let database: TestDatabase | undefined;
let deps: SignInDeps;
after(() => database?.close());

const command = { accountId: null, name: 'root', address: null };
const password = 'correct horse battery';
const use = (token: string) =>
  setUp(deps, { address: '127.0.0.1', agent: '', token: undefined }, { token, password });
const invalid = (error: unknown): boolean =>
  error instanceof AdminError && error.code === 'SETUP_INVALID';

describe('the link of a first start', () => {
  beforeEach(async () => {
    await database?.close();
    database = await openTestDatabase();
    deps = {
      db: database.db,
      clock: systemClock,
      newId: uuidV7(systemClock, systemRandom),
      random: systemRandom,
      passwords: quickPasswords,
      retryLocked: createLockRetry(systemClock),
      limits: { idleMs: 1_800_000, absoluteMs: 43_200_000 },
    };
  });

  test('concurrent starts create one owner, and the last link works', async () => {
    const links = await Promise.all([firstLink(deps), firstLink(deps), firstLink(deps)]);
    const accounts = await listAccounts(deps.db);
    assert.deepEqual(
      accounts.map(({ name, role, password }) => [name, role, password]),
      [['owner', 'owner', null]],
    );
    const good = links.filter((link) => link?.account.setup_hash === accounts[0]?.setup_hash);
    assert.equal(good.length, 1);
    const audit = await listAudit(deps.db, { limit: 10 });
    assert.deepEqual(new Set(audit.map(({ actor }) => actor)), new Set(['first start']));
    assert.deepEqual(audit.map(({ action }) => action).sort(), [
      'account create',
      'account setup',
      'account setup',
    ]);
  });

  test('the next start creates another link, and the previous one stops working', async () => {
    const first = await firstLink(deps);
    const second = await firstLink(deps);
    assert.ok(first !== undefined && second !== undefined);
    await assert.rejects(use(first.setup.token), invalid);
    assert.equal((await use(second.setup.token)).account.name, 'owner');
  });

  test('there is no link once a password has been set, even if the account changed since', async () => {
    const link = await firstLink(deps);
    const { account } = await use(link?.setup.token ?? '');
    assert.equal(await firstLink(deps), undefined);
    await createSetup(deps, command, account.id);
    assert.equal(await firstLink(deps), undefined, 'there is a link of a command');
    await deps.db.updateTable('admin_accounts').set({ signed_in_at: null }).execute();
    assert.equal(await firstLink(deps), undefined, 'the audit log shows it');
  });

  test('an account that a command created keeps its own link', async () => {
    const { setup } = await createAccount(deps, command, { name: 'owner', role: 'owner' });
    assert.equal(await firstLink(deps), undefined);
    assert.equal((await use(setup?.token ?? '')).stage, 'full');
  });

  test('an account that a command disabled gets no link', async () => {
    const link = await firstLink(deps);
    await updateAccount(deps, command, link?.account.id ?? '', { status: 'disabled' });
    assert.equal(await firstLink(deps), undefined);
  });

  test('an account whose password a command set can sign in, so there is no link any more', async () => {
    assert.notEqual(await firstLink(deps), undefined);
    await createAccount(deps, command, { name: 'clerk', role: 'viewer', password });
    assert.equal(await firstLink(deps), undefined);
  });
});
