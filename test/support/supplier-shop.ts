/** Builds a shop of one operator with several suppliers, whose answers a test chooses. */
import assert from 'node:assert/strict';
import type {
  Connection,
  Order,
  OrderOutcome,
  StatusOutcome,
} from '../../src/connector/connector.ts';
import type { Operator } from '../../src/operators/registry.ts';
import { type Buying, createBuying } from '../../src/purchases/buy.ts';
import type { PurchaseDeps } from '../../src/purchases/deps.ts';
import type { Purchase } from '../../src/purchases/purchase.ts';
import { createRecovery, type Recovery } from '../../src/purchases/recover.ts';
import { createWorld, type World } from './purchase-world.ts';

/** What an order costs at each supplier. */
export const costAt = (supplierId: number): number => 9000 + supplierId;

export const outOfStock = {
  kind: 'refused',
  code: 'out_of_stock',
  blame: 'supplier',
  reason: 'none left',
} as const satisfies OrderOutcome;
export const barred = {
  kind: 'refused',
  code: 'declined',
  blame: 'subscriber',
  reason: 'barred',
} as const satisfies OrderOutcome;
export const done = { kind: 'done', ref: 'receipt' } as const;
export const silence = { kind: 'unknown', detail: 'silence' } as const;

type Said = { buy: OrderOutcome; status: StatusOutcome };

export type Shop = World & {
  /** What each supplier answers, and the orders that it has got. */
  readonly says: Map<number, Said>;
  readonly got: Map<number, Order[]>;
  /** What the ends of attempts say of their suppliers. */
  readonly ends: string[];
  readonly deps: PurchaseDeps;
  readonly buying: Buying;
  readonly recovery: Recovery;
  readonly current: () => Promise<Purchase>;
};

/** A world in which operator 1 has the suppliers 1, 2 and 3, in this order. */
export const shopWith = async (
  answers: readonly OrderOutcome[],
  { giveUpAfterMs = 60_000 }: { readonly giveUpAfterMs?: number } = {},
): Promise<Shop> => {
  const world = await createWorld();
  await world.client('a');
  const own = world.deps.registry.byId(1) ?? assert.fail('no operator');
  const says = new Map<number, Said>();
  const got = new Map<number, Order[]>();
  const ends: string[] = [];
  const suppliers = answers.map((buy, index): Operator => {
    const id = index + 1;
    says.set(id, { buy, status: { kind: 'not_found' } });
    got.set(id, []);
    const connection: Connection = {
      ...own.connection,
      buy: async (order) => {
        got.get(id)?.push(order);
        return says.get(id)?.buy ?? silence;
      },
      status: async () => says.get(id)?.status ?? { kind: 'pending' },
      reports: async (cursor) => ({ kind: 'reports', reports: [], cursor }),
    };
    return { ...own, id, name: `supplier_${id}`, connection, system: `system ${id}` };
  });
  const byId = (id: number): Operator | undefined => suppliers.find((one) => one.id === id);
  const deps: PurchaseDeps = {
    ...world.deps,
    registry: { all: suppliers, byId, close: async () => {} },
    routing: {
      choose: ({ left }) => ({
        candidates: suppliers
          .filter(({ id }) => !left.includes(id))
          .map((supplier) => ({
            supplier,
            routeId: supplier.id * 10,
            supplierCode: `code ${supplier.id}`,
            cost: costAt(supplier.id),
          })),
        passedOver: [],
        version: '',
      }),
      renew: async () => {},
      serving: () => suppliers,
      record: ({ supplierId, routeId }, end) => ends.push(`${supplierId} ${routeId} ${end}`),
      mostSuppliers: 3,
      giveUpAfterMs,
    },
  };
  const current = async (): Promise<Purchase> =>
    (await world.find('a', 'key')) ?? assert.fail('no purchase');
  return {
    ...world,
    says,
    got,
    ends,
    deps,
    buying: createBuying(deps),
    recovery: createRecovery(deps),
    current,
  };
};

export const counts = ({ got }: Shop): number[] => [...got.values()].map(({ length }) => length);

export const recoverUntilIdle = async (shop: Shop, ms: number): Promise<void> => {
  await shop.clock.advance(ms);
  await shop.recovery.claim();
  await shop.recovery.whenIdle();
};

export const reportOnce = async (
  shop: Shop,
  supplierId: number,
  kind: 'delivered' | 'reversed',
): Promise<void> => {
  const { id } = await shop.current();
  const supplier = shop.deps.registry.byId(supplierId) ?? assert.fail('no supplier');
  const reports = [{ ref: id, kind, at: shop.clock.now() }] as const;
  const { connection } = supplier;
  Object.assign(supplier, {
    connection: {
      ...connection,
      reports: async () => ({ kind: 'reports', reports, cursor: kind }),
    },
  });
  await createRecovery(shop.deps).readReports();
  Object.assign(supplier, { connection });
};
