/** Reads the filters of a purchase search from a request. Pure. */
import { type Static, Type } from 'typebox';
import { productTypes } from '../../catalogue/product.ts';
import { type FieldErrors, GatewayError } from '../../lib/errors.ts';
import { mobileRule, mustBe } from '../../lib/field-texts.ts';
import { optionalText, readSpan, spanQuery } from '../../lib/http/query.ts';
import { type MobileFormat, readTypedMobile } from '../../lib/mobile.ts';
import { readPositive } from '../../lib/page.ts';
import { persianDigits } from '../../lib/text.ts';
import { examplePurchase } from '../../purchases/inquiry/wire.ts';
import { type State, states } from '../../purchases/purchase.ts';
import { maskAllNumbers } from '../mask.ts';

export type Filter = {
  readonly id?: string | undefined;
  readonly key?: string | undefined;
  readonly code?: string | undefined;
  /** In Latin digits, with the country's prefix. */
  readonly number?: string | undefined;
  readonly clientId?: string | undefined;
  /** `open`: any state from which the gateway still proceeds. */
  readonly state?: State | 'open' | undefined;
  readonly needsReview: boolean;
  /** Whether something contradicts its recorded outcome. */
  readonly disputed?: boolean | undefined;
  readonly operatorId?: number | undefined;
  readonly productId?: number | undefined;
  /** Of the product, as the catalogue has it now. */
  readonly type?: (typeof productTypes)[number] | undefined;
  /** The code of its reason. */
  readonly reason?: string | undefined;
  readonly minAmount?: number | undefined;
  readonly maxAmount?: number | undefined;
  /** Without the purchases of test clients, or only those. */
  readonly test?: 'hide' | 'only' | undefined;
  /** Begun at or after this time, and before that one. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** For roles without the right to numbers: what matches a number in it is not found. */
  readonly unseen?: Unseen | undefined;
};

/** A text without separators, and where the digits after the prefix begin in a number, from 1. */
export type Unseen = { readonly text: string; readonly from: number };

/** A filter, and a text of unknown kind. */
export type SearchFilter = Filter & { readonly text?: string | undefined };

const filters = {
  q: optionalText(
    'An ID, idempotency key, tracking code or mobile number. They are tried in this order, and the first match counts.',
    examplePurchase.webservice_code,
  ),
  number: optionalText(
    'Return only purchases for this mobile number. The country prefix is optional, and Persian digits are accepted.',
    '0912 345 67 00',
  ),
  key: optionalText(
    'Return only purchases with this idempotency key.',
    examplePurchase.idempotency_key,
  ),
  code: optionalText(
    'Return only purchases with this tracking code.',
    examplePurchase.webservice_code,
  ),
  id: optionalText('Return only the purchase with this ID.', examplePurchase.id),
  client_id: optionalText('Return only purchases of this client.', examplePurchase.id),
  state: Type.Optional(
    Type.Enum([...states, 'open'], {
      description: 'Return only purchases in this state. `open` means `submitted` or `unknown`.',
    }),
  ),
  needs_person: Type.Optional(
    Type.Enum(['0', '1'], { description: '`1`: return only purchases that need review.' }),
  ),
  disputed: Type.Optional(
    Type.Enum(['0', '1'], {
      description: '`1`: return only purchases whose recorded outcome is contradicted.',
    }),
  ),
  operator_id: optionalText('Return only purchases from this operator.', '2'),
  product_id: optionalText('Return only purchases of this product.', '2008'),
  type: Type.Optional(
    Type.Enum([...productTypes], {
      description:
        'Return only purchases of products of this type. Removed products have none any more.',
    }),
  ),
  reason: optionalText(
    'Return only purchases with this code as their reason.',
    'INSUFFICIENT_BALANCE',
  ),
  min_amount: optionalText('Return only purchases of this amount or more.', '10000'),
  max_amount: optionalText('Return only purchases of this amount or less.', '500000'),
  test: Type.Optional(
    Type.Enum(['hide', 'show', 'only'], {
      description: 'Test clients. Default: `hide`; `show` if one is named.',
    }),
  ),
  ...spanQuery('purchases that began'),
};

