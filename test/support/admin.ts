/** Owns how tests enter the back office: accounts by role, and sessions as they are after signing in. */
import assert from 'node:assert/strict';
import { createAccount } from '../../src/admin/accounts.ts';
import { createPasswords } from '../../src/admin/password.ts';
import { type Role, roles } from '../../src/admin/roles.ts';
import { openSession, type SignInDeps } from '../../src/admin/sign-in.ts';
import type { AccountRow } from '../../src/admin/store.ts';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import { patientlyBy } from '../../src/lib/db-patience.ts';
import { systemRandom } from '../../src/lib/random.ts';
import { type Answer, request, type TestServer } from './server.ts';

export const command = { accountId: null, name: 'root', address: null };

/** What a page of the gateway sends with everything. */
export const here = { 'sec-fetch-site': 'same-origin' };

export type Cookie = { readonly cookie: string };

export type BackOffice = {
  readonly deps: SignInDeps;
  readonly account: (role: Role) => AccountRow;
  readonly enter: (role: Role) => Promise<Cookie>;
  readonly send: (
    method: string,
    path: string,
    cookie: Cookie | Record<string, never>,
    json?: unknown,
  ) => Promise<Answer>;
};

/** One account for each role on a server, whose clock is the machine's unless told otherwise. */
export const backOffice = async (
  server: TestServer,
  clock: Clock = systemClock,
): Promise<BackOffice> => {
  const deps: SignInDeps = {
    ...server.deps,
    clock,
    limits: { idleMs: 1_800_000, absoluteMs: 43_200_000 },
    passwords: createPasswords({ random: systemRandom }),
    patiently: patientlyBy(systemClock),
  };
  const accounts = new Map<Role, AccountRow>();
  for (const role of roles) {
    const { account } = await createAccount(deps, command, { name: `the-${role}`, role });
    accounts.set(role, account);
  }
  const account = (role: Role): AccountRow => accounts.get(role) ?? assert.fail(role);
  const visitor = { address: '127.0.0.1', agent: 'a test', token: undefined };
  return {
    deps,
    account,
    enter: async (role) => {
      const { token } = await deps.db
        .transaction()
        .execute((db) => openSession(db, deps, account(role), { visitor, stage: 'full' }));
      return { cookie: `simgate-admin=${token}` };
    },
    send: (method, path, cookie, json) =>
      request(server, `/admin/api/${path}`, {
        token: null,
        ...(json === undefined ? {} : { json }),
        method,
        headers: { ...here, ...cookie },
      }),
  };
};
