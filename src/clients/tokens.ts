/** Creates, rotates and revokes tokens, inside the caller's transaction. */
import { bumpVersion } from '../db/changes/versions.ts';
import { listIn } from '../lib/json/list.ts';
import { type ClientDeps, ClientError, invalidField, lockExisting } from './errors.ts';
import { isNetwork } from './network.ts';
import { insertToken, lockToken, type TokenRow, updateToken } from './store.ts';
import { endingOf, hashToken, isScope, makeToken, type Scope, scopes } from './token.ts';

export type NewToken = {
  readonly name?: string | undefined;
  readonly scopes?: readonly Scope[] | undefined;
  readonly networks?: readonly string[] | undefined;
  readonly expiresAt?: number | undefined;
};

/** The plain token is in this answer and nowhere else. */
export type CreatedToken = { readonly id: string; readonly token: string; readonly row: TokenRow };

export const scopesOf = ({ scopes: json }: TokenRow): Scope[] =>
  listIn(json).map(String).filter(isScope);

export const networksOf = ({ networks }: TokenRow): string[] => listIn(networks).map(String);

export type TokenState = 'valid' | 'expired' | 'revoked';

export const stateOf = (
  token: Pick<TokenRow, 'revoked_at' | 'expires_at'>,
  now: number,
): TokenState => {
  if (token.revoked_at !== null) return 'revoked';
  return token.expires_at !== null && token.expires_at <= now ? 'expired' : 'valid';
};

export const createToken = async (
  deps: ClientDeps,
  clientId: string,
  options: NewToken,
): Promise<CreatedToken> => {
  const { test } = await lockExisting(deps.db, clientId);
  const wrong = options.networks?.find((network) => !isNetwork(network));
  if (wrong !== undefined) {
    throw invalidField('networks', {
      en: `"${wrong}" is not an IP address or a network.`,
      fa: `«${wrong}» نشانی IP یا شبکه نیست.`,
    });
  }
  const token = makeToken(deps.random, test === 1);
  const row: TokenRow = {
    id: deps.newId(),
    client_id: clientId,
    name: options.name ?? 'default',
    hash: hashToken(token),
    ending: endingOf(token),
    scopes: JSON.stringify(options.scopes ?? scopes),
    networks: JSON.stringify(options.networks ?? []),
    created_at: deps.clock.now(),
    expires_at: options.expiresAt ?? null,
    revoked_at: null,
    last_used_at: null,
  };
  await insertToken(deps.db, row);
  return { id: row.id, token, row };
};

/** The token that is meant: of that client, or of any client if none is named. */
export type WhichToken = { readonly id: string; readonly clientId?: string };

const lockExistingToken = async ({ db }: ClientDeps, { id, clientId }: WhichToken) => {
  const token = await lockToken(db, id);
  if (token === undefined || (clientId !== undefined && token.client_id !== clientId)) {
    throw new ClientError('TOKEN_NOT_FOUND', `There is no token ${id}.`);
  }
  return token;
};

type Changed = { readonly before: TokenRow; readonly after: TokenRow };

/** Revokes a token for good. The first revocation's time stays. */
export const revokeToken = async (deps: ClientDeps, which: WhichToken): Promise<Changed> => {
  const before = await lockExistingToken(deps, which);
  const change = { revoked_at: before.revoked_at ?? deps.clock.now() };
  await updateToken(deps.db, before.id, change);
  await bumpVersion(deps.db, 'clients', deps.newId);
  return { before, after: { ...before, ...change } };
};

export type RotatedToken = {
  readonly created: CreatedToken;
  readonly old: Changed;
  /** When the old one expires. */
  readonly oldEnds: number;
};

export type Rotation = {
  /** How long both are valid. */
  readonly overlapMs: number;
  /** When the new one expires, null: never; by default when the old one would have. */
  readonly expiresAt?: number | null;
};

/**
 * Creates a token with the name, scopes, networks and expiry of the old one, which expires after the overlap,
 * or earlier if it would have anyway.
 */
export const rotateToken = async (
  deps: ClientDeps,
  which: WhichToken,
  { overlapMs, expiresAt }: Rotation,
): Promise<RotatedToken> => {
  const before = await lockExistingToken(deps, which);
  const now = deps.clock.now();
  if (stateOf(before, now) !== 'valid') {
    throw new ClientError('TOKEN_ENDED', `Token ${before.id} has ended; make a new one.`);
  }
  const ends = expiresAt === undefined ? before.expires_at : expiresAt;
  const created = await createToken(deps, before.client_id, {
    name: before.name,
    scopes: scopesOf(before),
    networks: networksOf(before),
    ...(ends === null ? {} : { expiresAt: ends }),
  });
  const oldEnds = Math.min(before.expires_at ?? Number.POSITIVE_INFINITY, now + overlapMs);
  // Revoked if it expires immediately: servers whose clocks are behind would accept a token that has just
  // expired.
  const change = overlapMs === 0 ? { revoked_at: now } : { expires_at: oldEnds };
  await updateToken(deps.db, before.id, change);
  await bumpVersion(deps.db, 'clients', deps.newId);
  return { created, old: { before, after: { ...before, ...change } }, oldEnds };
};
