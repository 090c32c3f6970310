/** Tests that money is moved once for each key, however often it is sent, and that the books balance. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { createClient } from '../../../test/support/clients.ts';
import { openTestDatabase } from '../../../test/support/database.ts';
import { quickPasswords } from '../../../test/support/passwords.ts';
import { createLockRetry } from '../../db/lock-retry.ts';
import type { OpenDatabase } from '../../db/types.ts';
import { readAccount } from '../../ledger/store.ts';
import { verifyLedger } from '../../ledger/verify.ts';
import { systemClock } from '../../lib/clock.ts';
import { systemRandom, uuidV7 } from '../../lib/random.ts';
import { createAccount } from '../access/accounts.ts';
import type { Person } from '../audit/audit.ts';
import { AdminError } from '../errors.ts';
import { correctOnce, depositOnce } from './money.ts';

let database: OpenDatabase;
let person: Person;

const deps = () => ({
  db: database.db,
  clock: systemClock,
  newId: uuidV7(systemClock, systemRandom),
  random: systemRandom,
  retryLocked: createLockRetry(systemClock),
  clients: { wake: (): void => {} },
});

before(async () => {
  database = await openTestDatabase();
  const command = { accountId: null, name: 'root', address: null };
  const { account } = await createAccount({ ...deps(), passwords: quickPasswords }, command, {
    name: 'office',
    role: 'manager',
  });
  person = { accountId: account.id, name: account.name, address: '192.0.2.1' };
});
after(() => database.close());

/** A few keys, so that many are sent more than once, with the same and with other amounts. */
const input = fc.record({
  key: fc.nat(5),
  kind: fc.constantFrom('deposit' as const, 'correct' as const),
  amount: fc.constantFrom(1, 70, 300),
  taken: fc.boolean(),
});

type Wish = typeof input extends fc.Arbitrary<infer T> ? T : never;

const amountOf = ({ kind, amount, taken }: Wish): number =>
  kind === 'correct' && taken ? -amount : amount;

const codeOf = (error: unknown): string => {
  assert.ok(error instanceof AdminError, String(error));
  return error.code;
};

test('whatever is sent and however often, each key moves money once and the ledger balances', async () => {
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(input, { minLength: 3, maxLength: 12 }), async (wishes) => {
      const { id: clientId } = await createClient(deps(), { name: 'a client' });
      const keys = Array.from({ length: 6 }, () => randomUUID());
      const done = new Map<string, { readonly asked: string; readonly answer: unknown }>();
      let balance = 0;
      const audited = () =>
        database.db.selectFrom('admin_audit').select('id').where('subject', '=', clientId);
      for (const one of wishes) {
        const key = keys[one.key] ?? '';
        const amount = amountOf(one);
        const asked = JSON.stringify([one.kind, amount]);
        const before = done.get(key);
        const sent =
          one.kind === 'deposit'
            ? depositOnce(deps(), person, { key, clientId, amount, note: 'n' })
            : correctOnce(deps(), person, { key, clientId, amount, reason: 'counted again' });
        const end = await sent.catch(codeOf);
        if (before !== undefined) {
          const same = before.asked === asked;
          assert.deepEqual(end, same ? before.answer : 'KEY_REUSED');
          seen.add(same ? 'the same again' : 'another under its key');
        } else if (balance + amount < 0) {
          assert.equal(end, 'BALANCE_TOO_SMALL');
          seen.add('too much taken');
        } else {
          balance += amount;
          done.set(key, { asked, answer: end });
          seen.add(one.kind);
        }
        const account = await readAccount(database.db, clientId);
        assert.deepEqual(
          [account?.available, account?.held, account?.seq],
          [balance, 0, done.size],
        );
      }
      assert.equal((await audited().execute()).length, done.size);
    }),
    { numRuns: 25 },
  );
  assert.equal(seen.size, 5, [...seen].join());
  const { problems } = await verifyLedger(database.db);
  assert.deepEqual(problems, []);
});
