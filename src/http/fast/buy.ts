/** Buys on the fast path: a POST of a form or of JSON with all fields in its body. */
import type { Passed } from '../../clients/auth.ts';
import type { Origin } from '../../lib/http/trace.ts';
import type { Buying } from '../../purchases/buy.ts';
import type { PurchasePath } from '../../purchases/decide.ts';
import { type RawFields, readPlainBody } from '../../purchases/request/encodings.ts';
import { type FieldRules, readFields } from '../../purchases/request/fields.ts';
import { keyIn } from '../../purchases/request/key.ts';
import { answerOf, purchaseUrls } from '../../purchases/routes.ts';
import { type ErrorEars, errorAnswer } from '../errors.ts';
import { uncached } from '../headers.ts';
import type { ShortRoute } from './answer.ts';
import type { RequestHead } from './request.ts';
import { headerList, type ShortAnswer } from './write.ts';

export type ShortBuyingDeps = {
  readonly buying: Buying;
  readonly rules: FieldRules;
  readonly ears: ErrorEars;
};

/** What a request wants; undefined where anything is wrong with it, which the long way tells. */
const wantOf = (request: RequestHead, body: Buffer, path: PurchasePath, rules: FieldRules) => {
  try {
    const { 'content-type': type = '', 'idempotency-key': key } = request.headers;
    const raw: RawFields | undefined = readPlainBody(body, type);
    // Node joins a header that comes twice by a comma and a blank, which no key has.
    if (raw === undefined || typeof key !== 'string') return undefined;
    return { key: keyIn(key), fields: readFields(raw, path, rules) };
  } catch {
    return undefined;
  }
};

type Written = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

const short = ({ status, headers, body }: Written): ShortAnswer => ({
  status,
  cacheControl: uncached['cache-control'],
  headers: headerList(headers),
  parts: [body],
  purchaseId: headers['purchase-id'],
});

export const shortBuying = (deps: ShortBuyingDeps): readonly ShortRoute[] => {
  const buy = async (
    { clientId, rules }: Passed,
    origin: Origin,
    want: NonNullable<ReturnType<typeof wantOf>>,
  ): Promise<ShortAnswer> => {
    try {
      const { key, fields } = want;
      const result = await deps.buying.buy({ clientId, ...origin, key, fields, rules });
      return short(answerOf(result, rules));
    } catch (error) {
      return short(errorAnswer(deps.ears, error, { id: origin.requestId, standing: 'known' }));
    }
  };

  const routeOf = (path: PurchasePath): ShortRoute => {
    const url = purchaseUrls[path];
    return {
      route: url,
      method: 'POST',
      scope: 'purchase',
      takes: (asked) => asked === `${url}/` || asked === url,
      look: (request, body) => {
        const want = wantOf(request, body, path, deps.rules);
        return want === undefined ? undefined : (client, origin) => buy(client, origin, want);
      },
    };
  };

  return [routeOf('package'), routeOf('top-up')];
};
