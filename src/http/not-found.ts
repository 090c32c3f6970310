/** Answers unknown routes: 404, or 405 where other methods exist. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { GatewayError } from '../lib/errors.ts';
import { perKey } from '../lib/memo.ts';

const patternOf = (url: string): RegExp => {
  const parts = url.split('/').map((part) => {
    if (part === '*') return '.*';
    return part.startsWith(':') ? '[^/]+' : RegExp.escape(part);
  });
  return new RegExp(`^${parts.join('/')}/?$`);
};

/** Records routes as they are registered, then answers all other addresses. */
export const answerNotFound = (app: FastifyInstance): void => {
  const known = new Map<string, string[]>();
  const patternFor = perKey(patternOf);
  app.addHook('onRoute', ({ url, method }) => {
    known.set(url, [...(known.get(url) ?? []), method].flat());
  });
  const refuse = (request: FastifyRequest): never => {
    const [path = ''] = request.url.split('?');
    const methods = [...known]
      .filter(([url]) => patternFor(url).test(path))
      .flatMap(([, accepted]) => accepted);
    if (methods.length === 0) throw new GatewayError('NOT_FOUND');
    const allow = [...new Set(methods)].sort().join(', ');
    throw new GatewayError('METHOD_NOT_ALLOWED', {
      message: {
        en: `This address does not accept ${request.method}. It accepts: ${allow}.`,
        fa: `این نشانی متد ${request.method} را نمی‌پذیرد. متدهای مجاز: ${allow}.`,
      },
      headers: { allow },
    });
  };
  // Before the body is parsed: without a route, its content does not matter.
  app.addHook('onRequest', async (request) => {
    if (request.is404) refuse(request);
  });
  app.setNotFoundHandler(async (request: FastifyRequest) => refuse(request));
};
