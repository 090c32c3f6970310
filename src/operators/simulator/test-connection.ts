/** Simulates operators for test clients: every outcome follows from the purchase and the time, so that any instance knows it. */
import type { OperatorConfig } from '../../config/config.ts';
import { displayNames } from '../../config/sections/operators.ts';
import type { ConnectorContext, Order, StatusOutcome } from '../../connector/connector.ts';
import { checkedConnection } from '../../connector/contain.ts';
import { systemOf } from '../../connector/settings/system.ts';
import type { Operator } from '../registry.ts';
import { testSupplierId } from '../supplier.ts';
import type { Book } from './book/book.ts';
import { createSimulator } from './index.ts';
import { behaviourOf } from './numbers.ts';
import { inquiriesUntilDone, judgeOrder, slowness } from './operator.ts';

/** A purchase as far as its outcome follows from it. Times are the database's. */
export type TestOrder = Pick<Order, 'ref' | 'mobile' | 'offer'> & {
  readonly beganAt: number;
  /** How many inquiries were recorded before this one. */
  readonly inquiries: number;
};

/** What the database knows of test clients' purchases. */
export type TestOrders = {
  readonly now: () => Promise<number>;
  readonly find: (ref: string) => Promise<TestOrder | undefined>;
  /** Those of a connection after a cursor that had begun by a time, in order, and the next cursor. */
  readonly begun: (
    supplierId: number,
    cursor: string,
    by: number,
  ) => Promise<{ readonly orders: readonly TestOrder[]; readonly cursor: string }>;
};

const settings = { offers: true, deadline: 5_000, reversesAfter: 3_000 } as const;

/** What the operator says of an order at a time. */
const standingOf = (order: TestOrder, now: number): StatusOutcome => {
  const { ref, beganAt, inquiries } = order;
  const done = { kind: 'done', ref } as const;
  const fulfilment = judgeOrder(settings, order);
  if (typeof fulfilment !== 'string') return { kind: 'not_found' };
  switch (fulfilment) {
    case 'slow': {
      // A clock that was set back must not undo a delivery.
      const isYoung = now >= beganAt && now < beganAt + slowness;
      return isYoung ? { kind: 'not_found' } : done;
    }
    case 'done_at_third_inquiry':
      return inquiries + 1 < inquiriesUntilDone ? { kind: 'pending' } : done;
    case 'pending_for_ever':
      return { kind: 'pending' };
    case 'reversed': {
      const at = beganAt + settings.reversesAfter;
      return now < at ? done : { kind: 'reversed', at };
    }
    case 'success':
    case 'answer_lost':
    case 'server_error':
      return done;
  }
};

/** A book that nothing is written into: the purchases themselves are it. */
const derivedBook = (supplierId: number, orders: TestOrders): Book => {
  const standing = async (ref: string): Promise<StatusOutcome> => {
    const order = await orders.find(ref);
    return order === undefined ? { kind: 'not_found' } : standingOf(order, await orders.now());
  };
  return {
    deliver: async () => 0,
    accept: async () => {},
    inquire: standing,
    standing,
    inquiries: () => 0,
    taken: () => 0,
    eventsFrom: async (from) => {
      const by = (await orders.now()) - settings.reversesAfter;
      const { orders: begun, cursor } = await orders.begun(supplierId, from, by);
      const reversed = begun.filter(({ mobile }) => behaviourOf(mobile) === 'reversed');
      return {
        reports: reversed.map(({ ref, beganAt }) => ({
          ref,
          kind: 'reversed',
          at: beganAt + settings.reversesAfter,
        })),
        cursor,
      };
    },
  };
};

/** A simulated connection for each operator, whatever its own one is. */
export const openTestSuppliers = (
  operators: readonly OperatorConfig[],
  orders: TestOrders,
  contextFor: (operatorId: number) => ConnectorContext,
): Operator[] =>
  operators.map((config) => {
    const id = testSupplierId(config.id);
    const context = contextFor(id);
    const connector = createSimulator(derivedBook(id, orders));
    const connection = checkedConnection(connector.connect(settings, context), context);
    const system = systemOf(connector, settings);
    const names = displayNames(config);
    return { id, kind: 'operator', name: config.name, names, connector, connection, system };
  });
