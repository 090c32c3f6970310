/** Owns the ceiling: how many requests are handled at once, and the quick no to those beyond it. */
import type { FastifyInstance } from 'fastify';
import { overloaded } from '../operators/admission.ts';

/**
 * The last bound, far above the others: what waits for an operator has bounds of its own, so that there
 * is room for what is soon done, as the answer to a finished key is. Before the token and the body are
 * read, so that the no costs next to nothing.
 */
export const keepBelow = (app: FastifyInstance, most: number): void => {
  let underWay = 0;
  app.addHook('onRequest', async (request, reply) => {
    if (request.url.startsWith('/health/')) return;
    if (underWay >= most) throw overloaded();
    underWay += 1;
    reply.raw.once('close', () => {
      underWay -= 1;
    });
  });
};
