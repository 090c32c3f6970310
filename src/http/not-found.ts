/** Answers unknown routes: 404, or 405 where other methods exist. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { GatewayError } from '../lib/errors.ts';

type Known = { readonly pattern: RegExp; readonly methods: Set<string> };

const patternOf = (url: string): RegExp => {
  const parts = url.split('/').map((part) => {
    if (part === '*') return '.*';
    return part.startsWith(':') ? '[^/]+' : RegExp.escape(part);
  });
  return new RegExp(`^${parts.join('/')}/?$`);
};

/** Records routes as they are registered, then answers all other addresses. */
export const answerNotFound = (app: FastifyInstance): void => {
  const known = new Map<string, Known>();
  app.addHook('onRoute', ({ url, method }) => {
    const entry = known.get(url) ?? { pattern: patternOf(url), methods: new Set() };
    known.set(url, entry);
    for (const one of [method].flat()) entry.methods.add(one);
  });
  const refuse = (request: FastifyRequest): never => {
    const [path = ''] = request.url.split('?');
    const methods = [...known.values()]
      .filter(({ pattern }) => pattern.test(path))
      .flatMap((entry) => [...entry.methods]);
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
