/** Creates recovery codes, each of which replaces the app's code once. */
import type { Db } from '../../../db/types.ts';
import type { Random } from '../../../lib/random.ts';
import { type AdminDeps, type Person, transact, writeAudit } from '../../audit/audit.ts';
import { AdminError } from '../../errors.ts';
import { hashSecret } from '../session.ts';
import { type AccountRow, lockAccount } from '../store.ts';
import { toBase32 } from '../two-factor/totp.ts';
import { hasTwoFactor } from '../two-factor/two-factor.ts';
import { countRecoveryCodes, replaceRecoveryCodes, takeRecoveryCode } from './store.ts';

const codesAtOnce = 10;
// 120 bits are too many to try out, so a plain hash is enough: ASVS 5.0 asks for 112.
const codeBytes = 15;

/** Twenty-four letters and digits in groups of four, as they are read from paper. */
const makeCode = (random: Random): string =>
  (toBase32(random(codeBytes)).toLowerCase().match(/.{4}/g) ?? []).join('-');

/** The form that is hashed: without case, spaces and hyphens. */
const plainCode = (typed: string): string => typed.toLowerCase().replaceAll(/[\s-]/g, '');

export const isRecoveryCode = (typed: string): boolean => /^[a-z2-7]{24}$/.test(plainCode(typed));

/** Creates new codes, shown this once; the previous ones stop working. */
export const createRecoveryCodes = async (
  deps: AdminDeps,
  actor: Person,
  { id }: Pick<AccountRow, 'id'>,
): Promise<readonly string[]> => {
  const codes = Array.from({ length: codesAtOnce }, () => makeCode(deps.random));
  const hashes = codes.map((code) => hashSecret(plainCode(code)));
  await transact(deps, async (db) => {
    // The account first, as everywhere: one lock order prevents deadlocks.
    const account = await lockAccount(db, id);
    if (account === undefined || !hasTwoFactor(account)) {
      throw new AdminError('SECOND_FACTOR_OFF');
    }
    const before = { recovery_codes: await countRecoveryCodes(db, id) };
    await replaceRecoveryCodes(db, id, { hashes, now: deps.clock.now() });
    await writeAudit(db, deps, actor, {
      action: 'recovery codes create',
      subject: id,
      before,
      after: { recovery_codes: codes.length },
    });
  });
  return codes;
};

/** Within a transaction: uses up a recovery code, or refuses it. */
export const spendRecoveryCode = async (
  db: Db,
  deps: AdminDeps,
  actor: Person,
  typed: string,
): Promise<void> => {
  const { accountId } = actor;
  await lockAccount(db, accountId);
  const hash = hashSecret(plainCode(typed));
  if (!(await takeRecoveryCode(db, accountId, { hash, now: deps.clock.now() }))) {
    throw new AdminError('CODE_WRONG');
  }
  const left = await countRecoveryCodes(db, accountId);
  await writeAudit(db, deps, actor, {
    action: 'recovery code use',
    subject: accountId,
    before: { recovery_codes: left + 1 },
    after: { recovery_codes: left },
  });
};
