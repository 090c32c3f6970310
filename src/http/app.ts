/** Owns the HTTP application: what it is made of, in the order in which it is registered. */
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type AdminRouteDeps, adminRoutes } from '../admin/routes.ts';
import { type CatalogueDeps, catalogueRoutes } from '../catalogue/routes.ts';
import { type AccountDeps, accountRoutes } from '../clients/account/routes.ts';
import { isNetwork } from '../clients/network.ts';
import type { Clock } from '../lib/clock.ts';
import type { Config } from '../lib/config.ts';
import { GatewayError, UsageError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import type { Meter } from '../lib/meter.ts';
import type { NewId } from '../lib/random.ts';
import { type OffersRouteDeps, offersRoutes } from '../offers/routes.ts';
import { type NumberRouteDeps, numberRoutes } from '../operators/numbers/routes.ts';
import { type OperatorRouteDeps, operatorRoutes } from '../operators/routes.ts';
import { type InquiryDeps, inquiryRoutes } from '../purchases/inquiry/routes.ts';
import { type PurchaseRouteDeps, purchaseRoutes } from '../purchases/routes.ts';
import { type HistoryRouteDeps, historyRoutes, replayRoutes } from '../webhooks/history/routes.ts';
import { type WebhookRouteDeps, webhookRoutes } from '../webhooks/routes.ts';
import { assertReadable, readQuery } from './address.ts';
import { noOtherCompilers, readBodies, validateWith } from './body.ts';
import { createCeiling, keepBelow } from './ceiling.ts';
import { consoleRoutes } from './console.ts';
import { errorListRoutes } from './error-list.ts';
import { clientErrorHandler, type ErrorEars, errorHandler } from './errors.ts';
import { type CommonHeaders, commonHeaders, fixedHeaders } from './headers.ts';
import { type HealthDeps, healthRoutes } from './health.ts';
import { measuredRequests, metricsOnMainPort } from './metrics.ts';
import { answerNotFound } from './not-found.ts';
import { registerOpenApi } from './openapi.ts';
import { type LogRequest, requestLogger } from './request-log.ts';
import { createAnswering } from './short-answering.ts';
import { shortBuying } from './short-buying.ts';
import { shortPages } from './short-pages.ts';
import { openShortWay } from './short-way.ts';
import { openStraightWay } from './straight-way.ts';

export type AppDeps = CatalogueDeps &
  OffersRouteDeps &
  PurchaseRouteDeps &
  InquiryDeps &
  Omit<AccountDeps, 'rate'> &
  OperatorRouteDeps &
  NumberRouteDeps &
  WebhookRouteDeps &
  HistoryRouteDeps &
  HealthDeps & {
    readonly config: Config;
    readonly version: string;
    readonly log: Log;
    /** The same log, without a flood of what the database's trouble brings. */
    readonly calmLog: Pick<Log, 'warn' | 'error'>;
    readonly clock: Clock;
    readonly newId: NewId;
    readonly meter: Pick<Meter, 'metrics' | 'read'>;
    readonly admin: Omit<AdminRouteDeps, 'version' | 'publicUrl'>;
  };

const createServer = (
  { config, log, newId }: AppDeps,
  headersOf: CommonHeaders,
  ears: ErrorEars,
): FastifyInstance => {
  const { http, trustedProxies } = config;
  const wrong = trustedProxies.find((proxy) => !isNetwork(proxy) || proxy.endsWith('/0'));
  if (wrong !== undefined) {
    throw new UsageError(`trustedProxies: "${wrong}" is not an address or a network of some.`);
  }
  return Fastify({
    logger: false,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    bodyLimit: http.bodyBytes,
    requestTimeout: http.requestTimeoutMs,
    keepAliveTimeout: http.keepAliveMs,
    http: {
      maxHeaderSize: http.headerBytes,
      headersTimeout: http.headersTimeoutMs,
      // Node looks for slow clients only so often: this keeps them to twice their time at most.
      connectionsCheckingInterval: Math.min(http.headersTimeoutMs, http.requestTimeoutMs),
      // Node would answer with an empty body; the hook below answers with ours.
      requireHostHeader: false,
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    genReqId: newId,
    schemaController: { compilersFactory: noOtherCompilers },
    requestIdHeader: false,
    routerOptions: {
      ignoreTrailingSlash: true,
      // The last of duplicates wins, as it does in PHP.
      querystringParser: readQuery,
    },
    clientErrorHandler: clientErrorHandler(newId, headersOf, log),
    frameworkErrors: (error, request, reply) => {
      log.info({ request: request.id, code: error.code }, 'not a request');
      void errorHandler(ears)(error, request, reply.headers(headersOf(request.id)));
    },
  });
};

/** Health is told to the end, and a finished purchase is repeated to the end. */
const answersToTheEnd = (request: FastifyRequest): boolean =>
  request.url.startsWith('/health/') || request.routeOptions.config.answersWhileDraining === true;

const addHooks = (
  app: FastifyInstance,
  deps: AppDeps,
  { headersOf, logRequest }: { readonly headersOf: CommonHeaders; readonly logRequest: LogRequest },
): void => {
  app.decorateRequest('clientId', '');
  app.decorateRequest('clientRules', undefined);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headersOf(request.id));
    assertReadable(request);
    if (deps.draining() && !answersToTheEnd(request)) throw new GatewayError('DRAINING');
  });
  // What is still answered while draining must not keep its connection, or the server waits for it.
  app.addHook('onSend', async (_request, reply) => {
    if (deps.draining()) reply.header('connection', 'close');
  });
  const logEnd = (request: FastifyRequest, reply: FastifyReply): void =>
    logRequest({
      request: request.id,
      method: request.method,
      route: request.routeOptions.url ?? null,
      status: reply.statusCode,
      ms: reply.elapsedTime,
      clientId: request.clientId,
    });
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.config.staysOpen !== true) return;
    // Most of those end by somebody closing a page, which is no response that has ended.
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) logEnd(request, reply);
    });
  });
  app.addHook('onResponse', async (request, reply) => {
    // Kept alive for a next request, the connection would keep the process from ending.
    if (deps.draining()) request.raw.socket.end();
    logEnd(request, reply);
  });
};

