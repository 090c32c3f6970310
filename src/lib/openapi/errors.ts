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

const exampleId = '019a8f3e-6c1d-7b52-9a41-3f0c5d2e7b18';

export const ErrorSchema = Type.Object(
  {
    message: Type.String({ description: 'What happened and what to do, in a sentence.' }),
    code: Type.String({ description: 'Which error it is; programs go by this.' }),
    charged: Type.Enum(['no', 'unknown', 'yes'], {
      description: 'Whether this request took money.',
    }),
    retry: Type.Enum(['same_key', 'new_key', 'no'], {
      description:
        '`same_key`: send the same again, later. `new_key`: a new purchase may succeed once the cause is gone. `no`: sending it again changes nothing.',
    }),
    request_id: Type.String({ description: 'Name it when you ask about this answer.' }),
    docs: Type.Optional(
      Type.String({
        description:
          'The page that explains the code; absent only in responses recorded by older versions.',
      }),
    ),
    errors: Type.Optional(
      Type.Record(Type.String(), Type.Array(Type.String()), {
        description: 'Where fields are at fault: each with its sentences.',
      }),
    ),
    expected_price: Type.Optional(
      Type.Integer({ description: 'Where the price was another: what it costs.' }),
    ),
    purchase_id: Type.Optional(
      Type.String({ description: 'Where it looks like a repeat: of which purchase.' }),
    ),
    began_at: Type.Optional(Type.String({ description: 'When that purchase began.' })),
    daily_limit: Type.Optional(
      Type.Integer({ description: 'Where a day has its limit: what you may spend on it.' }),
    ),
    left_today: Type.Optional(Type.Integer({ description: 'What of it you have not spent yet.' })),
    offers: Type.Optional(
      Type.Array(Type.Record(Type.String(), Type.String()), {
        description: 'What the subscriber is offered now, as the offers route lists it.',
      }),
    ),
  },
  { description: 'The one body of every error.' },
);

const exampleOffer = {
  offerCode: '70103',
  offerDesc: '2 GB data, 3 days',
  offerDescLN: '۲ گیگابایت اینترنت، ۳ روزه',
  validityDays: '3',
  offerType: '1',
  amount: '30000',
  name: 'بسته ۲ گیگابایت ۳ روزه',
};

/** What some codes carry besides, for their examples. */
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

/** The same for every route that shows it. */
const exampleOf = perKey((code: ErrorCode) =>
  errorBody(new GatewayError(code, exampleDetails[code]), exampleId),
);

const always = ['INTERNAL_ERROR', 'OVERLOADED', 'DRAINING', 'DATABASE_UNAVAILABLE'] as const;

/** What every route that takes a token may answer. */
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

/** The error answers of a route, by status, for its schema. */
export const errorResponses = (...codes: readonly ErrorCode[]) => {
  const byStatus = Map.groupBy([...codes, ...always], (code) => errorTable[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => `\`${code}\`: ${errorTable[code].message}`).join('\n\n'),
        content: {
          'application/json': {
            schema: ErrorSchema,
            examples: Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }])),
          },
        },
      },
    ]),
  );
};
