/** Owns what is done to clients, their rules and their tokens, in a transaction of the caller's and with its line in the audit. */
import { isDeepStrictEqual } from 'node:util';
import { changeClientIn, createClientIn, createTokenIn } from '../../clients/client.ts';
import { changeRulesIn } from '../../clients/rules/change.ts';
import type { ClientRules } from '../../clients/rules/rules.ts';
import type { ClientStatus, TokenRow } from '../../clients/store.ts';
import {
  type IssuedToken,
  type NewToken,
  networksOf,
  type RotatedToken,
  type Rotation,
  revokeTokenIn,
  rotateTokenIn,
  scopesOf,
  type WhichToken,
} from '../../clients/tokens.ts';
import { AdminError } from '../errors.ts';
import { type Acting, noteDown } from './acting.ts';
import { rulesToWire, timeOrNull, versionOfRules } from './wire.ts';

/** A token as the audit keeps it. */
const noteOfToken = (token: TokenRow) => ({
  id: token.id,
  name: token.name,
  scopes: scopesOf(token),
  networks: networksOf(token),
  expires_at: timeOrNull(token.expires_at),
  revoked_at: timeOrNull(token.revoked_at),
});

export const makeClient = async (
  acting: Acting,
  { name, balance = 0 }: { readonly name: string; readonly balance?: number },
): Promise<{ readonly id: string; readonly token: IssuedToken }> => {
  const made = await createClientIn(acting, { name, balance });
  await noteDown(acting, {
    action: 'client create',
    subject: made.id,
    before: {},
    after: {
      name: name.trim(),
      status: 'active',
      ...(balance === 0 ? {} : { available: balance }),
      token: noteOfToken(made.token.row),
    },
  });
  return made;
};

export const alterClient = async (
  acting: Acting,
  id: string,
  change: { readonly name?: string; readonly status?: ClientStatus },
): Promise<void> => {
  const { before, after } = await changeClientIn(acting, id, change);
  if (isDeepStrictEqual(before, after)) return;
  await noteDown(acting, {
    action: 'client change',
    subject: id,
    before: { name: before.name, status: before.status },
    after: { name: after.name, status: after.status },
  });
};

/** Changes the rules that are named, and gives all that hold then. `seen`: only where they are still those. */
export const alterRules = async (
  acting: Acting,
  id: string,
  change: Partial<ClientRules>,
  seen?: string,
): Promise<ClientRules> => {
  const { before, after } = await changeRulesIn(acting, id, change);
  if (isDeepStrictEqual(before, after)) return after;
  // What is thrown takes back what was changed.
  if (seen !== undefined && seen !== versionOfRules(before)) {
    throw new AdminError('SETTINGS_CHANGED');
  }
  await noteDown(acting, {
    action: 'client rules',
    subject: id,
    before: rulesToWire(before),
    after: rulesToWire(after),
  });
  return after;
};

export const giveToken = async (
  acting: Acting,
  clientId: string,
  wanted: NewToken,
): Promise<IssuedToken> => {
  const issued = await createTokenIn(acting, clientId, wanted);
  await noteDown(acting, {
    action: 'client token create',
    subject: clientId,
    before: {},
    after: { token: noteOfToken(issued.row) },
  });
  return issued;
};

export const replaceToken = async (
  acting: Acting,
  which: WhichToken,
  rotation: Rotation,
): Promise<RotatedToken> => {
  const rotated = await rotateTokenIn(acting, which, rotation);
  const { before, after } = rotated.old;
  await noteDown(acting, {
    action: 'client token rotate',
    subject: before.client_id,
    before: { token: noteOfToken(before) },
    after: { token: noteOfToken(after), by: noteOfToken(rotated.issued.row) },
  });
  return rotated;
};

export const stopToken = async (acting: Acting, which: WhichToken): Promise<TokenRow> => {
  const { before, after } = await revokeTokenIn(acting, which);
  if (before.revoked_at !== null) return after;
  await noteDown(acting, {
    action: 'client token revoke',
    subject: before.client_id,
    before: { token: noteOfToken(before) },
    after: { token: noteOfToken(after) },
  });
  return after;
};
