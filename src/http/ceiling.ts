/** Owns the ceiling: how many requests are handled at once, and the quick no to those beyond it. */
import type { FastifyInstance } from 'fastify';
import { overloaded } from '../operators/admission.ts';
import { metricsPath } from './metrics.ts';

export type Ceiling = {
  readonly reached: () => boolean;
  /** Counts a request, until it leaves. */
  readonly enter: () => void;
  readonly leave: () => void;
};

export const createCeiling = (most: number): Ceiling => {
  let underWay = 0;
  return {
    reached: () => underWay >= most,
    enter: () => {
      underWay += 1;
    },
    leave: () => {
      underWay -= 1;
    },
  };
};

/**
 * The last bound, far above the others: what waits for an operator has bounds of its own, so that there
 * is room for what is soon done, as the answer to a finished key is. Before the token and the body are
 * read, so that the no costs next to nothing.
 */
export const keepBelow = (app: FastifyInstance, ceiling: Ceiling): void => {
  app.addHook('onRequest', async (request, reply) => {
    // Overload is what the metrics are for.
    if (request.url.startsWith('/health/') || request.routeOptions.url === metricsPath) return;
    if (ceiling.reached()) throw overloaded();
    // It would take a place for as long as somebody looks at a page.
    if (request.routeOptions.config.staysOpen === true) return;
    // Until its answer has gone, or its client.
    ceiling.enter();
    reply.raw.once('close', ceiling.leave);
  });
};
