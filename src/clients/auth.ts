/** Authenticates requests: finds the token's client, and checks scope, network and rate limit. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Db } from '../db/types.ts';
import { boundedCache } from '../lib/bounded-cache.ts';
import type { Clock } from '../lib/clock.ts';
import { GatewayError } from '../lib/errors.ts';
import { listIn } from '../lib/json/list.ts';
import type { Rate } from '../lib/rate-limit.ts';
import { networkTest } from './network.ts';
import { applyLimit, createAddressLimit, createLimit } from './rate-limits.ts';
import { type ClientRules, rulesIn } from './rules/rules.ts';
import { findTokenByHash, updateLastUse } from './store.ts';
import { hashToken, isWellFormed, type Scope } from './token.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the hook of `needs`, on every route that takes a token. */
    clientId: string;
    /** The client's rules; undefined if none are set. */
    clientRules: ClientRules | undefined;
    clientTest: boolean;
  }
}

export type Caller = {
  readonly authorization: string | undefined;
  /** Undefined if only a proxy knows it. */
  readonly address: string | undefined;
  /** The connection: its last token is remembered with it. */
  readonly connection: object;
};

export type AuthenticatedCaller = {
  readonly clientId: string;
  readonly rules: ClientRules | undefined;
  readonly test: boolean;
  readonly headers: Readonly<Record<string, string>>;
};

/** When a token last passed every check, by the monotonic clock. */
type Seen = { validAt: number };

