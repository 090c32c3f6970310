/** Assembles the HTTP application: plugins and routes in the order of registration. */
import type {
  FastifyPluginAsyncTypebox,
  TypeBoxTypeProvider,
} from '@fastify/type-provider-typebox';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { type AdminRouteDeps, adminRoutes } from '../admin/routes.ts';
import { type CatalogueDeps, catalogueRoutes } from '../catalogue/routes.ts';
import { type AccountDeps, accountRoutes } from '../clients/account/routes.ts';
import { networkTest } from '../clients/network.ts';
import type { Config } from '../config/config.ts';
import type { Clock } from '../lib/clock.ts';
import { GatewayError } from '../lib/errors.ts';
import { createRequestIdReader, type RequestIdFrom } from '../lib/http/trace.ts';
import type { Log } from '../lib/log/log.ts';
import type { NewId } from '../lib/random.ts';
import type { Meter } from '../metrics/meter.ts';
import { type OffersRouteDeps, offersRoutes } from '../offers/routes.ts';
import { type NumberRouteDeps, numberRoutes } from '../operators/numbers/routes.ts';
import { type OperatorRouteDeps, operatorRoutes } from '../operators/routes.ts';
import { type CommissionDeps, commissionRoutes } from '../pricing/routes.ts';
import { type CallbackRouteDeps, callbackRoutes } from '../purchases/callbacks/routes.ts';
import { type InquiryDeps, inquiryRoutes } from '../purchases/inquiry/routes.ts';
import { type PurchaseRouteDeps, purchaseRoutes } from '../purchases/routes.ts';
import { type Spans, unrecorded } from '../tracing/spans.ts';
import { type HistoryRouteDeps, historyRoutes, replayRoutes } from '../webhooks/history/routes.ts';
import { type WebhookRouteDeps, webhookRoutes } from '../webhooks/routes.ts';
import { noOtherCompilers, readBodies, validateWith } from './body.ts';
import { consoleRoutes } from './console/console.ts';
import { isConsoleBuilt } from './console/files.ts';
import { type DocsGuard, docsGuard } from './docs/access.ts';
import { docsRoutes } from './docs/docs.ts';
import { errorListRoutes } from './error-list.ts';
import { clientErrorHandler, type ErrorReporter, errorHandler } from './errors.ts';
import { type AnsweringDeps, createAnswering } from './fast/answer.ts';
import { fastBuying } from './fast/buy.ts';
import { openFramework } from './fast/framework.ts';
import { openNodeFastPath } from './fast/node.ts';
import { fastPages } from './fast/pages.ts';
import { openRawSocket, type RawSocket } from './fast/socket.ts';
import { type CommonHeaders, commonHeaders, fixedHeaders } from './headers.ts';
import { type HealthDeps, healthRoutes, isHealth } from './health.ts';
import { createCallers } from './limits/callers.ts';
import { createPools, limitConcurrency } from './limits/concurrency.ts';
import { type Connections, createConnections } from './limits/connections.ts';
import { measuredRequests, metricsOnMainPort } from './metrics.ts';
import { answerNotFound } from './not-found.ts';
import { registerOpenApi } from './openapi/openapi.ts';
import { frontPage } from './pages/front-page.ts';
import { createApiTexts, sendStatic } from './pages/static-page.ts';
import { assertProxies } from './proxies.ts';
import { faultOf, mostHeaders, readQuery } from './request-check.ts';
import { type LogRequest, requestLogger } from './request-log.ts';
import { tracedRequests, traceRequests } from './traced-requests.ts';

export type AppDeps = CatalogueDeps &
  OffersRouteDeps &
  PurchaseRouteDeps &
  InquiryDeps &
  Omit<CallbackRouteDeps, 'limitAnonymous'> &
  Omit<AccountDeps, 'rate'> &
  CommissionDeps &
  OperatorRouteDeps &
  NumberRouteDeps &
  WebhookRouteDeps &
  HistoryRouteDeps &
  Omit<HealthDeps, 'full'> & {
    readonly config: Config;
    readonly version: string;
    readonly log: Log;
    /** The same log, rate-limited for database faults. */
    readonly throttledLog: Pick<Log, 'warn' | 'error'>;
    readonly clock: Clock;
    readonly newId: NewId;
    readonly meter: Pick<Meter, 'metrics' | 'read'>;
    readonly spans: Spans;
    readonly admin: Omit<AdminRouteDeps, 'version' | 'publicUrl' | 'sendApi'>;
  };

type Answers = {
  readonly headersOf: CommonHeaders;
  readonly requestIdFrom: RequestIdFrom;
  readonly reporter: ErrorReporter;
};

