/** Confirms who is behind a session, by password or code, before a sensitive change. */
import { transact } from '../../audit/audit.ts';
import { AdminError } from '../../errors.ts';
import { type Attempt, forgiveAttempt } from '../attempts/attempts.ts';
import { runAttempt } from '../attempts/failures.ts';
import { hashSecret, makeSecret } from '../session.ts';
import { type CodeDeps, type SignInResult, spendCode, type Visit } from '../sign-in.ts';
import { lockByPassword } from '../store.ts';
import { renewSession } from './store.ts';

/** One of the two. */
export type Proof = { readonly password: string } | { readonly code: string };

const attemptOf = ({ account, visitor }: Visit, proof: Proof): Attempt => ({
  subject: `${'password' in proof ? 'password' : 'code'} ${account.id}`,
  address: visitor.address,
  proof: 'confirmation',
  account,
});

/** The session continues under a new token, as fresh as after signing in, with the same expiry. */
export const prove = (deps: CodeDeps, visit: Visit, proof: Proof): Promise<SignInResult> => {
  const { account, session } = visit;
  const attempt = attemptOf(visit, proof);
  return runAttempt(deps, attempt, async (counted) => {
    if ('password' in proof) {
      const { right } = await deps.passwords.verify(proof.password, account.password);
      if (!right) throw new AdminError('PASSWORD_WRONG');
    }
    return transact(deps, async (db) => {
      const now = deps.clock.now();
      if ('code' in proof) await spendCode(db, deps, visit, proof.code);
      else if ((await lockByPassword(db, account.id, account.password ?? '')) === undefined) {
        throw new AdminError('PASSWORD_WRONG');
      }
      const token = makeSecret(deps.random);
      const next = { hash: hashSecret(token), proved_at: now, seen_at: now };
      if (!(await renewSession(db, session.hash, next))) throw new AdminError('SESSION_MISSING');
      await forgiveAttempt(db, attempt, { counted, now });
      return { token, stage: 'full', account };
    });
  });
};
