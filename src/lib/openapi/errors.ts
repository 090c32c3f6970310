/** Builds the OpenAPI schemas and examples of errors from the error table. */
import { Type } from 'typebox';
import {
  type ErrorCode,
  type ErrorDetails,
  errorBody,
  errorTable,
  GatewayError,
} from '../errors.ts';
import { invalidMobile, isRequired } from '../field-texts.ts';
import { perKey } from '../memo.ts';
import { errorDescriber } from './describe-errors.ts';
import { exampleOffer, OfferSchema } from './offer.ts';

const exampleId = '019a8f3e-6c1d-7b52-9a41-3f0c5d2e7b18';

export const ErrorSchema = Type.Object(
  {
    message: Type.String({ description: 'What happened and what to do, for a person to read.' }),
    code: Type.String({
      description: 'The error code. Base your program on it, not on `message`.',
    }),
    charged: Type.Enum(['no', 'unknown', 'yes'], {
      description: 'Whether this request charged your account.',
    }),
    retry: Type.Enum(['same_key', 'new_key', 'no'], {
      description:
        '`same_key`: send the same request again later. `new_key`: correct the cause, then buy again with a new key. `no`: a retry gives the same error.',
    }),
    request_id: Type.String({
      description: 'The ID of the request. Quote it when you contact support.',
    }),
    docs: Type.Optional(
      Type.String({
        description:
          'The page that explains the code. Absent in responses that older versions recorded.',
      }),
    ),
    errors: Type.Optional(
      Type.Record(Type.String(), Type.Array(Type.String()), {
        description: 'The invalid fields, each with a list of messages.',
      }),
    ),
    expected_price: Type.Optional(
      Type.Integer({ description: 'On `PRICE_MISMATCH`: the price to send.' }),
    ),
    purchase_id: Type.Optional(
      Type.String({ description: 'On `LIKELY_DUPLICATE`: the ID of the earlier purchase.' }),
    ),
    began_at: Type.Optional(
      Type.String({ description: 'On `LIKELY_DUPLICATE`: when the earlier purchase began.' }),
    ),
    daily_limit: Type.Optional(
      Type.Integer({ description: 'On `DAILY_LIMIT_REACHED`: your daily limit.' }),
    ),
    left_today: Type.Optional(
      Type.Integer({ description: 'On `DAILY_LIMIT_REACHED`: what you can still spend today.' }),
    ),
    offers: Type.Optional(
      Type.Array(OfferSchema, {
        description: 'The current offers of the subscriber, as the offers endpoint returns them.',
      }),
    ),
  },
  { title: 'Error', description: 'The body of every error.' },
);

const describeErrors = errorDescriber(ErrorSchema);

/** The additional fields of some codes, for their examples. */
const exampleDetails: Partial<Record<ErrorCode, ErrorDetails>> = {
  VALIDATION_FAILED: { errors: { price: [isRequired('price')] } },
  INVALID_MOBILE: { errors: invalidMobile({ prefix: '98', digits: 10 }).errors },
  LIKELY_DUPLICATE: {
    more: { purchase_id: exampleId, began_at: '2026-01-31T09:30:00.000000Z' },
  },
  DAILY_LIMIT_REACHED: { more: { daily_limit: 5_000_000, left_today: 20_000 } },
  PRICE_MISMATCH: { more: { expected_price: 33_000 } },
  OFFER_NOT_FOUND: { more: { offers: [exampleOffer] } },
  OFFER_EXPIRED: { more: { offers: [exampleOffer] } },
  PRICE_CHANGED: { more: { offers: [exampleOffer] } },
};

const exampleOf = (code: ErrorCode) =>
  errorBody(new GatewayError(code, exampleDetails[code]), exampleId);

const always = ['INTERNAL_ERROR', 'OVERLOADED', 'DRAINING', 'DATABASE_UNAVAILABLE'] as const;

/** The errors of every route that takes a token. */
export const tokenErrors = [
  'MALFORMED_REQUEST',
  'TOKEN_MISSING',
  'TOKEN_INVALID',
  'TOKEN_EXPIRED',
  'CLIENT_SUSPENDED',
  'IP_NOT_ALLOWED',
  'SCOPE_MISSING',
  'METHOD_NOT_ALLOWED',
  'RATE_LIMITED',
] as const satisfies readonly ErrorCode[];

/** The same for every route that shows it. */
const rowOf = perKey((code: ErrorCode) => ({
  code,
  ...errorTable[code],
  example: exampleOf(code),
}));

const rowsOf = (codes: readonly ErrorCode[]) => [...new Set(codes)].map(rowOf);

/** The responses of these errors and no others, by status. */
export const responsesOf = (...codes: readonly ErrorCode[]) => describeErrors(rowsOf(codes));

/** The error responses of a route, by status, with those that every route has. */
export const errorResponses = (...codes: readonly ErrorCode[]) => responsesOf(...codes, ...always);

/** The same for routes that buy: some clients get 409 for a pending purchase. */
export const purchaseResponses = (...codes: readonly ErrorCode[]) => {
  const { message } = errorTable.TRANSACTION_PENDING;
  const pending = { code: 'TRANSACTION_PENDING', status: 409, message };
  return describeErrors([...rowsOf([...codes, ...always]), pending]);
};
