/** Sets up purchase tests: a real database, a manual clock, and an operator whose answers the test chooses. */
import { Type } from 'typebox';
import type { Product } from '../../src/catalogue/product.ts';
import { callWithin } from '../../src/connector/call.ts';
import {
  type Connection,
  type Connector,
  defineConnector,
  type Offer,
  type Order,
  type Resend,
} from '../../src/connector/connector.ts';
import { inquireAt } from '../../src/connector/suite/inquire-at.ts';
import type { Db, OpenDatabase } from '../../src/db/types.ts';
import { openAccount, readAccount, writePostings } from '../../src/ledger/store.ts';
import { verifyLedger } from '../../src/ledger/verify.ts';
import { systemRandom, uuidV7 } from '../../src/lib/random.ts';
import { createOffers } from '../../src/offers/offers.ts';
import { openRegistry } from '../../src/operators/registry.ts';
import { type Buying, type BuyRequest, createBuying } from '../../src/purchases/buy.ts';
import { createTransact } from '../../src/purchases/commit/transact.ts';
import type { PurchaseDeps } from '../../src/purchases/deps.ts';
import { verifyPurchases } from '../../src/purchases/inquiry/verify.ts';
import type { Purchase, PurchaseRequest } from '../../src/purchases/purchase.ts';
import { createRecovery, type Recovery } from '../../src/purchases/recover.ts';
import { findByKeys } from '../../src/purchases/store.ts';
import type { Terms } from '../../src/purchases/terms.ts';
import { wideAdmission } from './admission.ts';
import { openTestDatabase } from './database.ts';
import { type ManualClock, manualClock } from './manual-clock.ts';

export const price = 10_000;
export const offer: Offer = {
  code: '70101',
  type: '1',
  amount: '30000',
  name: 'name',
  validityDays: '',
  description: 'description',
  descriptionLocal: 'local',
};

/** A product with plain values in every field that a test does not name. */
export const productOf = (fields: Partial<Product> & { readonly id: number }): Product => ({
  name: 'name',
  name_en: null,
  description: '',
  description_full: null,
  sku: null,
  price,
  second_price: null,
  showable_price: null,
  type: 'cell_internet',
  minimum_sale: null,
  dimension: null,
  score: 0,
  status: 1,
  options: null,
  deliverable: 0,
  third_party_id: null,
  capacity: null,
  period: null,
  sim_card_type: 'credit',
  operator_id: 1,
  order: 0,
  created_at: null,
  updated_at: null,
  categories: [],
  ...fields,
});

const products = [
  productOf({ id: 1 }),
  productOf({ id: 2, second_price: 2 * price }),
  productOf({ id: 3, type: 'cell_direct_charge' }),
  productOf({ id: 4, profile_id: 'its own' }),
  productOf({ id: 510 }),
];

export const purchaseRequestOf = (
  fields: Partial<PurchaseRequest> & Pick<PurchaseRequest, 'clientId' | 'id'>,
): PurchaseRequest => ({
  key: `key of ${fields.id}`,
  fingerprint: '1:0',
  productId: 1,
  operatorId: 1,
  supplierId: 1,
  sentTo: 'system',
  routeId: null,
  supplierCode: null,
  cost: null,
  passedOver: null,
  mobile: '989121234500',
  price,
  offer: null,
  profileId: null,
  webserviceCode: 'code',
  requestId: 'request',
  trace: null,
  ...fields,
});

/** The operator's answers; a test can replace them. */
export type OperatorAnswers = Pick<Connection, 'buy' | 'status'> &
  Partial<Pick<Connection, 'reports' | 'subscriber' | 'offers'>>;

export const termsOfWorld: Terms = {
  sendWithinMs: 1000,
  deadlineMs: 2000,
  settlesWithinMs: 3000,
  deduplicates: false,
  resendWithinMs: undefined,
  firstInquiryMs: 1000,
  widestInquiryMs: 8000,
  reviewAfterMs: 60_000,
};

export type World = {
  readonly clock: ManualClock;
  readonly deps: PurchaseDeps;
  readonly buying: Buying;
  readonly recovery: Recovery;
  /** Every order and every inquiry that reached the operator. */
  readonly orders: Order[];
  readonly asked: string[];
  readonly say: (said: Partial<OperatorAnswers>) => void;
  /** A client with a balance. */
  readonly client: (id: string, balance?: number) => Promise<string>;
  readonly accountOf: (clientId: string) => Promise<{ available: number; held: number }>;
  readonly find: (clientId: string, key: string) => Promise<Purchase | undefined>;
  /** The problems of ledger and purchases. */
  readonly problems: () => Promise<string[]>;
  /** Another server on the same database; the operator stays the same. */
  readonly restarted: () => { readonly buying: Buying; readonly recovery: Recovery };
  readonly end: () => Promise<void>;
};

