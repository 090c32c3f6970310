/** Guards the back office: checks each request's origin, session cookie, rate and permission. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Person } from '../audit/audit.ts';
import { AdminError } from '../errors.ts';
import type { RequestRate } from './request-rate.ts';
import { mayDo, type Right } from './roles.ts';
import { actorOf, type CodeDeps, type Visit, type Visitor, visitOf } from './sign-in.ts';
import { mustEnroll, type SignInPolicy } from './two-factor/two-factor.ts';

/**
 * `none`: no session. `half`: any, also one that waits for its second factor. `waiting`: only such a
 * one. `enroll`: a whole one, also without the two-factor authentication that its role requires.
 * `session`: one that may do all.
 */
export type Needs = 'none' | 'half' | 'waiting' | 'enroll' | 'session' | Right;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a route of the back office needs; one that does not say it is refused. */
    adminNeeds?: Needs;
    /** Whether the session has to have proved a short time ago whose it is. */
    adminFresh?: boolean;
  }
  interface FastifyRequest {
    /** Set on every route of the back office that needs a session. */
    adminVisit: Visit | undefined;
  }
}

export type GuardDeps = CodeDeps & {
  readonly publicUrl: string | undefined;
  readonly requestRate: RequestRate;
  readonly policy: SignInPolicy;
};

/** Whether it came over TLS, here or at a trusted proxy, or the public URL uses https. */
const isHttps = ({ publicUrl }: GuardDeps, request: FastifyRequest): boolean =>
  request.protocol === 'https' || publicUrl?.startsWith('https:') === true;

/** Browsers let only this host set a name that begins so, and accept it over https only. */
export const cookieName = (https: boolean): string =>
  https ? '__Host-simgate-admin' : 'simgate-admin';

const tokenForm = /^[\w-]{43}$/;

/** The token in the cookie; undefined where there is none, or not exactly one. */
export const tokenIn = (header: string | undefined, name: string): string | undefined => {
  const values = (header ?? '')
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(`${name}=`))
    .map((part) => part.slice(name.length + 1));
  const [token = ''] = values;
  return values.length === 1 && tokenForm.test(token) ? token : undefined;
};

/** Whether a request carries what may be the cookie of a session, by http or https. */
export const showsSession = (header: string | undefined): boolean =>
  [true, false].some((https) => tokenIn(header, cookieName(https)) !== undefined);

/** Sets the cookie, or deletes it if there is no token. */
export const setCookie = (
  deps: GuardDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  token: string | undefined,
): void => {
  const https = isHttps(deps, request);
  const value = token === undefined ? '; Max-Age=0' : token;
  const secure = https ? '; Secure' : '';
  const attributes = `; Path=/; HttpOnly; SameSite=Strict${secure}`;
  reply.header('set-cookie', `${cookieName(https)}=${value}${attributes}`);
};

export const visitorOf = (deps: GuardDeps, request: FastifyRequest): Visitor => ({
  address: request.ip,
  agent: request.headers['user-agent'] ?? '',
  token: tokenIn(request.headers.cookie, cookieName(isHttps(deps, request))),
});

const hostOf = (url: string): string | undefined =>
  URL.canParse(url) ? new URL(url).host : undefined;

/**
 * Whether a page of ours sent it. Browsers say so by Sec-Fetch-Site, which no page can set; those that
 * do not, and all over plain http, send Origin with whatever changes something. Reading needs neither.
 */
export const isSameOrigin = (
  method: string,
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  host: string,
): boolean => {
  const { 'sec-fetch-site': site, origin } = headers;
  const reads = method === 'GET' || method === 'HEAD';
  if (site !== undefined) return site === 'same-origin' || (reads && site === 'none');
  if (origin === undefined) return reads;
  return typeof origin === 'string' && hostOf(origin) === host;
};

export const visitIn = ({ adminVisit: visit }: FastifyRequest): Visit => {
  if (visit === undefined) throw new AdminError('SESSION_MISSING');
  return visit;
};

/** The sender, as the audit log and idempotency keys name it. */
export const actorIn = (request: FastifyRequest): Person =>
  actorOf(visitIn(request).account, request.ip);

const assertFresh = ({ clock, policy }: GuardDeps, { session }: Visit): void => {
  if (clock.now() - session.proved_at >= policy.freshMs) throw new AdminError('PROOF_NEEDED');
};

/** The one hook of all routes. Forged requests are refused before the session is looked up. */
export const guard =
  (deps: GuardDeps) =>
  async (request: FastifyRequest): Promise<void> => {
    const { publicUrl } = deps;
    const host = (publicUrl === undefined ? undefined : hostOf(publicUrl)) ?? request.host;
    if (!isSameOrigin(request.method, request.headers, host)) throw new AdminError('FORGED_ORIGIN');
    const { adminNeeds: needs, adminFresh: fresh } = request.routeOptions.config;
    if (needs === 'none') {
      deps.requestRate.byAddress(request.ip);
      return;
    }
    request.adminVisit = await visitOf(deps, visitorOf(deps, request));
    if (request.adminVisit === undefined) deps.requestRate.byAddress(request.ip);
    const { session, account } = visitIn(request);
    request.identified();
    deps.requestRate.bySession(session.hash);
    if (needs === 'half') return;
    if (needs === 'waiting') {
      // A whole session would start its time over, and prove less than /me/proof asks for.
      if (session.stage === 'full') throw new AdminError('SIGNED_IN');
      return;
    }
    if (session.stage !== 'full') throw new AdminError('CODE_NEEDED');
    if (needs === 'enroll') return;
    if (mustEnroll(account, deps.policy)) throw new AdminError('SECOND_FACTOR_REQUIRED');
    if (needs !== 'session' && (needs === undefined || !mayDo(account.role, needs))) {
      throw new AdminError('RIGHT_MISSING');
    }
    if (fresh === true) assertFresh(deps, visitIn(request));
  };
