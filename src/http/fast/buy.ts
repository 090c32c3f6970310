/** Buys on the fast path: a POST of a form or of JSON with all fields in its body. */
import type { AuthenticatedCaller } from '../../clients/auth.ts';
import type { Origin } from '../../lib/http/trace.ts';
import type { Buying } from '../../purchases/buy.ts';
import type { PurchasePath } from '../../purchases/decide.ts';
import { type RawFields, readPlainBody } from '../../purchases/request/encodings.ts';
import { type FieldRules, readFields } from '../../purchases/request/fields.ts';
import { keyIn } from '../../purchases/request/key.ts';
import { answerOf, purchaseUrls } from '../../purchases/routes.ts';
import { type ErrorReporter, errorAnswer } from '../errors.ts';
import { uncached } from '../headers.ts';
import type { FastRoute } from './answer.ts';
import type { RequestHead } from './request.ts';
import { type FastAnswer, headerList } from './write.ts';

export type FastBuyingDeps = {
  readonly buying: Buying;
  readonly rules: FieldRules;
  readonly reporter: ErrorReporter;
};

/** The purchase request; undefined if anything is wrong with it, which the framework answers. */
const wantOf = (request: RequestHead, body: Buffer, path: PurchasePath, rules: FieldRules) => {
  try {
    const { 'content-type': type = '', 'idempotency-key': key } = request.headers;
    const raw: RawFields | undefined = readPlainBody(body, type);
    // Node joins repeated headers with a comma and a space, which no key contains.
    if (raw === undefined || typeof key !== 'string') return undefined;
    const { 'accept-language': language } = request.headers;
    return { key: keyIn(key), fields: readFields(raw, path, rules), language };
  } catch {
    return undefined;
  }
};

type Written = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

const short = ({ status, headers, body }: Written): FastAnswer => ({
  status,
  cacheControl: uncached['cache-control'],
  headers: headerList(headers),
  parts: [body],
  purchaseId: headers['purchase-id'],
});

export const fastBuying = (deps: FastBuyingDeps): readonly FastRoute[] => {
  const buy = async (
    { clientId, rules, test }: AuthenticatedCaller,
    origin: Origin,
    want: NonNullable<ReturnType<typeof wantOf>>,
  ): Promise<FastAnswer> => {
    try {
      const { key, fields } = want;
      const result = await deps.buying.buy({ clientId, ...origin, key, fields, rules, test });
      return short(answerOf(result, rules));
    } catch (error) {
      const headers = { 'accept-language': want.language };
      const failed = { id: origin.requestId, callerStatus: 'known', headers } as const;
      return short(errorAnswer(deps.reporter, error, failed));
    }
  };

  const routeOf = (path: PurchasePath): FastRoute => {
    const url = purchaseUrls[path];
    return {
      route: url,
      method: 'POST',
      scope: 'purchase',
      takes: (asked) => asked === `${url}/` || asked === url,
      match: (request, body) => {
        const want = wantOf(request, body, path, deps.rules);
        return want === undefined ? undefined : (client, origin) => buy(client, origin, want);
      },
    };
  };

  return [routeOf('package'), routeOf('top-up')];
};
