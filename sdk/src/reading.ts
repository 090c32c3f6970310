/** Reads the catalogue, purchases, the account, operators and errors. */
import type { Ask, CallOptions } from './ask.ts';
import { byLast, byMoment, byPage, type Step } from './pages.ts';
import type { Outgoing } from './send.ts';
import type {
  Account,
  Commission,
  Entry,
  ErrorRow,
  NumberInfo,
  Operator,
  Product,
  Purchase,
} from './types.ts';

export type ProductFilter = {
  /** Part of the name, in either language. */
  readonly name?: string;
  readonly type?: Product['type'];
  readonly simCardType?: Product['sim_card_type'];
  /** The name of an operator. */
  readonly operator?: string;
};

export type ChangeOptions = CallOptions & {
  /** Which products you keep a copy of; all by default. */
  readonly filter?: ProductFilter;
};

export type Span = {
  /** A date, or a date and time. */
  readonly from?: string;
  /** The same; not included. */
  readonly to?: string;
};

export type PurchaseFilter = Span & {
  readonly webserviceCode?: string;
  /** The idempotency key. */
  readonly key?: string;
  readonly state?: Purchase['state'];
  readonly mobile?: string;
  readonly productId?: number;
  readonly operatorId?: number;
};

export type NumberOptions = CallOptions & {
  /** Ask this operator instead of the one that issued the number. */
  readonly operatorId?: number;
};

/** The whole list, or what a filter finds; with categories in both. */
const productRequest = (filter: ProductFilter): Outgoing => {
  const { name, type, simCardType, operator } = filter;
  const items = { name, type, sim_card_type: simCardType, operator };
  if (Object.values(items).every((value) => value === undefined)) {
    return { method: 'GET', path: '/api/clients/products' };
  }
  const json = { table: 'product', items: { ...items, categories: 'categories' } };
  return { method: 'POST', path: '/api/filter', json };
};

const purchaseQuery = (filter: PurchaseFilter): NonNullable<Outgoing['query']> => {
  const { webserviceCode, key, productId, operatorId, ...same } = filter;
  return {
    ...same,
    webservice_code: webserviceCode,
    idempotency_key: key,
    product_id: productId,
    operator_id: operatorId,
  };
};

type Listed<T> = { readonly data: readonly T[] };

export const createReading = (ask: Ask) => {
  const get = <T>(path: string, { signal }: CallOptions): Promise<T> =>
    ask({ method: 'GET', path, signal });
  return {
    /** Every product, or those that a filter finds. Pages are fetched on demand. */
    products: (filter: ProductFilter = {}, options: CallOptions = {}): AsyncGenerator<Product> =>
      byPage(ask, { ...productRequest(filter), ...options }),

    /**
     * What changed in the catalogue since the `next` of the last step that you saved; everything by default. The
     * last step may be empty: there is no more for now.
     */
    changes: (
      since = '1970-01-01',
      { filter = {}, ...options }: ChangeOptions = {},
    ): AsyncGenerator<Step> => byMoment(ask, { ...productRequest(filter), ...options }, since),

    /** Your purchases, newest first, without gaps or duplicates while more are sold. */
    purchases: (filter: PurchaseFilter = {}, options: CallOptions = {}): AsyncGenerator<Purchase> =>
      byLast(ask, {
        method: 'GET',
        path: '/api/purchases',
        query: purchaseQuery(filter),
        ...options,
      }),

    /** One of your purchases. */
    purchase: (id: string, options: CallOptions = {}): Promise<Purchase> =>
      get(`/api/purchases/${encodeURIComponent(id)}`, options),

    /** Your balance, limits and rules. */
    account: (options: CallOptions = {}): Promise<Account> => get('/api/account', options),

    /** Your commissions now. The first that fits a product decides. */
    commissions: (options: CallOptions = {}): AsyncGenerator<Commission> =>
      byPage(ask, { method: 'GET', path: '/api/commissions', ...options }),

    /** Every entry of your account, oldest first. */
    statement: (span: Span = {}, options: CallOptions = {}): AsyncGenerator<Entry> =>
      byPage(ask, { method: 'GET', path: '/api/statement', query: span, ...options }),

    /** The operator of a mobile number, and whether it is prepaid or postpaid. */
    number: (mobile: string, { operatorId, signal }: NumberOptions = {}): Promise<NumberInfo> => {
      const path = `/api/numbers/${encodeURIComponent(mobile)}`;
      return ask({ method: 'GET', path, query: { operator_id: operatorId }, signal });
    },

    /** The operators and their status. */
    operators: async (options: CallOptions = {}): Promise<readonly Operator[]> =>
      (await get<Listed<Operator>>('/api/operators', options)).data,

    /** Every error code and its meaning. */
    errors: async (options: CallOptions = {}): Promise<readonly ErrorRow[]> =>
      (await get<Listed<ErrorRow>>('/api/errors', options)).data,
  };
};

export type Reading = ReturnType<typeof createReading>;
