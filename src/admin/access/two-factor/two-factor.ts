/** Tells whether an account has two-factor authentication, by codes or a passkey, and whether its role requires it. Pure. */
import type { Role } from '../roles.ts';
import type { AccountRow } from '../store.ts';

export type SignInPolicy = {
  /** How long a confirmation by password or code allows sensitive changes. */
  readonly freshMs: number;
  /** Roles that can do nothing before they have two-factor authentication. */
  readonly secondFactorRoles: readonly Role[];
};

export const hasTwoFactor = ({
  totp_secret: secret,
  passkeys,
}: Pick<AccountRow, 'totp_secret' | 'passkeys'>): boolean => secret !== null || passkeys > 0;

/** Whether a session may do nothing but set up two-factor authentication. */
export const mustEnroll = (
  account: AccountRow,
  { secondFactorRoles }: Pick<SignInPolicy, 'secondFactorRoles'>,
): boolean => secondFactorRoles.includes(account.role) && !hasTwoFactor(account);
