/** Serves `/metrics`: on the main port with a token, or on a port of its own. */
import { hash, timingSafeEqual } from 'node:crypto';
import Fastify, {
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import { readBearer } from '../clients/auth.ts';
import type { MetricsConfig } from '../config/sections/metrics.ts';
import { GatewayError } from '../lib/errors.ts';
import type { Log } from '../lib/log/log.ts';
import type { NewId } from '../lib/random.ts';
import { metricsType, type ReadMetrics } from '../metrics/meter.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { noOtherCompilers } from './body.ts';
import { errorHandler } from './errors.ts';
import { commonHeaders } from './headers.ts';
import { metricsListenError } from './listen-error.ts';
import { answerNotFound } from './not-found.ts';
import type { LogRequest } from './request-log.ts';

export const metricsPath = '/metrics';

/** The same log line, counted before. */
export const measuredRequests =
  (log: LogRequest, metrics: Pick<Metrics, 'request'>): LogRequest =>
  (line) => {
    metrics.request(line.route, line.status, line.ms);
    log(line);
  };

const digest = (text: string): Buffer => hash('sha256', text, 'buffer');

/** Constant time for any input: digests have one length, and are compared to the end. */
const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));

const assertToken = (header: string | undefined, token: string): void => {
  if (isSame(readBearer(header), token)) return;
  throw new GatewayError('TOKEN_INVALID', {
    message: {
      en: 'Metrics require the token in the setting metrics.token. Send it as a bearer token.',
      fa: 'برای متریک‌ها توکن تنظیم metrics.token لازم است. آن را به شکل Bearer بفرستید.',
    },
  });
};

type Shown = {
  readonly token: string | undefined;
  readonly read: ReadMetrics;
  /** Counts a request without the right token. */
  readonly refused: (address: string, reply: FastifyReply) => void;
};

/** Not part of the contract with clients, and so not in the API description. */
const metricsRoute =
  ({ token, read, refused }: Shown): FastifyPluginAsync =>
  async (app) => {
    const assertAllowed = ({ ip, headers }: FastifyRequest, reply: FastifyReply): void => {
      if (token === undefined) return;
      try {
        assertToken(headers.authorization, token);
      } catch (error) {
        refused(ip, reply);
        throw error;
      }
    };
    app.get(
      metricsPath,
      { schema: { hide: true }, config: { answersWhileDraining: true } },
      async (request, reply) => {
        assertAllowed(request, reply);
        return reply.type(metricsType).send(await read());
      },
    );
  };

/** On the main port only with a token, and only if they have no port of their own. */
export const metricsOnMainPort =
  (
    { token, port }: MetricsConfig,
    { read, refused }: Pick<Shown, 'refused'> & { readonly read: ReadMetrics | undefined },
  ): FastifyPluginAsync =>
  async (app) => {
    if (token === undefined || port !== undefined || read === undefined) return;
    await metricsRoute({ token, read, refused })(app, {});
  };

type PortDeps = {
  readonly settings: MetricsConfig;
  /** Undefined if nothing is measured. */
  readonly read: ReadMetrics | undefined;
  readonly newId: NewId;
  readonly log: Pick<Log, 'info' | 'warn' | 'error'>;
};

const createMetricsApp = async (
  { newId, log }: PortDeps,
  shown: Shown,
): Promise<FastifyInstance> => {
  const app = Fastify({
    logger: false,
    genReqId: newId,
    requestIdHeader: false,
    forceCloseConnections: true,
    schemaController: { compilersFactory: noOtherCompilers },
    routerOptions: { ignoreTrailingSlash: true },
  });
  const headersOf = commonHeaders(undefined);
  app.setErrorHandler(errorHandler({ log, refused: () => {}, publicUrl: undefined }));
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headersOf(request.id));
  });
  answerNotFound(app);
  await metricsRoute(shown)(app, {});
  return app;
};

export type MetricsPort = { readonly url: string; readonly close: () => Promise<void> };

/** Serves the metrics on a separate port; undefined if the settings name none. */
export const openMetricsPort = async (deps: PortDeps): Promise<MetricsPort | undefined> => {
  const { host, port, token } = deps.settings;
  if (port === undefined || deps.read === undefined) return undefined;
  const app = await createMetricsApp(deps, { token, read: deps.read, refused: () => {} });
  try {
    const url = `${await app.listen({ host, port })}${metricsPath}`;
    deps.log.info({ metrics: url }, 'metrics are served');
    return { url, close: () => app.close() };
  } catch (cause) {
    await app.close();
    throw metricsListenError({ host, port }, cause);
  }
};