/** The headers of every answer; a request id sent by the caller is returned. */
const headersFor = (headersOf: CommonHeaders, { id, headers }: FastifyRequest) =>
  headers['x-request-id'] === undefined ? headersOf(id) : { ...headersOf(id), 'x-request-id': id };

const createServer = (
  { config, log, newId, publicUrl }: AppDeps,
  { headersOf, requestIdFrom, reporter }: Answers,
): FastifyInstance => {
  const { http, trustedProxies } = config;
  assertProxies(trustedProxies);
  return Fastify({
    logger: false,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    bodyLimit: http.bodyBytes,
    requestTimeout: http.requestTimeoutMs,
    keepAliveTimeout: http.keepAliveMs,
    http: {
      maxHeaderSize: http.headerBytes,
      headersTimeout: http.headersTimeoutMs,
      // Node closes all that are due in one turn: often, so that they are few.
      connectionsCheckingInterval: Math.min(100, http.headersTimeoutMs, http.requestTimeoutMs),
      // Node would answer with an empty body; the hook below answers with ours.
      requireHostHeader: false,
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    genReqId: (request) => requestIdFrom(request.headers['x-request-id']),
    schemaController: { compilersFactory: noOtherCompilers },
    requestIdHeader: false,
    routerOptions: {
      ignoreTrailingSlash: true,
      // The last of duplicates wins, as it does in PHP.
      querystringParser: readQuery,
    },
    clientErrorHandler: clientErrorHandler({ newId, log, publicUrl }, headersOf),
    frameworkErrors: (error, request, reply) => {
      log.info({ request: request.id, code: error.code }, 'not a request');
      void errorHandler(reporter)(error, request, reply.headers(headersFor(headersOf, request)));
    },
  });
};

/** Health and finished purchases are answered to the end. */
const answersToTheEnd = (request: FastifyRequest): boolean =>
  isHealth(request) || request.routeOptions.config.answersWhileDraining === true;

const addHooks = (
  app: FastifyInstance,
  deps: AppDeps,
  { headersOf, logRequest }: { readonly headersOf: CommonHeaders; readonly logRequest: LogRequest },
): void => {
  app.decorateRequest('clientId', '');
  app.decorateRequest('clientRules', undefined);
  app.decorateRequest('clientTest', false);
  app.decorateRequest('fault', undefined);
  traceRequests(app, deps.spans);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headersFor(headersOf, request));
    request.fault = faultOf(request);
    if (deps.draining() && !answersToTheEnd(request)) throw new GatewayError('DRAINING');
    // Before the drain too: a proxy that kept the connection would meet its end with a purchase.
    if (deps.stopping()) reply.header('connection', 'close');
  });
  // An answer during the drain must close its connection, or the server would wait for it.
  app.addHook('onSend', async (_request, reply) => {
    if (deps.draining()) reply.header('connection', 'close');
  });
  const logEnd = (request: FastifyRequest, reply: FastifyReply): void => {
    const purchaseId = reply.getHeader('purchase-id');
    logRequest({
      request: request.id,
      method: request.method,
      route: request.routeOptions.url ?? null,
      status: reply.statusCode,
      ms: reply.elapsedTime,
      clientId: request.clientId,
      purchaseId: typeof purchaseId === 'string' ? purchaseId : undefined,
      span: request.span ?? unrecorded(null),
    });
  };
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.config.staysOpen !== true) return;
    // Most of those end when a page is closed, without a response that has ended.
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) logEnd(request, reply);
    });
  });
  app.addHook('onResponse', async (request, reply) => {
    // Kept alive for a next request, the connection would keep the process from exiting.
    if (deps.draining()) request.raw.socket.end();
    logEnd(request, reply);
  });
};

export type App = {
  readonly app: FastifyInstance;
  /** Builds what would otherwise be built on first use. */
  readonly makePages: () => PromiseLike<void>;
  /** Closes all connections, even those with requests in flight. */
  readonly cutOff: () => void;
};

/** Keeps requests and connections below their limits. */
const limitCallers = (app: FastifyInstance, { config, clock, auth, meter }: AppDeps) => {
  const { limits, http, trustedProxies } = config;
  const connections = createConnections({
    ...http,
    clock,
    anonymous: limits.anonymousConnections,
    anonymousPerAddress: limits.anonymousConnectionsPerAddress,
    isTrusted: trustedProxies.length === 0 ? () => false : networkTest(trustedProxies),
    closed: meter.metrics.connectionClosed,
  });
  const pools = createPools(limits);
  limitConcurrency(app, { ...createCallers(app, auth), ...pools, connections });
  app.addHook('onRequest', async ({ fault }) => {
    if (fault !== undefined) throw fault;
  });
  return { concurrency: pools.concurrency, connections };
};

type FastPathParts = Pick<AnsweringDeps, 'concurrency' | 'requestIdFrom' | 'logRequest'> & {
  readonly reporter: ErrorReporter;
  readonly connections: Connections;
};

