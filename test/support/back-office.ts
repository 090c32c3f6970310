/** Owns how tests are inside the back office: with an account of a role, by a session of its own. */
import { createAccount } from '../../src/admin/accounts.ts';
import { createPasswords } from '../../src/admin/password.ts';
import type { Role } from '../../src/admin/roles.ts';
import { openSession } from '../../src/admin/sign-in.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { patientlyBy } from '../../src/lib/db-patience.ts';
import { systemRandom } from '../../src/lib/random.ts';
import { type Answer, request, type TestServer } from './server.ts';

const command = { accountId: null, name: 'root', address: null };
const visitor = { address: '127.0.0.1', agent: 'a test', token: undefined };
const limits = { idleMs: 1_800_000, absoluteMs: 43_200_000 };

/** What use-cases of the back office need, on the server's own database. */
export const officeDeps = (server: TestServer) => ({
  ...server.deps,
  limits,
  passwords: createPasswords({ random: systemRandom }),
  patiently: patientlyBy(systemClock),
});

/** Asks as somebody who is signed in; the path is what follows `/admin/api/`. */
export type Ask = (method: string, path: string, json?: unknown) => Promise<Answer>;

/** Makes an account and signs in to it. */
export const enterOffice = async (
  server: TestServer,
  role: Role,
  name: string = role,
): Promise<Ask> => {
  const deps = officeDeps(server);
  const { account } = await createAccount(deps, command, { name, role });
  const { token } = await server.deps.db
    .transaction()
    .execute((db) => openSession(db, deps, account, { visitor, stage: 'full' }));
  const headers = { 'sec-fetch-site': 'same-origin', cookie: `simgate-admin=${token}` };
  return (method, path, json) =>
    request(server, `/admin/api/${path}`, {
      token: null,
      method,
      headers,
      ...(json === undefined ? {} : { json, method }),
    });
};
