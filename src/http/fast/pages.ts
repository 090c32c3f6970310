/** Serves cached catalogue pages on the fast path. */
import { type PageCache, pageHeaders, type SentPage } from '../../catalogue/pages/cache.ts';
import type { BalanceOf } from '../../ledger/balances.ts';
import { plainBase } from '../../lib/http/base-url.ts';
import { encodingFor } from '../../lib/http/compression.ts';
import type { Answerer, FastRoute } from './answer.ts';
import type { RequestHead } from './request.ts';
import { type FastAnswer, type HeaderList, headerList } from './write.ts';

export type FastPagesDeps = {
  readonly pages: PageCache;
  readonly publicUrl: string | undefined;
  readonly behindProxy: boolean;
  readonly balanceOf: BalanceOf;
  readonly draining: () => boolean;
};

export const listPath = '/api/clients/products';
export const filterPath = '/api/filter';

const { 'cache-control': cacheControl, ...others } = pageHeaders;
const fixed = headerList(others);

const headersOf = ({ etag, encoding }: SentPage, isTagged: boolean): HeaderList => [
  ...fixed,
  ...(isTagged ? ['etag', etag] : []),
  ...(encoding === undefined ? [] : ['content-encoding', encoding]),
];

/** The list has a tag, a filter does not. */
const answerOf = (sent: SentPage, isTagged: boolean): FastAnswer => ({
  status: 200,
  cacheControl,
  headers: headersOf(sent, isTagged),
  parts: sent.parts,
});

export const fastPages = (deps: FastPagesDeps): readonly FastRoute[] => {
  const baseOf = ({ headers }: RequestHead): string | undefined => {
    if (deps.publicUrl !== undefined) return deps.publicUrl;
    return deps.behindProxy ? undefined : plainBase(headers.host);
  };

  /** Undefined if the database does not return it. */
  const balanceNow = (clientId: string): number | Promise<number> | undefined => {
    try {
      return deps.balanceOf(clientId);
    } catch {
      return undefined;
    }
  };

  const match = (request: RequestHead, body: Buffer, isTagged: boolean): Answerer | undefined => {
    const base = baseOf(request);
    if (base === undefined) return undefined;
    const page = deps.pages.find({ base, url: request.url ?? '', body: body.toString('latin1') });
    if (page === undefined) return undefined;
    const encoding = encodingFor(request.headers['accept-encoding']);
    const answer = (balance: number) => answerOf(page(balance, encoding), isTagged);
    return ({ clientId }) => {
      const balance = balanceNow(clientId);
      if (typeof balance === 'number') return answer(balance);
      // In between, the server may begin to stop, or the database may become unavailable.
      return balance?.then(
        (read) => (deps.draining() ? undefined : answer(read)),
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
      match: (request, body) =>
        request.headers['if-none-match'] === undefined && body.length === 0
          ? match(request, body, true)
          : undefined,
    },
    {
      route: filterPath,
      method: 'POST',
      scope: 'catalogue',
      takes: (url) => url.startsWith(filterPath),
      match: (request, body) =>
        /^application\/json(?:;|$)/.test(request.headers['content-type'] ?? '')
          ? match(request, body, false)
          : undefined,
    },
  ];
};