const shaped = { additionalProperties: false, examples: [{ state: 'failed', from: '2026-01-01' }] };

export const FilterSchema = Type.Object(filters, shaped);

export const SearchSchema = Type.Object(
  {
    ...filters,
    before: optionalText('Cursor: `next` of the previous page.', examplePurchase.id),
    limit: optionalText('Purchases per page, 1 to 100. Default: 50.', '50'),
    order: Type.Optional(
      Type.Enum(['newest', 'oldest'], { description: 'Which come first. Default: `newest`.' }),
    ),
  },
  shaped,
);

export type Query = Static<typeof FilterSchema>;

const wholeNumbers = {
  operatorId: 'operator_id',
  productId: 'product_id',
  minAmount: 'min_amount',
  maxAmount: 'max_amount',
} as const satisfies Partial<Record<keyof Filter, keyof Query>>;

/** Reads the whole numbers, or throws an error about all that are none. */
const readNumbers = (query: Query): Partial<Record<keyof typeof wholeNumbers, number>> => {
  const errors: Record<string, FieldErrors[string]> = {};
  const read = Object.entries(wholeNumbers).flatMap(([name, field]): [string, number][] => {
    const text = query[field];
    if (text === undefined) return [];
    const number = readPositive(text);
    if (number !== undefined) return [[name, number]];
    errors[field] = [mustBe(field, { en: 'a positive whole number', fa: 'عددی صحیح و مثبت' })];
    return [];
  });
  if (Object.keys(errors).length > 0) throw new GatewayError('VALIDATION_FAILED', { errors });
  return Object.fromEntries(read);
};

/** A search that names a purchase or a client finds it, also a test client's. */
const testIn = (query: Query): Filter['test'] => {
  const { q, id, key, code, client_id } = query;
  const isNamed = [q, id, key, code, client_id].some((text) => text !== undefined);
  const test = query.test ?? (isNamed ? 'show' : 'hide');
  return test === 'show' ? undefined : test;
};

/** The filter of a query; throws if it is invalid. */
export const readSearchFilter = (query: Query, mobile: MobileFormat): SearchFilter => {
  const number = query.number === undefined ? undefined : readTypedMobile(query.number, mobile);
  const span = readSpan(query);
  if (query.number !== undefined && number === undefined) {
    const errors: FieldErrors = { number: [mustBe('number', mobileRule(mobile))] };
    throw new GatewayError('VALIDATION_FAILED', { errors });
  }
  return {
    text: query.q?.trim(),
    id: query.id?.trim().toLowerCase(),
    key: query.key?.trim(),
    code: query.code?.trim(),
    number,
    clientId: query.client_id?.trim(),
    state: query.state,
    needsReview: query.needs_person === '1',
    ...(query.disputed === '1' ? { disputed: true } : {}),
    type: query.type,
    reason: query.reason?.trim(),
    test: testIn(query),
    ...readNumbers(query),
    ...span,
  };
};

const usualLimit = 50;
const mostOnAPage = 100;

export const readLimit = (text: string | undefined): number => {
  const limit = text === undefined ? usualLimit : readPositive(text);
  if (limit !== undefined && limit <= mostOnAPage) return limit;
  const errors: FieldErrors = {
    limit: [
      mustBe('limit', {
        en: `a whole number, 1 to ${mostOnAPage}`,
        fa: `عددی صحیح از ۱ تا ${persianDigits(mostOnAPage)}`,
      }),
    ],
  };
  throw new GatewayError('VALIDATION_FAILED', { errors });
};

// Already checked, and full of digits that belong to no number.
const times: ReadonlySet<string> = new Set(['from', 'to']);
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The same query for the record: possible numbers are masked. */
export const maskQuery = (query: Query, mobile: MobileFormat): Record<string, string> => {
  const mask = maskAllNumbers(mobile);
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [
      name,
      times.has(name) || uuid.test(value) ? value : mask(value),
    ]),
  );
};
