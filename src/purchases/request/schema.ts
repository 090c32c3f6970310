/** Collects a purchase's fields from the query and the body, and describes them in the request schema. */
import type { IncomingMessage } from 'node:http';
import { Type } from 'typebox';
import type { ErrorCode } from '../../lib/errors.ts';
import { mobileRule } from '../../lib/field-texts.ts';
import type { PurchasePath } from '../decide.ts';
import { collectBody, type RawFields, readBody } from './encodings.ts';
import type { FieldRules } from './fields.ts';

const isRecord = (value: unknown): value is RawFields =>
  typeof value === 'object' && value !== null;

/** The parts of a request that carry its fields. */
type Carrier = {
  readonly method: string;
  readonly query: unknown;
  readonly body: unknown;
  readonly raw: IncomingMessage;
};

/** The query's fields, overridden by the body's. */
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
// Forms carry text, and numbers are accepted for text: both are the same request.
const textOrNumber = Type.Union([Type.String(), Type.Number()]);

export type ExampleFields = Readonly<
  Record<'product_id' | 'price', number> & Record<'mobile' | 'webservice_code', string>
>;

export const fieldsSchema = (rules: FieldRules, path: PurchasePath, example: ExampleFields) => {
  const personal = rules.personalOffers.join(' and ');
  const field = (description: string, example: string | number) => ({
    ...textOrNumber,
    description,
    examples: [example],
  });
  const fields = {
    product_id: field(
      path === 'package'
        ? `The ID of the product. Use ${personal} for personal offers.`
        : 'The ID of a top-up (`cell_direct_charge`).',
      example.product_id,
    ),
    mobile: field(`The mobile number: ${mobileRule(rules.mobile).en}.`, example.mobile),
    price: field(
      "The product's `price`, or any amount from `price` to `second_price` if that is set. For a personal offer: its `amount` plus VAT.",
      example.price,
    ),
    webservice_code: field(
      'Your own tracking code, 1 to 255 characters. It need not be unique.',
      example.webservice_code,
    ),
    profile_id: Type.Optional(
      field(
        `The product's \`profile_id\`. Any other value is refused. Products without one ignore it; personal offers (${personal}) pass it on to the operator.`,
        '230',
      ),
    ),
    allow_repeat: Type.Optional({
      ...flag,
      description: 'Send `1` to buy even if the purchase looks like a duplicate of another one.',
      examples: ['1'],
    }),
    ported: Type.Optional({
      ...flag,
      description:
        "Send `1` if the number was ported to this product's operator, so that its prefix is not checked.",
      examples: ['1'],
    }),
  };
  if (path === 'top-up') {
    return Type.Object(fields, { title: 'TopUpPurchase', description: 'The fields of a top-up.' });
  }
  return Type.Object(
    {
      ...fields,
      offerCode: Type.Optional(field('The `offerCode` of the personal offer.', '70103')),
      offerType: Type.Optional(field('The `offerType` of the personal offer.', '1')),
    },
    { title: 'PackagePurchase', description: 'The fields of a package or a personal offer.' },
  );
};

/** The errors of a purchase that is refused before the order, and of its validation. */
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

/** The errors of buying on a path. */
export const errorsOf = (path: PurchasePath): readonly ErrorCode[] =>
  path === 'package'
    ? [...buyErrors, 'OFFER_EXPIRED', 'PRICE_CHANGED']
    : buyErrors.filter((code) => code !== 'OFFER_NOT_FOUND');
