/** Provides the client: one function per route, each safe to retry. */
import { newKey } from './key.ts';
import { type Ask, byLast, byMoment, byPage, type Step } from './pages.ts';
import { offerPrice } from './price.ts';
import { type Outgoing, type Settings, send } from './send.ts';
import type {
  Account,
  Checked,
  Entry,
  ErrorRow,
  ListedOffer,
  NumberInfo,
  Operator,
  Product,
  Purchase,
} from './types.ts';

export type ClientOptions = {
  /** Where the gateway is, as `https://gateway.example`. */
  readonly url: string;
  /** Your access token. */
  readonly token: string;
  /** How long one answer may take before it is asked for again; 35 seconds unless told otherwise. */
  readonly timeoutMs?: number;
  /** How long a request is repeated before it is given up; two minutes unless told otherwise. */
  readonly patienceMs?: number;
  /** Another `fetch` than that of the runtime. */
  readonly fetch?: typeof fetch;
};

/** What every function takes besides. */
export type CallOptions = { readonly signal?: AbortSignal };

export type BuyFields = {
  readonly productId: number;
  readonly mobile: string;
  readonly price: number;
  /** A tracking code of your own, 1 to 255 characters; the key where it is left out. */
  readonly webserviceCode?: string;
  /** The product's `profile_id`, or left out. Another one is refused; personal offers pass it on. */
  readonly profileId?: string;
  readonly offerCode?: string;
  readonly offerType?: string;
  /** Buy it although it looks like a repeat of another purchase. */
  readonly allowRepeat?: boolean;
  /** The number has moved to the product's operator, whatever its prefix says. */
  readonly ported?: boolean;
};

/** An offer of one subscriber, ready to be bought. */
export type Offer = ListedOffer & {
  readonly mobile: string;
  readonly productId: number;
  /** With tax. */
  readonly price: number;
};

export type NumberOptions = CallOptions & {
  /** Ask this operator, and not the one of the table. */
  readonly operatorId?: number;
};

export type OfferOptions = CallOptions & {
  /** The name of an operator that lists offers. */
  readonly operator?: string;
};

export type BuyOptions = CallOptions & {
  /** Of an earlier try, to find out what became of it. A new purchase gets a new one by itself. */
  readonly key?: string;
  readonly webserviceCode?: string;
};

export type Bought = {
  readonly purchaseId: string;
  readonly key: string;
  readonly requestId: string;
  /** Whether it had been bought before, under this key. */
  readonly replayed: boolean;
};

export type ProductFilter = {
  readonly name?: string;
  readonly type?: Product['type'];
  readonly sim_card_type?: Product['sim_card_type'];
  readonly operator?: string;
  readonly categories?: 'categories';
};

export type ChangeOptions = CallOptions & {
  /** Which products you keep a copy of; all unless told otherwise. */
  readonly filter?: ProductFilter;
};

export type PurchaseFilter = {
  readonly webservice_code?: string;
  readonly idempotency_key?: string;
  readonly state?: Purchase['state'];
  readonly mobile?: string;
  readonly product_id?: number;
  readonly operator_id?: number;
  readonly from?: string;
  readonly to?: string;
};

export type Span = { readonly from?: string; readonly to?: string };

const buyPaths = { package: '/api/top-up/package', topUp: '/api/top-up' } as const;

const fieldsOf = (fields: BuyFields, code: string): Readonly<Record<string, unknown>> => ({
  product_id: fields.productId,
  mobile: fields.mobile,
  price: fields.price,
  webservice_code: fields.webserviceCode ?? code,
  ...(fields.profileId === undefined ? {} : { profile_id: fields.profileId }),
  ...(fields.offerCode === undefined ? {} : { offerCode: fields.offerCode }),
  ...(fields.offerType === undefined ? {} : { offerType: fields.offerType }),
  ...(fields.allowRepeat === true ? { allow_repeat: 1 } : {}),
  ...(fields.ported === true ? { ported: 1 } : {}),
});

const wait: Settings['wait'] = (ms, signal) =>
  new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });

/** That answers have the form of their schemas is on the gateway's word. */
const haveForm = <T>(answers: readonly unknown[]): answers is T[] => answers.length > 0;

const settingsOf = (options: ClientOptions): Settings => ({
  url: options.url.replace(/\/+$/, ''),
  token: options.token,
  timeoutMs: options.timeoutMs ?? 35_000,
  patienceMs: options.patienceMs ?? 120_000,
  fetch: options.fetch ?? ((...given) => fetch(...given)),
  wait,
  now: () => performance.now(),
  random: Math.random,
});

const createBuying = (settings: Settings) => {
  const buyAt = async (
    path: string,
    fields: BuyFields,
    { key = newKey(), signal, webserviceCode }: BuyOptions,
  ): Promise<Bought> => {
    const json = fieldsOf(fields, webserviceCode ?? key);
    const { headers } = await send(settings, { method: 'POST', path, json, key, signal });
    return {
      purchaseId: headers.get('purchase-id') ?? '',
      key,
      requestId: headers.get('request-id') ?? '',
      replayed: headers.get('idempotent-replayed') === 'true',
    };
  };
  return {
    /**
     * Buys a package or a personal offer. Resolves when it is sold, and rejects with a `SimgateError`
     * when it is not; whatever happens on the way, it is bought once.
     */
    buy: (fields: BuyFields | Offer, given: BuyOptions = {}): Promise<Bought> =>
      buyAt(buyPaths.package, fields, given),
    /** Buys a direct top-up, in the same way. */
    topUp: (fields: BuyFields, given: BuyOptions = {}): Promise<Bought> =>
      buyAt(buyPaths.topUp, fields, given),
  };
};

