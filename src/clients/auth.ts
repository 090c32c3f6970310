/** Owns authentication: who sends a request, whether they may, and how often. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { boundedCache } from '../lib/bounded-cache.ts';
import type { Clock } from '../lib/clock.ts';
import type { Db } from '../lib/db.ts';
import { GatewayError } from '../lib/errors.ts';
import { type Rate, rateHeaders, rateLimiter } from '../lib/rate-limit.ts';
import { networkTest } from './network.ts';
import { type ClientRules, rulesIn } from './rules/rules.ts';
import { findTokenByHash, updateLastUse } from './store.ts';
import { hashToken, isWellFormed, type Scope } from './token.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the hook of `needs`, on every route that takes a token. */
    clientId: string;
    /** What is set for that client; undefined where nothing is. */
    clientRules: ClientRules | undefined;
  }
}

export type Caller = {
  readonly authorization: string | undefined;
  /** Undefined where only a proxy knows it. */
  readonly address: string | undefined;
  /** What stands for the connection: who has sent a token on it before is remembered with it. */
  readonly connection: object;
};

export type Passed = {
  readonly clientId: string;
  readonly rules: ClientRules | undefined;
  readonly headers: Readonly<Record<string, string>>;
};

type Identity = {
  readonly clientId: string;
  readonly rules: ClientRules | undefined;
  readonly tokenId: string;
  readonly suspended: boolean;
  readonly expiresAt: number | null;
  readonly scopes: ReadonlySet<string>;
  readonly fromAnywhere: boolean;
  readonly allows: (address: string) => boolean;
};

export type AuthDeps = {
  readonly db: Db;
  readonly clock: Clock;
  readonly rateLimits: {
    readonly client?: Rate | null | undefined;
    readonly anonymous?: Rate | null | undefined;
  };
};

