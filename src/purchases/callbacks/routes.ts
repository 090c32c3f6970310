/** Serves callbacks over HTTP: operators send their messages here, without a token of the gateway. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { CallbackRequest } from '../../connector/connector.ts';
import type { Clock } from '../../lib/clock.ts';
import { GatewayError } from '../../lib/errors.ts';
import type { Registry } from '../../operators/registry.ts';
import type { ReceiveCallback } from './receive.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether operators send their messages to the route: it has its own slots. */
    takesCallbacks?: boolean;
  }
}

export type CallbackRouteDeps = {
  readonly registry: Pick<Registry, 'all'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly receiveCallback: ReceiveCallback;
  /** Counts a message that is not an operator's against its address; throws beyond the limit. */
  readonly limitAnonymous: (address: string, reply: FastifyReply) => void;
  readonly bodyBytes: number;
};

// Far more than an operator has to say about an order, and little enough for all concurrent ones.
const mostBytes = 65_536;

const params = Type.Object({ operator: Type.String() });

const rejected = (): GatewayError =>
  new GatewayError('TOKEN_INVALID', {
    message: {
      en: 'The callback could not be authenticated. Check the secret in the settings of the operator.',
      fa: 'اعتبار پیام تأیید نشد. کلید محرمانه را در تنظیمات اپراتور بررسی کنید.',
    },
  });

const unreachable = (): GatewayError =>
  new GatewayError('OPERATOR_UNAVAILABLE', {
    message: {
      en: 'The operator has no usable settings, so its callbacks cannot be read. Nothing was done. Send it again later.',
      fa: 'تنظیمات اپراتور قابل استفاده نیست و پیام خوانده نشد. بعداً دوباره بفرستید.',
    },
  });

/** The raw message. */
const messageIn = (
  { method, url, headers, body }: FastifyRequest,
  now: number,
): CallbackRequest => {
  const from = url.indexOf('?');
  return {
    method,
    query: from === -1 ? '' : url.slice(from + 1),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value = '']) => [name, [value].flat().join(', ')]),
    ),
    body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
    receivedAt: now,
  };
};

export const callbackRoutes =
  (deps: CallbackRouteDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    // Signatures cover bytes: nothing is parsed, whatever the type.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
      done(null, body);
    });
    app.route({
      method: ['GET', 'POST'],
      url: '/callbacks/:operator',
      exposeHeadRoute: false,
      bodyLimit: Math.min(mostBytes, deps.bodyBytes),
      config: { takesCallbacks: true },
      schema: { hide: true, params },
      handler: async (request, reply) => {
        const operator = deps.registry.all.find(({ name }) => name === request.params.operator);
        if (operator?.system === null) throw unreachable();
        const isKnown = operator?.connection.callbacks !== undefined;
        const message = messageIn(request, deps.clock.now());
        const taken = isKnown ? await deps.receiveCallback(operator, message) : 'unused';
        if (taken === 'taken') return reply.type('text/plain; charset=utf-8').send('OK');
        deps.limitAnonymous(request.ip, reply);
        throw taken === 'rejected' ? rejected() : new GatewayError('NOT_FOUND');
      },
    });
  };