export type App = {
  readonly app: FastifyInstance;
  /** Ends all connections, whatever is under way on them. */
  readonly cutOff: () => void;
};

export const createApp = async (deps: AppDeps): Promise<App> => {
  const headersOf = commonHeaders(deps.publicUrl);
  const { metrics, read } = deps.meter;
  const ears = { log: deps.calmLog, refused: metrics.refused };
  const app = createServer(deps, headersOf, ears);
  // Node would answer an unknown Expect header with an empty 417; to ignore it is as right.
  app.server.on('checkExpectation', (request, response) => {
    app.server.emit('request', request, response);
  });
  app.setErrorHandler(errorHandler(ears));
  const logRequest = measuredRequests(requestLogger(deps.log, deps.clock), metrics);
  addHooks(app, deps, { headersOf, logRequest });
  const ceiling = createCeiling(deps.config.limits.requests);
  keepBelow(app, ceiling);
  answerNotFound(app);
  readBodies(app);
  validateWith(app);
  await registerOpenApi(app, deps);
  await app.register(healthRoutes(deps));
  await app.register(metricsOnMainPort(deps.config.metrics, read));
  await app.register(catalogueRoutes(deps));
  await app.register(offersRoutes(deps));
  await app.register(purchaseRoutes(deps));
  await app.register(inquiryRoutes(deps));
  await app.register(accountRoutes({ ...deps, rate: deps.config.rateLimits.client }));
  await app.register(operatorRoutes(deps));
  await app.register(numberRoutes(deps));
  await app.register(webhookRoutes(deps));
  await app.register(historyRoutes(deps));
  await app.register(replayRoutes(deps));
  await app.register(errorListRoutes(deps));
  const { version, publicUrl } = deps;
  await app.register(adminRoutes({ ...deps.admin, version, publicUrl }));
  await app.register(consoleRoutes({ publicUrl, random: deps.admin.random }));
  const behindProxy = deps.config.trustedProxies.length > 0;
  const routes = [...shortPages({ ...deps, behindProxy }), ...shortBuying({ ...deps, ears })];
  const answering = createAnswering({ ...deps, routes, behindProxy, ceiling, logRequest });
  const ways = {
    ...deps,
    ...deps.config.http,
    answering,
    fixedHeaders: fixedHeaders(deps.publicUrl),
  };
  openShortWay(app, ways);
  const straightWay = openStraightWay(app.server, ways);
  app.addHook('preClose', async () => straightWay.closeIdle());
  const cutOff = (): void => {
    straightWay.closeAll();
    app.server.closeAllConnections();
  };
  return { app, cutOff };
};
