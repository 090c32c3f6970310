/** Owns the short way of the catalogue: pages of the list and the filter that were asked for before. */
import type { PageAnswer, Pages } from '../catalogue/pages.ts';
import type { BalanceOf } from '../ledger/balances.ts';
import { plainBase } from '../lib/base-url.ts';
import type { RequestHead } from './plain-request.ts';
import type { ShortAnswer } from './short-answer.ts';
import type { Answerer, ShortRoute } from './short-answering.ts';

export type ShortPagesDeps = {
  readonly pages: Pages;
  readonly publicUrl: string | undefined;
  readonly behindProxy: boolean;
  readonly balanceOf: BalanceOf;
  readonly draining: () => boolean;
};

export const listPath = '/api/clients/products';
export const filterPath = '/api/filter';

const caching = ['cache-control', 'private, no-cache'] as const;

const listAnswer = ({ head, data, tail, etag }: PageAnswer): ShortAnswer => ({
  status: 200,
  headers: [...caching, 'etag', etag],
  parts: [head, data, tail],
});

const filterAnswer = ({ head, data, tail }: PageAnswer): ShortAnswer => ({
  status: 200,
  headers: caching,
  parts: [head, data, tail],
});

export const shortPages = (deps: ShortPagesDeps): readonly ShortRoute[] => {
  const baseOf = ({ headers }: RequestHead): string | undefined => {
    if (deps.publicUrl !== undefined) return deps.publicUrl;
    return deps.behindProxy ? undefined : plainBase(headers.host);
  };

  /** Undefined where the database does not tell. */
  const balanceNow = (clientId: string): number | Promise<number> | undefined => {
    try {
      return deps.balanceOf(clientId);
    } catch {
      return undefined;
    }
  };

  const look = (
    request: RequestHead,
    body: Buffer,
    answerOf: (answer: PageAnswer) => ShortAnswer,
  ): Answerer | undefined => {
    const base = baseOf(request);
    if (base === undefined) return undefined;
    const page = deps.pages.find({ base, url: request.url ?? '', body: body.toString('latin1') });
    if (page === undefined) return undefined;
    return ({ clientId }) => {
      const balance = balanceNow(clientId);
      if (typeof balance === 'number') return answerOf(page(balance));
      // The server may be told to stop meanwhile, or the database be away.
      return balance?.then(
        (read) => (deps.draining() ? undefined : answerOf(page(read))),
        () => undefined,
      );
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
