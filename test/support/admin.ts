/** Signs tests in to the back office: accounts by role, and ready sessions. */
import assert from 'node:assert/strict';
import { createAccount } from '../../src/admin/access/accounts.ts';
import { type Role, roles } from '../../src/admin/access/roles.ts';
import type { Stage } from '../../src/admin/access/session.ts';
import { openSession, type SignInDeps } from '../../src/admin/access/sign-in.ts';
import type { AccountRow } from '../../src/admin/access/store.ts';
import { createLockRetry } from '../../src/db/lock-retry.ts';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import { quickPasswords } from './passwords.ts';
import { type Answer, request, type TestServer } from './server.ts';

/** The actor for a test's setup. */
export const command = { accountId: null, name: 'root', address: null };

/** What a page of the gateway sends with every request. */
export const here = { 'sec-fetch-site': 'same-origin' };

export type Cookie = { readonly cookie: string };

/** What use-cases of the back office need, on the server's own database. */
export const officeDeps = (server: TestServer, clock: Clock = systemClock) => ({
  ...server.deps,
  clock,
  limits: { idleMs: 1_800_000, absoluteMs: 43_200_000 },
  passwords: quickPasswords,
  retryLocked: createLockRetry(systemClock),
});

/** A browser as it names itself: pages are photographed with it. */
const agent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

const visitor = { address: '127.0.0.1', agent, token: undefined };

/** Opens a session without the form, complete or still waiting for the code; returns its token. */
export const tokenOfSession = async (
  deps: SignInDeps,
  account: AccountRow,
  stage: Stage = 'full',
): Promise<string> => {
  const { token } = await deps.db
    .transaction()
    .execute((db) => openSession(db, deps, account, { visitor, stage }));
  return token;
};

/** The cookie of a session. */
export const sessionCookie = 'simgate-admin';

const enterAs = async (deps: SignInDeps, account: AccountRow): Promise<Cookie> => ({
  cookie: `${sessionCookie}=${await tokenOfSession(deps, account)}`,
});

/** Calls the back office; the path is what follows `/admin/api/`. */
type Send = (
  method: string,
  path: string,
  cookie: Cookie | Record<string, never>,
  json?: unknown,
) => Promise<Answer>;

const sendTo =
  (server: TestServer): Send =>
  (method, path, cookie, json) =>
    request(server, `/admin/api/${path}`, {
      token: null,
      ...(json === undefined ? {} : { json }),
      method,
      headers: { ...here, ...cookie },
    });

export type BackOffice = {
  readonly deps: SignInDeps;
  readonly account: (role: Role) => AccountRow;
  readonly enter: (role: Role) => Promise<Cookie>;
  readonly send: Send;
};

/** One account for each role on a server, with the system's clock by default. */
export const backOffice = async (
  server: TestServer,
  clock: Clock = systemClock,
): Promise<BackOffice> => {
  const deps = officeDeps(server, clock);
  const accounts = new Map<Role, AccountRow>();
  for (const role of roles) {
    const { account } = await createAccount(deps, command, { name: `the-${role}`, role });
    accounts.set(role, account);
  }
  const account = (role: Role): AccountRow => accounts.get(role) ?? assert.fail(role);
  return {
    deps,
    account,
    enter: (role) => enterAs(deps, account(role)),
    send: sendTo(server),
  };
};

/** Sends a request as a signed-in account. */
export type Ask = (method: string, path: string, json?: unknown) => Promise<Answer>;

/** Creates one account and signs in to it. */
export const enterOffice = async (
  server: TestServer,
  role: Role,
  name: string = role,
): Promise<Ask> => {
  const deps = officeDeps(server);
  const { account } = await createAccount(deps, command, { name, role });
  const cookie = await enterAs(deps, account);
  const send = sendTo(server);
  return (method, path, json) => send(method, path, cookie, json);
};
