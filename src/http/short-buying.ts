/** Owns the short way of buying: a POST of a form or of JSON with all its fields in the body. */
import type { IncomingMessage } from 'node:http';
import type { Buying } from '../purchases/buy.ts';
import type { PurchasePath } from '../purchases/decide.ts';
import { type RawFields, readPlainBody } from '../purchases/encodings.ts';
import { type FieldRules, readFields } from '../purchases/fields.ts';
import { readKey } from '../purchases/key.ts';
import { answerOf, purchaseUrls } from '../purchases/routes.ts';
import { type ErrorEars, errorAnswer } from './errors.ts';
import { uncached } from './headers.ts';
import { headerList, type ShortAnswer } from './short-answer.ts';
import type { ShortRoute } from './short-way.ts';

export type ShortBuyingDeps = {
  readonly buying: Buying;
  readonly rules: FieldRules;
  readonly ears: ErrorEars;
};

/** What a request wants; undefined where anything is wrong with it, which the long way tells. */
const wantOf = (request: IncomingMessage, body: Buffer, path: PurchasePath, rules: FieldRules) => {
  try {
    const raw: RawFields | undefined = readPlainBody(body, request.headers['content-type'] ?? '');
    if (raw === undefined) return undefined;
    return { key: readKey(request.rawHeaders), fields: readFields(raw, path, rules) };
  } catch {
    return undefined;
  }
};

export const shortBuying = (deps: ShortBuyingDeps): readonly ShortRoute[] => {
  const buy = async (
    clientId: string,
    requestId: string,
    want: NonNullable<ReturnType<typeof wantOf>>,
  ): Promise<ShortAnswer> => {
    const { status, headers, body } = await deps.buying
      .buy({ clientId, requestId, ...want })
      .then(answerOf)
      .catch((error: unknown) => errorAnswer(deps.ears, error, requestId));
    return { status, headers: headerList({ ...uncached, ...headers }), parts: [body] };
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
        return want === undefined
          ? undefined
          : ({ clientId }, requestId) => buy(clientId, requestId, want);
      },
    };
  };

  return [routeOf('package'), routeOf('top-up')];
};