type Identity = {
  readonly seen: Seen;
  readonly clientId: string;
  readonly rules: ClientRules | undefined;
  readonly test: boolean;
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

/**
 * A caller's status before its token is looked up. `known`: the token recently passed every check, which does
 * not say what it may do now. `unverified`: it has the form of a token. `anonymous`: all others.
 */
export type CallerStatus = 'known' | 'unverified' | 'anonymous';

export type Auth = {
  /** A hook that requires a valid token with the scope. */
  readonly needs: (scope: Scope) => (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  /** The same for a token of any scope. */
  readonly needsClient: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  /**
   * The same for a request on the fast path: the client if the token is cached and nothing prevents the
   * request, counted, with the headers to answer with. Undefined: ask `needs`.
   */
  readonly pass: (scope: Scope, caller: Caller) => AuthenticatedCaller | undefined;
  /** Whether a hook of a route is one of `needs`. */
  readonly isScopeHook: (hook: unknown) => boolean;
  readonly callerStatusOf: (caller: Caller) => CallerStatus;
  /** Counts a request without a valid token; throws `RATE_LIMITED` if its address sends too many. */
  readonly limitAnonymous: (address: string, reply: FastifyReply) => void;
  /** Throws `RATE_LIMITED` if an address has already sent too many; counts nothing. */
  readonly assertLookupAllowed: (address: string) => void;
  /** Drops cached tokens and clients, because some have changed. */
  readonly forget: () => void;
  /** Records when tokens were last used. */
  readonly saveLastUse: () => Promise<void>;
};

// Far more tokens than a gateway has in use at a time.
const identitiesKept = 50_000;

// After a change, a token in use is looked up again within that time.
const seenForMs = 600_000;
const never = Number.NEGATIVE_INFINITY;

const bearerOf = (header: string | undefined): string | undefined =>
  /^bearer +(\S+) *$/i.exec(header ?? '')?.[1];

const isExpired = ({ expiresAt }: Identity, clock: Pick<Clock, 'now'>): boolean =>
  expiresAt !== null && expiresAt <= clock.now();

/** Why a client may not use a valid token from this address. */
const refusalOf = (identity: Identity, address: string | undefined) => {
  if (identity.suspended) return 'CLIENT_SUSPENDED';
  if (identity.fromAnywhere) return undefined;
  return address !== undefined && identity.allows(address) ? undefined : 'IP_NOT_ALLOWED';
};

const scopeMissing = (scope: Scope): GatewayError => {
  const message = {
    en: `The access token lacks the scope "${scope}" that this route needs.`,
    fa: `توکن دسترسی مجوز «${scope}» را که این مسیر لازم دارد ندارد.`,
  };
  return new GatewayError('SCOPE_MISSING', { message });
};

/** Looks tokens up, caching those in use. */
const identities = (db: Db, clock: Pick<Clock, 'now' | 'monotonic'>) => {
  const known = boundedCache<Identity>(identitiesKept);
  // Survives a change: active clients must not wait among the unverified until they are read again.
  const seen = boundedCache<Seen>(identitiesKept);
  let generation = 0;
  const find = async (token: string): Promise<Identity | undefined> => {
    const hash = hashToken(token);
    const found = known.get(hash);
    if (found !== undefined) return found;
    const asked = generation;
    const row = await findTokenByHash(db, hash);
    const before = seen.get(hash) ?? { validAt: never };
    if (row === undefined || row.revoked_at !== null) {
      before.validAt = never;
      return undefined;
    }
    seen.set(hash, before, 1);
    const networks = listIn(row.networks).map(String);
    const identity: Identity = {
      seen: before,
      clientId: row.client_id,
      rules: rulesIn(row),
      test: row.client_test === 1,
      tokenId: row.id,
      suspended: row.client_status === 'suspended',
      expiresAt: row.expires_at,
      scopes: new Set(listIn(row.scopes).map(String)),
      fromAnywhere: networks.length === 0,
      allows: networkTest(networks),
    };
    // A value read before a change must not be cached after it.
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

  /** Most connections send one token all their life: its hash is computed once. */
  const remembered = (header: string, connection: object): Identity | undefined => {
    const last = onConnection.get(connection);
    if (last?.header === header) return last.identity;
    const identity = known.get(hashToken(bearerOf(header) ?? ''));
    if (identity !== undefined) onConnection.set(connection, { header, identity });
    return identity;
  };

  const callerStatusOf: Auth['callerStatusOf'] = ({ authorization = '', address, connection }) => {
    const token = bearerOf(authorization);
    if (token === undefined || !isWellFormed(token)) return 'anonymous';
    const identity = remembered(authorization, connection);
    if (identity !== undefined) {
      const isRefused = isExpired(identity, clock) || refusalOf(identity, address) !== undefined;
      return isRefused ? 'unverified' : 'known';
    }
    const validAt = seen.get(hashToken(token))?.validAt ?? never;
    return clock.monotonic() - validAt < seenForMs ? 'known' : 'unverified';
  };
  return { find, remembered, callerStatusOf, forget };
};

/** The token of a header; throws if there is none. */
export const readBearer = (header: string | undefined): string => {
  const token = bearerOf(header);
  if (token !== undefined) return token;
  if (header === undefined || /^(bearer)? *$/i.test(header))
    throw new GatewayError('TOKEN_MISSING');
  throw new GatewayError('TOKEN_INVALID', {
    message: {
      en: 'The Authorization header must be "Bearer <ACCESS_TOKEN>".',
      fa: 'سرآیند Authorization باید به شکل «Bearer <ACCESS_TOKEN>» باشد.',
    },
  });
};

/** Collects when tokens were last used, and writes it periodically. */
const createLastUses = (db: Db) => {
  let uses = new Map<string, number>();
  return {
    note: (tokenId: string, at: number): void => void uses.set(tokenId, at),
    save: async (): Promise<void> => {
      const saved = uses;
      uses = new Map();
      if (saved.size === 0) return;
      try {
        await db.transaction().execute((trx) => updateLastUse(trx, saved));
      } catch (error) {
        uses = new Map([...saved, ...uses]);
        throw error;
      }
    },
  };
};

const createIdentify =
  (find: (token: string) => Promise<Identity | undefined>, clock: Clock) =>
  async (request: FastifyRequest): Promise<Identity> => {
    const token = readBearer(request.headers.authorization);
    const identity = isWellFormed(token) ? await find(token) : undefined;
    if (identity === undefined) throw new GatewayError('TOKEN_INVALID');
    if (isExpired(identity, clock)) {
      identity.seen.validAt = never;
      throw new GatewayError('TOKEN_EXPIRED');
    }
    return identity;
  };

export const createAuth = (deps: AuthDeps): Auth => {
  const { find, remembered, callerStatusOf, forget } = identities(deps.db, deps.clock);
  const { count: countClient } = createLimit(deps.rateLimits.client, deps.clock);
  const byAddress = createAddressLimit(deps.rateLimits.anonymous, deps.clock);
  const lastUses = createLastUses(deps.db);

  const identify = createIdentify(find, deps.clock);

  const identifyOrLimit = async (request: FastifyRequest, reply: FastifyReply) => {
    try {
      return await identify(request);
    } catch (error) {
      // An unavailable database says nothing about the token.
      if (error instanceof GatewayError) byAddress.limitAnonymous(request.ip, reply);
      throw error;
    }
  };

  const hooks = new WeakSet<object>();
  const hookFor = (scope: Scope | undefined) => {
    const hook = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      const identity = await identifyOrLimit(request, reply);
      request.clientId = identity.clientId;
      request.clientRules = identity.rules;
      request.clientTest = identity.test;
      lastUses.note(identity.tokenId, deps.clock.now());
      const refusal = refusalOf(identity, request.ip);
      if (refusal === 'CLIENT_SUSPENDED') identity.seen.validAt = never;
      if (refusal !== undefined) throw new GatewayError(refusal);
      identity.seen.validAt = deps.clock.monotonic();
      request.identified();
      if (scope !== undefined && !identity.scopes.has(scope)) throw scopeMissing(scope);
      applyLimit(countClient(identity.clientId), reply);
    };
    hooks.add(hook);
    return hook;
  };

  const mayPass = (identity: Identity, scope: Scope, { address }: Caller): boolean =>
    !isExpired(identity, deps.clock) &&
    refusalOf(identity, address) === undefined &&
    identity.scopes.has(scope);

  const pass = (scope: Scope, caller: Caller): AuthenticatedCaller | undefined => {
    const identity = remembered(caller.authorization ?? '', caller.connection);
    if (identity === undefined || !mayPass(identity, scope, caller)) return undefined;
    const { allowed, headers } = countClient(identity.clientId);
    if (!allowed) return undefined;
    lastUses.note(identity.tokenId, deps.clock.now());
    identity.seen.validAt = deps.clock.monotonic();
    return { clientId: identity.clientId, rules: identity.rules, test: identity.test, headers };
  };

  const isScopeHook = (hook: unknown): boolean => typeof hook === 'function' && hooks.has(hook);

  return {
    needs: hookFor,
    needsClient: hookFor(undefined),
    pass,
    isScopeHook,
    callerStatusOf,
    ...byAddress,
    forget,
    saveLastUse: lastUses.save,
  };
};
