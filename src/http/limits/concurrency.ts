/** Limits concurrent requests in three pools: clients, unverified callers and anonymous callers. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CallerStatus } from '../../clients/auth.ts';
import { networkOf } from '../../clients/network.ts';
import type { Config } from '../../config/config.ts';
import { GatewayError } from '../../lib/errors.ts';
import { overloaded } from '../../operators/admission.ts';
import { isHealth } from '../health.ts';
import { metricsPath } from '../metrics.ts';
import type { Connections } from './connections.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Call once the caller is verified: from then on the request counts as a client's. */
    identified: () => void;
    /** The caller's status; `known` once it is verified. */
    callerStatus: CallerStatus;
    /** Call when it is answered: counts it as anonymous if its caller was not verified. */
    countUnverified: () => void;
  }
}

export type ConcurrencyLimit = {
  readonly reached: () => boolean;
  /** Counts a request, until it leaves. */
  readonly enter: () => void;
  readonly leave: () => void;
};

export const createConcurrencyLimit = (most: number): ConcurrencyLimit => {
  let inFlight = 0;
  return {
    reached: () => inFlight >= most,
    enter: () => {
      inFlight += 1;
    },
    leave: () => {
      inFlight -= 1;
    },
  };
};

type Leave = () => void;

/** Slots with a limit in total and for each address. */
export type Places = {
  /** Takes a slot until the returned function is called; undefined if there is none. */
  readonly enter: (address: string) => Leave | undefined;
};

export const createPlaces = (most: number, mostPerAddress: number): Places => {
  const places = createConcurrencyLimit(most);
  const byAddress = new Map<string, number>();
  const count = (address: string, more: 1 | -1): void => {
    const inFlight = (byAddress.get(address) ?? 0) + more;
    if (inFlight === 0) byAddress.delete(address);
    else byAddress.set(address, inFlight);
  };
  return {
    enter: (given) => {
      const address = networkOf(given);
      if (places.reached() || (byAddress.get(address) ?? 0) >= mostPerAddress) return undefined;
      places.enter();
      count(address, 1);
      return () => {
        places.leave();
        count(address, -1);
      };
    },
  };
};

export type Pools = {
  readonly concurrency: ConcurrencyLimit;
  readonly anonymous: Places;
  /** Of operators that call back: neither do other callers take them, nor those the places of others. */
  readonly callbacks: Places;
  /** Held only while a token or a session is looked up. */
  readonly unverified: Places;
};

/** One address may be all operators, and must not be all callers: it gets half of their places. */
export const createPools = (limits: Config['limits']): Pools => {
  const places = (): Places => createPlaces(limits.anonymous, limits.anonymousPerAddress);
  return {
    concurrency: createConcurrencyLimit(limits.requests),
    anonymous: places(),
    unverified: places(),
    callbacks: createPlaces(limits.callbacks, Math.ceil(limits.callbacks / 2)),
  };
};

export type ConcurrencyDeps = Pools & {
  readonly connections: Pick<Connections, 'identified' | 'whenClosed'>;
  readonly callerStatusOf: (request: FastifyRequest) => CallerStatus;
  /** Counts a request against the rate limit of its address if that applies; throws beyond it. */
  readonly limit: (request: FastifyRequest, reply: FastifyReply) => void;
};

/** Metrics are for times of overload, and probes must be answered. */
const isExempt = (request: FastifyRequest): boolean =>
  request.fault === undefined && (isHealth(request) || request.routeOptions.url === metricsPath);

// Not an overload: clients are served. Created once, like that of clients.
const tooMany = new GatewayError('RATE_LIMITED', { headers: { 'retry-after': '1' } });

/** Takes a request's slot, and moves it between the pools as its caller becomes known. */
const hold = (deps: ConcurrencyDeps, request: FastifyRequest, reply: FastifyReply): void => {
  const { concurrency, anonymous, unverified, connections } = deps;
  const { ip, raw, routeOptions } = request;
  const strangers = routeOptions.config.takesCallbacks === true ? deps.callbacks : anonymous;
  const enterAsClient = (): Leave => {
    if (concurrency.reached()) throw overloaded();
    concurrency.enter();
    return concurrency.leave;
  };
  const { callerStatus } = request;
  const enterAs = {
    known: enterAsClient,
    unverified: () => unverified.enter(ip),
    anonymous: () => strangers.enter(ip),
  };
  let leave = enterAs[callerStatus]();
  // An unverified one may be a client's first request.
  if (leave === undefined) throw callerStatus === 'anonymous' ? tooMany : overloaded();
  /** Takes the next slot before releasing the first. */
  const move = (next: Leave | undefined): void => {
    const before = leave;
    leave = next;
    before?.();
  };
  // Not every response emits an event when its connection has closed.
  const forget = connections.whenClosed(raw.socket, () => move(undefined));
  reply.raw.once('close', () => {
    forget();
    move(undefined);
  });
  let isVerified = false;
  request.identified = () => {
    connections.identified(raw.socket);
    if (isVerified) return;
    isVerified = true;
    request.callerStatus = 'known';
    // Without a slot, the caller has left during the lookup.
    if (leave === undefined || callerStatus === 'known') return;
    // An open live page would hold a slot for as long as it is viewed.
    move(routeOptions.config.staysOpen === true ? () => {} : enterAsClient());
  };
  request.countUnverified = () => {
    if (isVerified || leave === undefined || callerStatus !== 'unverified') return;
    const next = anonymous.enter(ip);
    // Its answer may wait long behind unread ones, and must not hold this slot.
    if (next === undefined) raw.socket.destroy();
    else move(next);
  };
};

/**
 * The last limit, far above the others: waiting for an operator has its own limits, so that there is room for
 * fast answers, such as that of a finished key. It applies before the token and the body are read, so that a
 * refusal is cheap. Anonymous callers never take the slots of clients, nor of callers whose token is being
 * looked up.
 */
export const limitConcurrency = (app: FastifyInstance, deps: ConcurrencyDeps): void => {
  app.decorateRequest('identified', () => {});
  app.decorateRequest('countUnverified', () => {});
  app.decorateRequest('standing', 'anonymous');
  app.addHook('onRequest', async (request, reply) => {
    if (isExempt(request)) return;
    // No event would free the slot of a request whose connection has already closed.
    if (request.raw.socket.destroyed || reply.raw.destroyed) {
      reply.hijack();
      return;
    }
    request.callerStatus = deps.callerStatusOf(request);
    deps.limit(request, reply);
    hold(deps, request, reply);
  });
  // An answer to a refused caller.
  app.addHook('onSend', async (request) => request.countUnverified());
};
