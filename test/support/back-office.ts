/** Sets up a back office for tests: a real database, a manual clock, cheap passwords. */
import assert from 'node:assert/strict';
import { createAccount } from '../../src/admin/access/accounts.ts';
import { beginTotp, confirmTotp } from '../../src/admin/access/own/account.ts';
import type { Role } from '../../src/admin/access/roles.ts';
import { type SignInResult, signIn, type Visit, visitOf } from '../../src/admin/access/sign-in.ts';
import { type AccountRow, type AuditRow, listAudit } from '../../src/admin/access/store.ts';
import { codeOf, fromBase32, stepAt } from '../../src/admin/access/two-factor/totp.ts';
import { AdminError } from '../../src/admin/errors.ts';
import { readConfig } from '../../src/config/config.ts';
import { createLockRetry } from '../../src/db/lock-retry.ts';
import { createSecrets } from '../../src/db/secrets/keys.ts';
import { makeKey } from '../../src/db/secrets/seal.ts';
import { systemRandom, uuidV7 } from '../../src/lib/random.ts';
import { openTestDatabase } from './database.ts';
import { manualClock } from './manual-clock.ts';
import { quickPasswords } from './passwords.ts';

export const command = { accountId: null, name: 'root', address: null };
export const visitor = { address: '192.0.2.1', agent: 'a browser', token: undefined };
export const password = 'correct horse battery';

/** Fails unless some work is refused with that code. */
export const refuses = (work: Promise<unknown>, code: string): Promise<void> =>
  assert.rejects(work, (error) => error instanceof AdminError && error.code === code);

export const openOffice = async () => {
  const database = await openTestDatabase();
  const clock = manualClock(1_800_000_000_000);
  const deps = {
    db: database.db,
    clock,
    random: systemRandom,
    newId: uuidV7(clock, systemRandom),
    passwords: quickPasswords,
    retryLocked: createLockRetry(clock),
    limits: { idleMs: 1_800_000, absoluteMs: 43_200_000 },
    secrets: createSecrets(
      { ...readConfig({}), databaseUrl: '', secretsKey: makeKey(systemRandom) },
      systemRandom,
    ),
  };
  const make = async (name: string, role: Role = 'owner'): Promise<AccountRow> =>
    (await createAccount(deps, command, { name, role, password })).account;
  const enter = (name: string, address = visitor.address): Promise<SignInResult> =>
    signIn(deps, { ...visitor, address }, { name, password });
  const guess = (name: string, address = visitor.address): Promise<SignInResult> =>
    signIn(deps, { ...visitor, address }, { name, password: 'a guess' });
  const inside = async ({ token }: Pick<SignInResult, 'token'>): Promise<Visit> =>
    (await visitOf(deps, { ...visitor, token })) ?? assert.fail('the session is over');
  const isOut = async ({ token }: Pick<SignInResult, 'token'>): Promise<boolean> =>
    (await visitOf(deps, { ...visitor, token })) === undefined;
  /** Turns two-factor authentication on; returns a function for the app's next code. */
  const withFactor = async (name: string): Promise<() => Promise<string>> => {
    const entered = await enter(name);
    const { secret } = await beginTotp(deps, await inside(entered), password);
    const code = (): string => codeOf(fromBase32(secret), stepAt(clock.now()));
    await confirmTotp(deps, await inside(entered), code());
    return async () => {
      await clock.advance(30_000);
      return code();
    };
  };
  const audit = (filter: Partial<Pick<AuditRow, 'action' | 'subject'>> = {}) =>
    listAudit(deps.db, { ...filter, limit: 10_000 });
  return {
    deps,
    clock,
    make,
    enter,
    guess,
    inside,
    isOut,
    withFactor,
    audit,
    close: database.close,
  };
};

export type Office = Awaited<ReturnType<typeof openOffice>>;
