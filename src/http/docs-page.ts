/** Owns the page that shows the API. It is loaded when somebody first asks for it: that would take a tenth of a start. */
import type { IncomingHttpHeaders } from 'node:http';
import swagger from '@fastify/swagger';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { GatewayError } from '../lib/errors.ts';
import { noOtherCompilers } from './body.ts';

/** Only what this origin serves, and pictures that stand in its own style sheet. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
  "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const pathOf = (url: string): string => new URL(url).pathname.replace(/\/$/, '');

/** A server of its own, which nobody reaches but by us. */
const openPage = async (
  app: FastifyInstance,
  publicUrl: string | undefined,
): Promise<FastifyInstance> => {
  const { default: swaggerUi } = await import('@fastify/swagger-ui');
  const page = Fastify({
    schemaController: { compilersFactory: noOtherCompilers },
    routerOptions: { ignoreTrailingSlash: true },
  });
  await page.register(swagger, { openapi: {}, transformObject: () => app.swagger() });
  await page.register(swaggerUi, {
    routePrefix: '/docs',
    // A proxy that serves us below a path takes the path away; the page must ask for it.
    indexPrefix: publicUrl === undefined ? '' : pathOf(publicUrl),
    staticCSP: policy,
    theme: {
      title: 'Simgate API',
      css: [{ filename: 'simgate.css', content: '.swagger-ui .topbar { display: none; }' }],
    },
    uiConfig: { validatorUrl: null, tryItOutEnabled: true },
  });
  return page;
};

/** What asks whether a file has changed. */
const conditions = ({ headers }: FastifyRequest): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => /^(if-|range$)/.test(name)));

/** What is said of a connection is the gateway's to say. */
const ofConnection: ReadonlySet<string> = new Set(['connection', 'date', 'transfer-encoding']);

export const docsPage = (app: FastifyInstance, publicUrl: string | undefined): void => {
  let opened: Promise<FastifyInstance> | undefined;
  const page = async (): Promise<FastifyInstance> => {
    opened ??= openPage(app, publicUrl);
    try {
      return await opened;
    } catch (error) {
      opened = undefined;
      throw error;
    }
  };
  const show = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const headers = conditions(request);
    const answer = await (await page()).inject({ method: 'GET', url: request.url, headers });
    if (answer.statusCode === 404) throw new GatewayError('NOT_FOUND');
    const said = Object.entries(answer.headers).filter(([name]) => !ofConnection.has(name));
    void reply.code(answer.statusCode).headers(Object.fromEntries(said));
    return answer.rawPayload.length === 0 ? reply.send() : reply.send(answer.rawPayload);
  };
  for (const path of ['/docs', '/docs/*']) app.get(path, { schema: { hide: true } }, show);
};
