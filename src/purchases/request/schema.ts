/** Collects a purchase's fields from the query and the body, and describes them in the request schema. */
import type { IncomingMessage } from 'node:http';
import { Type } from 'typebox';
import type { ErrorCode } from '../../lib/errors.ts';
import type { PurchasePath } from '../decide.ts';
import { collectBody, type RawFields, readBody } from './encodings.ts';
import type { FieldRules } from './fields.ts';

const isRecord = (value: unknown): value is RawFields =>
  typeof value === 'object' && value !== null;

/** What a request brings its fields in. */
type Carrier = {
  readonly method: string;
  readonly query: unknown;
  readonly body: unknown;
  readonly raw: IncomingMessage;
};

/** The query's fields, and the body's over them. */
export const rawFields = async (request: Carrier, bodyBytes: number): Promise<RawFields> => {
  const query = isRecord(request.query) ? request.query : {};
  const body =
    request.method === 'GET'
      ? await readBody(
          await collectBody(request.raw, bodyBytes),
          request.raw.headers['content-type'] ?? '',
        )
      : request.body;
  return isRecord(body) ? { ...query, ...body } : query;
};

const flag = Type.Union([Type.Number(), Type.String(), Type.Boolean()]);
const number = Type.Union([Type.Number(), Type.String()]);

export type ExampleFields = Readonly<
  Record<'product_id' | 'price', number> & Record<'mobile' | 'webservice_code', string>
>;

export const fieldsSchema = (rules: FieldRules, path: PurchasePath, example: ExampleFields) => {
  const text = (description: string, example: string) =>
    Type.String({ description, examples: [example] });
  const fields = {
    product_id: {
      ...number,
      description:
        path === 'package'
          ? `The product's id; ${rules.personalOffers.join(' and ')} are the personal offers.`
          : 'The id of a top-up (`cell_direct_charge`).',
      examples: [example.product_id],
    },
    mobile: text("The subscriber's number, as in the offers request.", example.mobile),
    price: {
      ...number,
      description:
        "The product's `price` (or, where `second_price` is filled, anything between the two); for a personal offer its `amount` plus value-added tax.",
      examples: [example.price],
    },
    webservice_code: text(
      'A tracking code of your own, 1 to 255 characters; need not be unique.',
      example.webservice_code,
    ),
    profile_id: Type.Optional({
      ...number,
      description: `The product's \`profile_id\`. Optional: the operator gets the product's own either way, and any other value is refused. A product without one ignores it; the personal offers (${rules.personalOffers.join(' and ')}) pass it on.`,
      examples: ['230'],
    }),
    allow_repeat: Type.Optional({
      ...flag,
      description:
        '1: buy it although it looks like a repeat of another purchase. Only where such are refused for you.',
      examples: ['1'],
    }),
    ported: Type.Optional({
      ...flag,
      description:
        "1: the number has moved to this product's operator, whatever its prefix says. Only where prefixes decide.",
      examples: ['1'],
    }),
  };
  return path === 'top-up'
    ? Type.Object(fields)
    : Type.Object({
        ...fields,
        offerCode: Type.Optional(
          text('`offerCode` of the chosen offer; personal offers only.', '70103'),
        ),
        offerType: Type.Optional(
          text('`offerType` of the chosen offer; personal offers only.', '1'),
        ),
      });
};

/** What the judgement of a purchase may say, whether it is bought or tried. */
export const judgementErrors = [
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'VALIDATION_FAILED',
  'INVALID_MOBILE',
  'INSUFFICIENT_BALANCE',
  'PRODUCT_NOT_FOUND',
  'PRODUCT_INACTIVE',
  'OPERATOR_MISMATCH',
  'SIM_TYPE_MISMATCH',
  'PRICE_MISMATCH',
  'AMOUNT_OUT_OF_RANGE',
  'OFFER_NOT_FOUND',
  'PRODUCT_NOT_ALLOWED',
  'DAILY_LIMIT_REACHED',
  'LIKELY_DUPLICATE',
  'OPERATOR_UNAVAILABLE',
] as const satisfies readonly ErrorCode[];

const buyErrors = [
  'IDEMPOTENCY_KEY_MISSING',
  'IDEMPOTENCY_KEY_INVALID',
  'IDEMPOTENCY_KEY_REUSED',
  'OPERATOR_DECLINED',
  'ORDER_NOT_RECEIVED',
  'NOT_DELIVERED',
  'TRANSACTION_PENDING',
  ...judgementErrors,
] as const satisfies readonly ErrorCode[];

/** What buying on a path may say. */
export const errorsOf = (path: PurchasePath): readonly ErrorCode[] =>
  path === 'package'
    ? [...buyErrors, 'OFFER_EXPIRED', 'PRICE_CHANGED']
    : buyErrors.filter((code) => code !== 'OFFER_NOT_FOUND');