const createReading = (ask: Ask) => {
  const get = <T>(path: string, { signal }: CallOptions = {}): Promise<T> =>
    ask({ method: 'GET', path, signal });
  return {
    /** Every product, page by page as they are wanted. */
    products: (given: CallOptions = {}): AsyncGenerator<Product> =>
      byPage(ask, { method: 'GET', path: '/api/clients/products', ...given }),

    /** The products that a filter finds. */
    filter: (items: ProductFilter, given: CallOptions = {}): AsyncGenerator<Product> => {
      const json = { table: 'product', items };
      return byPage(ask, { method: 'POST', path: '/api/filter', json, ...given });
    },

    /**
     * What changed in the catalogue since the `next` of the last step that you took over, or ever. The
     * last step says that there is no more for now, and may be an empty one.
     */
    changes: (
      since = '1970-01-01',
      { filter, ...given }: ChangeOptions = {},
    ): AsyncGenerator<Step> => {
      const asked: Outgoing =
        filter === undefined
          ? { method: 'GET', path: '/api/clients/products' }
          : { method: 'POST', path: '/api/filter', json: { table: 'product', items: filter } };
      return byMoment(ask, { ...asked, ...given }, since);
    },

    /** Your purchases, the newest first; more that are sold meanwhile do not disturb it. */
    purchases: (filter: PurchaseFilter = {}, given: CallOptions = {}): AsyncGenerator<Purchase> =>
      byLast(ask, { method: 'GET', path: '/api/purchases', query: filter, ...given }),

    purchase: (id: string, given: CallOptions = {}): Promise<Purchase> =>
      get(`/api/purchases/${encodeURIComponent(id)}`, given),

    account: (given: CallOptions = {}): Promise<Account> => get('/api/account', given),

    /** Every entry of your account, the oldest first. */
    statement: (span: Span = {}, given: CallOptions = {}): AsyncGenerator<Entry> =>
      byPage(ask, { method: 'GET', path: '/api/statement', query: span, ...given }),

    /** Whose a number is. */
    number: (mobile: string, { operatorId, signal }: NumberOptions = {}): Promise<NumberInfo> => {
      const path = `/api/numbers/${encodeURIComponent(mobile)}`;
      return ask({ method: 'GET', path, query: { operator_id: operatorId }, signal });
    },

    operators: async (given: CallOptions = {}): Promise<readonly Operator[]> =>
      (await get<{ readonly data: readonly Operator[] }>('/api/operators', given)).data,

    errors: async (given: CallOptions = {}): Promise<readonly ErrorRow[]> =>
      (await get<{ readonly data: readonly ErrorRow[] }>('/api/errors', given)).data,

    /** What buying would say: resolves with the price and its parts, or rejects as buying would. */
    check: (fields: BuyFields, { signal }: CallOptions = {}): Promise<Checked> =>
      ask({ method: 'POST', path: '/api/top-up/check', json: fieldsOf(fields, 'check'), signal }),
  };
};

type Reading = ReturnType<typeof createReading>;

/** The personal offers of a subscriber, each with its price; of the first operator that lists any. */
const createOffers =
  (ask: Ask, { operators, number }: Pick<Reading, 'operators' | 'number'>) =>
  async (
    mobile: string,
    { operator: name, ...given }: OfferOptions = {},
  ): Promise<readonly Offer[]> => {
    const operator = (await operators(given)).find((one) =>
      name === undefined ? one.personal_offers !== null : one.name === name,
    );
    const personal = operator?.personal_offers;
    if (operator === undefined || !personal) throw new Error('No such operator lists offers.');
    const [{ said }, { offersList }] = await Promise.all([
      number(mobile, { operatorId: operator.id, ...given }),
      ask<{ readonly offersList: readonly ListedOffer[] }>({
        method: 'POST',
        path: `/api/${operator.name}/offers`,
        json: { mobile },
        ...given,
      }),
    ]);
    const productId = personal[said?.sim_card_type ?? 'credit'];
    return offersList.map((offer) => ({
      ...offer,
      mobile,
      productId,
      price: offerPrice(offer.amount, personal.vat_percent),
    }));
  };

/** A client of one gateway, for one token. Its functions may be called side by side. */
export const createClient = (options: ClientOptions) => {
  const settings = settingsOf(options);
  const ask = async <T>(request: Outgoing): Promise<T> => {
    const answers: unknown[] = [JSON.parse((await send(settings, request)).text)];
    const [answer] = haveForm<T>(answers) ? answers : [];
    if (answer === undefined) throw new Error('There is no answer.');
    return answer;
  };
  const reading = createReading(ask);
  return { ...reading, offers: createOffers(ask, reading), ...createBuying(settings) };
};

export type SimgateClient = ReturnType<typeof createClient>;
