/** Changes clients, their rules and tokens in the caller's transaction, each with an audit entry. */
import { isDeepStrictEqual } from 'node:util';
import * as clients from '../../clients/client.ts';
import { invalidField } from '../../clients/errors.ts';
import * as rules from '../../clients/rules/change.ts';
import type { ClientRules } from '../../clients/rules/rules.ts';
import type { TokenRow } from '../../clients/store.ts';
import * as tokens from '../../clients/tokens.ts';
import { auditChange } from '../audit/audit.ts';
import { AdminError } from '../errors.ts';
import { timeOrNull } from '../wire.ts';
import type { ActionContext } from './act.ts';
import { rulesToWire, versionOfRules } from './wire.ts';

/** A token as the audit log shows it. */
const noteOfToken = (token: TokenRow) => ({
  id: token.id,
  name: token.name,
  scopes: tokens.scopesOf(token),
  networks: tokens.networksOf(token),
  expires_at: timeOrNull(token.expires_at),
  revoked_at: timeOrNull(token.revoked_at),
});

export const createClient = async (
  acting: ActionContext,
  { name, balance = 0, test = false }: clients.NewClient,
): Promise<clients.CreatedClient> => {
  const created = await clients.createClient(acting, { name, balance, test });
  await auditChange(acting, {
    action: 'client create',
    subject: created.id,
    after: {
      name: name.trim(),
      status: 'active',
      ...(test ? { test } : {}),
      ...(balance === 0 ? {} : { available: balance }),
      token: noteOfToken(created.token.row),
    },
  });
  return created;
};

export const updateClient = async (
  acting: ActionContext,
  id: string,
  change: clients.ClientChange,
): Promise<void> => {
  const { before, after } = await clients.updateClient(acting, id, change);
  if (isDeepStrictEqual(before, after)) return;
  await auditChange(acting, {
    action: 'client change',
    subject: id,
    before: { name: before.name, status: before.status },
    after: { name: after.name, status: after.status },
  });
};

/** Updates the named rules and returns all of them. `seen`: fails if they have changed since. */
export const updateRules = async (
  acting: ActionContext,
  id: string,
  change: Partial<ClientRules>,
  seen?: string,
): Promise<ClientRules> => {
  const { before, after } = await rules.updateRules(acting, id, change);
  if (isDeepStrictEqual(before, after)) return after;
  // An error rolls back the change.
  if (seen !== undefined && seen !== versionOfRules(before)) {
    throw new AdminError('SETTINGS_CHANGED');
  }
  await auditChange(acting, {
    action: 'client rules',
    subject: id,
    before: rulesToWire(before),
    after: rulesToWire(after),
  });
  return after;
};

const assertAhead = ({ clock }: ActionContext, expiresAt: number | null | undefined): void => {
  if (typeof expiresAt !== 'number' || expiresAt > clock.now()) return;
  throw invalidField('expires_at', {
    en: 'expires_at must be in the future.',
    fa: 'expires_at باید در آینده باشد.',
  });
};

export const createToken = async (
  acting: ActionContext,
  clientId: string,
  wanted: tokens.NewToken,
): Promise<tokens.CreatedToken> => {
  assertAhead(acting, wanted.expiresAt);
  const created = await tokens.createToken(acting, clientId, wanted);
  await auditChange(acting, {
    action: 'client token create',
    subject: clientId,
    after: { token: noteOfToken(created.row) },
  });
  return created;
};

export const rotateToken = async (
  acting: ActionContext,
  which: tokens.WhichToken,
  rotation: tokens.Rotation,
): Promise<tokens.RotatedToken> => {
  assertAhead(acting, rotation.expiresAt);
  const rotated = await tokens.rotateToken(acting, which, rotation);
  const { before, after } = rotated.old;
  await auditChange(acting, {
    action: 'client token rotate',
    subject: before.client_id,
    before: { token: noteOfToken(before) },
    after: { token: noteOfToken(after), by: noteOfToken(rotated.created.row) },
  });
  return rotated;
};

export const revokeToken = async (
  acting: ActionContext,
  which: tokens.WhichToken,
): Promise<TokenRow> => {
  const { before, after } = await tokens.revokeToken(acting, which);
  if (before.revoked_at !== null) return after;
  await auditChange(acting, {
    action: 'client token revoke',
    subject: before.client_id,
    before: { token: noteOfToken(before) },
    after: { token: noteOfToken(after) },
  });
  return after;
};