export type Auth = {
  /** A hook that lets a request pass with a valid token that carries the scope. */
  readonly needs: (scope: Scope) => (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  /**
   * The same for a request that takes the short way: the client where the token is remembered and
   * nothing at all is in its way, counted, with the headers to answer with. Undefined: ask `needs`.
   */
  readonly pass: (scope: Scope, caller: Caller) => Passed | undefined;
  /** Forgets what is remembered of tokens and clients, because some of it has changed. */
  readonly forget: () => void;
  /** Writes down when tokens were last used. */
  readonly saveLastUse: () => Promise<void>;
};

// Far more tokens than a gateway has in use at a time.
const identitiesKept = 50_000;

const textsIn = (json: string): string[] => {
  const parsed: unknown = JSON.parse(json);
  return Array.isArray(parsed) ? parsed.map(String) : [];
};

const bearerOf = (header: string | undefined): string | undefined =>
  /^bearer +(\S+) *$/i.exec(header ?? '')?.[1];

/** Looks tokens up, remembering those that are in use. */
const identities = (db: Db) => {
  const known = boundedCache<Identity>(identitiesKept);
  let generation = 0;
  const find = async (token: string): Promise<Identity | undefined> => {
    const hash = hashToken(token);
    const found = known.get(hash);
    if (found !== undefined) return found;
    const asked = generation;
    const row = await findTokenByHash(db, hash);
    if (row === undefined || row.revoked_at !== null) return undefined;
    const networks = textsIn(row.networks);
    const identity: Identity = {
      clientId: row.client_id,
      rules: rulesIn(row),
      tokenId: row.id,
      suspended: row.client_status === 'suspended',
      expiresAt: row.expires_at,
      scopes: new Set(textsIn(row.scopes)),
      fromAnywhere: networks.length === 0,
      allows: networkTest(networks),
    };
    // What was read before a change must not be remembered after it.
    if (asked === generation) known.set(hash, identity, 1);
    return identity;
  };
  const forget = (): void => {
    generation += 1;
    known.clear();
    onConnection = new WeakMap();
  };

  type Last = { readonly header: string; readonly identity: Identity };
  let onConnection = new WeakMap<object, Last>();

  /** Most connections send one token all their life: its hash is made once. */
  const remembered = (header: string, connection: object): Identity | undefined => {
    const last = onConnection.get(connection);
    if (last?.header === header) return last.identity;
    const identity = known.get(hashToken(bearerOf(header) ?? ''));
    if (identity !== undefined) onConnection.set(connection, { header, identity });
    return identity;
  };
  return { find, remembered, forget };
};

/** The token that a header carries; throws where it carries none. */
export const readBearer = (header: string | undefined): string => {
  const token = bearerOf(header);
  if (token !== undefined) return token;
  if (header === undefined || /^(bearer)? *$/i.test(header))
    throw new GatewayError('TOKEN_MISSING');
  throw new GatewayError('TOKEN_INVALID', {
    message: 'The header must read "Authorization: Bearer <ACCESS_TOKEN>".',
  });
};

type Counted = { readonly allowed: boolean; readonly headers: Readonly<Record<string, string>> };

const noLimit: Counted = { allowed: true, headers: {} };

/** Counts a request against a caller's bucket. */
const countBy = (rate: Rate | null | undefined, clock: Clock): ((caller: string) => Counted) => {
  if (!rate) return () => noLimit;
  const limiter = rateLimiter(rate, clock);
  return (caller) => {
    const verdict = limiter(caller);
    return { allowed: verdict.allowed, headers: rateHeaders(rate, verdict) };
  };
};

/** Writes a bucket's headers, or refuses where it is empty. */
const applyLimit = ({ allowed, headers }: Counted, reply: FastifyReply): void => {
  if (!allowed) throw new GatewayError('RATE_LIMITED', { headers });
  reply.headers(headers);
};

export const createAuth = (deps: AuthDeps): Auth => {
  const { find, remembered, forget } = identities(deps.db);
  const countClient = countBy(deps.rateLimits.client, deps.clock);
  const countAnonymous = countBy(deps.rateLimits.anonymous, deps.clock);
  let lastUses = new Map<string, number>();

  const identify = async (request: FastifyRequest): Promise<Identity> => {
    const token = readBearer(request.headers.authorization);
    const identity = isWellFormed(token) ? await find(token) : undefined;
    if (identity === undefined) throw new GatewayError('TOKEN_INVALID');
    if (identity.expiresAt !== null && identity.expiresAt <= deps.clock.now()) {
      throw new GatewayError('TOKEN_EXPIRED');
    }
    return identity;
  };

  const identifyOrLimit = async (request: FastifyRequest, reply: FastifyReply) => {
    try {
      return await identify(request);
    } catch (error) {
      // A database that is away says nothing about the token.
      if (error instanceof GatewayError) applyLimit(countAnonymous(request.ip), reply);
      throw error;
    }
  };

  const needs = (scope: Scope) => async (request: FastifyRequest, reply: FastifyReply) => {
    const identity = await identifyOrLimit(request, reply);
    request.clientId = identity.clientId;
    request.clientRules = identity.rules;
    lastUses.set(identity.tokenId, deps.clock.now());
    if (identity.suspended) throw new GatewayError('CLIENT_SUSPENDED');
    if (!identity.allows(request.ip)) throw new GatewayError('IP_NOT_ALLOWED');
    if (!identity.scopes.has(scope)) {
      const message = `The access token does not carry the scope "${scope}" that this route needs.`;
      throw new GatewayError('SCOPE_MISSING', { message });
    }
    applyLimit(countClient(identity.clientId), reply);
  };

  const mayPass = (identity: Identity, scope: Scope, { address }: Caller): boolean =>
    !identity.suspended &&
    (identity.expiresAt === null || identity.expiresAt > deps.clock.now()) &&
    (identity.fromAnywhere || (address !== undefined && identity.allows(address))) &&
    identity.scopes.has(scope);

  const pass = (scope: Scope, caller: Caller): Passed | undefined => {
    const identity = remembered(caller.authorization ?? '', caller.connection);
    if (identity === undefined || !mayPass(identity, scope, caller)) return undefined;
    const { allowed, headers } = countClient(identity.clientId);
    if (!allowed) return undefined;
    lastUses.set(identity.tokenId, deps.clock.now());
    const { clientId, rules } = identity;
    return { clientId, rules, headers };
  };

  const saveLastUse = async (): Promise<void> => {
    const uses = lastUses;
    lastUses = new Map();
    if (uses.size === 0) return;
    try {
      await deps.db.transaction().execute((db) => updateLastUse(db, uses));
    } catch (error) {
      lastUses = new Map([...uses, ...lastUses]);
      throw error;
    }
  };

  return { needs, pass, forget, saveLastUse };
};
