/** Owns the short way of the catalogue: pages of the list and the filter that were asked for before. */
import type { IncomingMessage } from 'node:http';
import type { PageAnswer, Pages } from '../catalogue/pages.ts';
import { plainBase } from '../lib/base-url.ts';
import type { ShortAnswer } from './short-answer.ts';
import type { Answerer, ShortRoute } from './short-way.ts';

export type ShortPagesDeps = {
  readonly pages: Pages;
  readonly publicUrl: string | undefined;
  readonly behindProxy: boolean;
  readonly balanceOf: (clientId: string) => Promise<number>;
  readonly draining: () => boolean;
};

export const listPath = '/api/clients/products';
export const filterPath = '/api/filter';

const caching = { 'cache-control': 'private, no-cache' } as const;

const listAnswer = ({ head, data, tail, etag }: PageAnswer): ShortAnswer => ({
  status: 200,
  headers: { ...caching, etag },
  parts: [head, data, tail],
});

const filterAnswer = ({ head, data, tail }: PageAnswer): ShortAnswer => ({
  status: 200,
  headers: caching,
  parts: [head, data, tail],
});

export const shortPages = (deps: ShortPagesDeps): readonly ShortRoute[] => {
  const baseOf = ({ headers }: IncomingMessage): string | undefined => {
    if (deps.publicUrl !== undefined) return deps.publicUrl;
    return deps.behindProxy ? undefined : plainBase(headers.host);
  };

  /** Undefined where the database does not tell, or the server is told to stop meanwhile. */
  const balanceOf = async (clientId: string): Promise<number | undefined> => {
    const balance = await deps.balanceOf(clientId).catch(() => undefined);
    return deps.draining() ? undefined : balance;
  };

  const look = (
    request: IncomingMessage,
    body: Buffer,
    answerOf: (answer: PageAnswer) => ShortAnswer,
  ): Answerer | undefined => {
    const base = baseOf(request);
    if (base === undefined) return undefined;
    const page = deps.pages.find({ base, url: request.url ?? '', body: body.toString('latin1') });
    if (page === undefined) return undefined;
    return async ({ clientId }) => {
      const balance = await balanceOf(clientId);
      return balance === undefined ? undefined : answerOf(page(balance));
    };
  };

  return [
    {
      route: listPath,
      method: 'GET',
      scope: 'catalogue',
      takes: (url) => url.startsWith(listPath),
      look: (request, body) =>
        request.headers['if-none-match'] === undefined && body.length === 0
          ? look(request, body, listAnswer)
          : undefined,
    },
    {
      route: filterPath,
      method: 'POST',
      scope: 'catalogue',
      takes: (url) => url.startsWith(filterPath),
      look: (request, body) =>
        /^application\/json(?:;|$)/.test(request.headers['content-type'] ?? '')
          ? look(request, body, filterAnswer)
          : undefined,
    },
  ];
};
