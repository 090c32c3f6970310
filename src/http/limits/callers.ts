/** Classifies callers before any lookup: by route, token and cookie. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { showsSession } from '../../admin/access/guard.ts';
import type { Auth, CallerStatus } from '../../clients/auth.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the route takes an access token. */
    takesToken?: boolean;
  }
}

type Callers = {
  readonly callerStatusOf: (request: FastifyRequest) => CallerStatus;
  /**
   * Counts a request that needs neither token nor session, unless it carries a known token. Also refuses the
   * lookup of a token if its address has sent too many wrong ones.
   */
  readonly limit: (request: FastifyRequest, reply: FastifyReply) => void;
};

/** Registered before the routes: it marks those that take a token. */
export const createCallers = (
  app: FastifyInstance,
  auth: Pick<Auth, 'isScopeHook' | 'callerStatusOf' | 'limitAnonymous' | 'assertLookupAllowed'>,
): Callers => {
  app.addHook('onRoute', (route) => {
    const takesToken = [route.onRequest].flat().some(auth.isScopeHook);
    if (takesToken) route.config = { ...route.config, takesToken };
  });
  const byToken = ({ headers, ip, raw }: FastifyRequest): CallerStatus =>
    auth.callerStatusOf({
      authorization: headers.authorization,
      address: ip,
      connection: raw.socket,
    });
  return {
    callerStatusOf: (request) => {
      const { takesToken, adminNeeds = 'none' } = request.routeOptions.config;
      // On any other route the token is ignored, so it must not get the slot of one that counts.
      if (takesToken === true) return byToken(request);
      const hasCookie = adminNeeds !== 'none' && showsSession(request.headers.cookie);
      return hasCookie ? 'unverified' : 'anonymous';
    },
    limit: (request, reply) => {
      const { takesToken, takesCallbacks, adminNeeds } = request.routeOptions.config;
      const callerStatus = byToken(request);
      if (callerStatus === 'known') return;
      // Routes with a token, a session or a signature count what they refuse.
      const isCountedLater =
        request.fault === undefined &&
        (takesToken === true || takesCallbacks === true || adminNeeds !== undefined);
      if (!isCountedLater) auth.limitAnonymous(request.ip, reply);
      // A lookup takes a connection to the database, which purchases need.
      else if ((takesToken === true && callerStatus === 'unverified') || takesCallbacks === true)
        auth.assertLookupAllowed(request.ip);
    },
  };
};