/** Answers common requests before the framework, and most of them before Node's HTTP. */
const openFastPath = (app: FastifyInstance, deps: AppDeps, parts: FastPathParts): RawSocket => {
  const behindProxy = deps.config.trustedProxies.length > 0;
  const routes = [...fastPages({ ...deps, behindProxy }), ...fastBuying({ ...deps, ...parts })];
  const ways = {
    ...deps,
    ...deps.config.http,
    ...parts,
    answering: createAnswering({ ...deps, ...parts, routes, behindProxy }),
    fixedHeaders: fixedHeaders(deps.publicUrl),
  };
  openNodeFastPath(app, ways);
  return openRawSocket(app.server, ways);
};

/** Who may read the documentation: everyone if undefined, no one if null. */
const docsGuardFor = ({
  config,
  auth,
  admin,
  publicUrl,
}: AppDeps): DocsGuard | undefined | null => {
  const { docs } = config.http;
  if (docs === 'off') return null;
  return docs === 'public' ? undefined : docsGuard({ auth, admin: { ...admin, publicUrl } });
};

export const createApp = async (deps: AppDeps): Promise<App> => {
  const headersOf = commonHeaders(deps.publicUrl);
  const { metrics, read } = deps.meter;
  const { throttledLog, publicUrl } = deps;
  const reporter = { log: throttledLog, refused: metrics.refused, publicUrl };
  const requestIdFrom = createRequestIdReader(deps.newId, deps.config.mobile);
  const app = createServer(deps, { headersOf, requestIdFrom, reporter });
  // Newer versions of Node refuse more. Older ones ignore most of the others, and the hook below refuses.
  app.server.maxHeadersCount = mostHeaders;
  // Node would answer an unknown Expect header with an empty 417; ignoring it is also allowed.
  app.server.on('checkExpectation', (request, response) => {
    app.server.emit('request', request, response);
  });
  app.setErrorHandler(errorHandler(reporter));
  const log = tracedRequests(requestLogger(deps.log, deps.clock));
  const logRequest = measuredRequests(log, metrics);
  addHooks(app, deps, { headersOf, logRequest });
  const { concurrency, connections } = limitCallers(app, deps);
  answerNotFound(app);
  readBodies(app);
  validateWith(app);
  const texts = createApiTexts();
  const guardOfDocs = docsGuardFor(deps);
  const routes = registerOpenApi(app, { ...deps, docsGuard: guardOfDocs }, texts);
  const typed = app.withTypeProvider<TypeBoxTypeProvider>();
  // Without a context of their own, which takes time: only routes with hooks or parsers are registered.
  const add = (plugin: FastifyPluginAsyncTypebox): Promise<void> => plugin(typed, {});
  const full = (): boolean => concurrency.reached() || deps.admission.full();
  await add(healthRoutes({ ...deps, full }));
  const shown = { read, refused: deps.auth.limitAnonymous };
  await metricsOnMainPort(deps.config.metrics, shown)(app, {});
  await add(catalogueRoutes(deps));
  await app.register(offersRoutes(deps));
  await app.register(purchaseRoutes(deps));
  await add(inquiryRoutes(deps));
  await app.register(callbackRoutes({ ...deps, limitAnonymous: deps.auth.limitAnonymous }));
  await add(accountRoutes({ ...deps, rate: deps.config.rateLimits.client }));
  await add(commissionRoutes(deps));
  await add(operatorRoutes(deps));
  await add(numberRoutes(deps));
  await add(webhookRoutes(deps));
  await add(historyRoutes(deps));
  await add(replayRoutes(deps));
  await add(errorListRoutes(deps));
  const { version } = deps;
  const sendApi: AdminRouteDeps['sendApi'] = (describe) =>
    sendStatic(texts.page(() => describe(routes)));
  await app.register(adminRoutes({ ...deps.admin, version, publicUrl, sendApi }));
  const hasDocs = guardOfDocs !== null;
  if (hasDocs) await docsRoutes({ publicUrl, guard: guardOfDocs })(app, {});
  await frontPage({ publicUrl, hasDocs, hasConsole: isConsoleBuilt() })(app, {});
  await consoleRoutes({ publicUrl, random: deps.admin.random })(app, {});
  const paths = { reporter, concurrency, connections, requestIdFrom, logRequest };
  const fastPath = deps.config.http.fastPath ? openFastPath(app, deps, paths) : undefined;
  if (fastPath === undefined) openFramework(app.server, connections);
  app.addHook('preClose', async () => fastPath?.closeIdle());
  const cutOff = (): void => {
    fastPath?.closeAll();
    app.server.closeAllConnections();
  };
  return { app, makePages: () => app.ready().then(texts.make), cutOff };
};