export const requestOf = (
  clientId: string,
  key: string,
  fields: Partial<BuyRequest['fields']> = {},
): BuyRequest => ({
  clientId,
  key,
  requestId: `request of ${key}`,
  trace: null,
  test: false,
  fields: {
    path: 'package',
    productId: 1,
    mobile: '989121234500',
    price,
    offer: null,
    profileId: null,
    webserviceCode: 'code',
    ...fields,
  },
});

const statusBy = (
  said: OperatorAnswers,
  heard: { readonly asked: string[] },
): Connection['status'] =>
  typeof said.status === 'function'
    ? (ref) => {
        heard.asked.push(ref);
        return inquireAt(said, ref);
      }
    : said.status;

const connectorOf = (
  said: OperatorAnswers,
  heard: { readonly orders: Order[]; readonly asked: string[] },
  declared: Pick<Connector, 'settlesWithin' | 'deduplicates'>,
): Connector =>
  defineConnector({
    name: 'told',
    settings: Type.Object({}),
    ...declared,
    connect: () => ({
      buy: (order) => {
        heard.orders.push(order);
        return said.buy(order);
      },
      status: statusBy(said, heard),
      subscriber: async (mobile) =>
        said.subscriber?.(mobile) ?? { kind: 'subscriber', simType: 'credit' },
      offers: async (mobile) =>
        said.offers?.(mobile) ?? {
          kind: 'offers',
          offers: [offer],
          transactionId: 'id',
          message: '',
        },
      reports: async (cursor) => said.reports?.(cursor) ?? { kind: 'reports', reports: [], cursor },
      deadlineMs: termsOfWorld.deadlineMs,
      close: async () => {},
    }),
  });

/** The clients' side of a world: their money and purchases. */
const booksOf = (db: Db): Pick<World, 'client' | 'accountOf' | 'find' | 'problems'> => ({
  client: async (id, balance = 10 * price) => {
    const row = { id, name: id, status: 'active', created_at: 0, test: 0 } as const;
    await db.insertInto('clients').values(row).execute();
    await openAccount(db, id);
    if (balance > 0) await writePostings(db, id, [{ kind: 'deposit', amount: balance }], 0);
    return id;
  },
  accountOf: async (clientId) => {
    const account = await readAccount(db, clientId);
    return { available: account?.available ?? -1, held: account?.held ?? -1 };
  },
  find: async (clientId, key) => (await findByKeys(db, [{ clientId, key }]))[0],
  problems: async () => {
    const [ledger, sold] = [await verifyLedger(db), await verifyPurchases(db)];
    return [...ledger.problems, ...sold.problems].map(({ problem }) => problem);
  },
});

/** What the operator declares; with `resendWithin` it takes no inquiries. */
export type Declared = Pick<Connector, 'settlesWithin' | 'deduplicates'> & Partial<Resend>;

export const createWorld = async (
  { resendWithin, ...declared }: Declared = { settlesWithin: termsOfWorld.settlesWithinMs ?? 0 },
  database?: OpenDatabase,
): Promise<World> => {
  const { db, close } = database ?? (await openTestDatabase());
  const clock = manualClock();
  const newId = uuidV7(clock, systemRandom);
  const call = callWithin(clock);
  const [orders, asked]: [Order[], string[]] = [[], []];
  const said: OperatorAnswers = {
    buy: async ({ ref }) => ({ kind: 'done', ref: `receipt of ${ref}` }),
    status: resendWithin === undefined ? async () => ({ kind: 'not_found' }) : { resendWithin },
  };
  const registry = openRegistry(
    [{ id: 1, name: 'operator_1', connector: 'told', settings: {} }],
    [connectorOf(said, { orders, asked }, declared)],
    (operatorId) => ({ operatorId, clock, random: systemRandom, newId, call }),
  );
  const settings = { deadlineMs: 2000, rememberMs: 600_000, rememberAtMost: 100 };
  const admission = wideAdmission(clock);
  const databaseTime = async (): Promise<number> => clock.now();
  const {
    deadlineMs: _d,
    settlesWithinMs: _s,
    deduplicates: _p,
    resendWithinMs: _r,
    ...recovery
  } = termsOfWorld;
  const deps: PurchaseDeps = {
    db,
    databaseTime,
    clock,
    newId,
    random: systemRandom,
    call,
    registry,
    admission,
    transact: createTransact({ db, databaseTime, clock }),
    catalogue: () => ({ product: (id) => products.find((one) => one.id === id) }),
    offers: createOffers({ clock, call, admission, settings }),
    log: { warn: () => {}, error: () => {} },
    config: {
      vatPercent: { digits: 10n, scale: 0 },
      personalOffers: [510],
      pendingAfterMs: 25_000,
      recovery,
    },
  };
  const restarted = () => ({ buying: createBuying(deps), recovery: createRecovery(deps) });
  return {
    clock,
    deps,
    orders,
    asked,
    restarted,
    ...restarted(),
    say: (other) => void Object.assign(said, other),
    ...booksOf(db),
    end: close,
  };
};
