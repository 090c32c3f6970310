/** Owns the HTTP application: what it is made of, in the order in which it is registered. */
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { type CatalogueDeps, catalogueRoutes } from '../catalogue/routes.ts';
import type { Clock } from '../lib/clock.ts';
import type { Config } from '../lib/config.ts';
import { GatewayError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import type { NewId } from '../lib/random.ts';
import { type OffersRouteDeps, offersRoutes } from '../offers/routes.ts';
import { readBodies, validateWith } from './body.ts';
import { clientErrorHandler, errorHandler } from './errors.ts';
import { type HealthDeps, healthRoutes } from './health.ts';
import { answerNotFound } from './not-found.ts';
import { registerOpenApi } from './openapi.ts';

export type AppDeps = CatalogueDeps &
  OffersRouteDeps &
  HealthDeps & {
    readonly config: Config;
    readonly version: string;
    readonly log: Log;
    readonly clock: Clock;
    readonly newId: NewId;
  };

/** Answers are data for programs: no browser should guess, frame, or keep them. */
const defaultHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

const overHttps = { 'strict-transport-security': 'max-age=31536000' } as const;

const createServer = ({ config, log, newId }: AppDeps): FastifyInstance => {
  const { http, trustedProxies } = config;
  return Fastify({
    logger: false,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    bodyLimit: http.bodyBytes,
    requestTimeout: http.requestTimeoutMs,
    keepAliveTimeout: http.keepAliveMs,
    http: { maxHeaderSize: http.headerBytes, headersTimeout: http.headersTimeoutMs },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    genReqId: newId,
    requestIdHeader: false,
    routerOptions: {
      ignoreTrailingSlash: true,
      // The last of duplicates wins, as it does in PHP.
      querystringParser: (text) => Object.fromEntries(new URLSearchParams(text)),
    },
    clientErrorHandler: clientErrorHandler(newId),
    frameworkErrors: (error, request, reply) => {
      void errorHandler(log)(error, request, reply);
    },
  });
};

const isAboutHealth = (request: FastifyRequest): boolean => request.url.startsWith('/health/');

const addHooks = (app: FastifyInstance, deps: AppDeps): void => {
  const { publicUrl } = deps;
  const headers = publicUrl?.startsWith('https:')
    ? { ...defaultHeaders, ...overHttps }
    : defaultHeaders;
  app.decorateRequest('clientId', '');
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headers).header('request-id', request.id);
    if (deps.draining() && !isAboutHealth(request)) throw new GatewayError('DRAINING');
  });
  // The route and never the address: queries and paths may hold numbers.
  app.addHook('onResponse', async (request, reply) => {
    deps.log.info(
      {
        request: request.id,
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        ...(request.clientId === '' ? {} : { client: request.clientId }),
      },
      'request',
    );
  });
};

export const createApp = async (deps: AppDeps): Promise<FastifyInstance> => {
  const app = createServer(deps);
  app.setErrorHandler(errorHandler(deps.log));
  answerNotFound(app);
  addHooks(app, deps);
  readBodies(app);
  validateWith(app);
  await registerOpenApi(app, deps);
  await app.register(healthRoutes(deps));
  await app.register(catalogueRoutes(deps));
  await app.register(offersRoutes(deps));
  return app;
};
