/** Defines the simulator: a connector whose operator runs in this process and misbehaves by number. */
import { type Static, Type } from 'typebox';
import { type Unknown, unknownBecause } from '../../connector/cause.ts';
import {
  type Connection,
  type Connector,
  type ConnectorContext,
  defineConnector,
  type OrderOutcome,
} from '../../connector/connector.ts';
import { type Book, createRecentBook } from './book/book.ts';
import { createFaultInjector, FaultsSchema, maxFaultDelayMs } from './local-faults.ts';
import { createOperator, type OrderAnswer, type SimulatedOperator, slowness } from './operator.ts';
import { simulatorTexts } from './texts.ts';

// Counted from the call's deadline. Only a slow order can appear after it, and no later than this.
const settlesWithin = slowness;

const settingsSchema = Type.Object({
  offers: Type.Boolean({
    default: false,
    description: 'Whether this operator can list personal offers.',
  }),
  // Above the slow number's three seconds, so that it succeeds; otherwise as short as possible, because
  // numbers with a lost answer take all of it.
  deadline: Type.Integer({
    default: 5_000,
    minimum: 1,
    description: 'How long a call may take, in milliseconds.',
  }),
  // Enough time to see the purchase succeed before it is reversed.
  reversesAfter: Type.Integer({
    default: 3_000,
    minimum: 0,
    description:
      'How long after the delivery a number that ends in 99 is reversed, in milliseconds.',
  }),
  second: Type.Optional(
    Type.Boolean({
      description:
        'Whether numbers that end in 88 are delivered. Without it they are out of stock, as at the first of two suppliers.',
    }),
  ),
  discountPercent: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 100,
      description:
        'What the operator takes for a delivery, as a percentage off the price. It says so with each delivery; without the setting it does not.',
    }),
  ),
  float: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'The money that you have with the operator before its first delivery. It says its balance then, which falls by what deliveries cost.',
    }),
  ),
  faults: Type.Optional(FaultsSchema),
});

// Every outcome of a purchase can be watched within a minute.
const inquiries = { firstInquiryMs: 1_000, widestInquiryMs: 4_000, reviewAfterMs: 30_000 };

// For each operator, some 500 bytes each. Older ones are never asked about: even at a thousand sales a
// second, recovery has ended or moved them to review long before.
const mostRemembered = 20_000;

type Settings = Static<typeof settingsSchema>;

/** How the operator's answer to an order reaches the gateway; a throw is an unusable answer. */
const outcomeOf = async (answer: OrderAnswer): Promise<OrderOutcome> => {
  switch (answer.kind) {
    case 'done':
    case 'refused':
      return answer;
    case 'pending':
      return unknownBecause({ code: 'order_pending', values: {} });
    case 'silence':
      return new Promise(() => {});
    case 'server_error':
      throw new Error('the operator answered HTTP 500');
    case 'unreadable':
      throw new Error('the answer is unreadable');
  }
};

const connect = (
  operator: SimulatedOperator,
  settings: Settings,
  { call, clock, random }: ConnectorContext,
): Connection => {
  const { faults } = settings;
  const injectFaults = createFaultInjector(faults, {
    clock,
    random,
    reversesAfter: settings.reversesAfter,
  });
  const ask = async <T>(exchange: () => Promise<T>): Promise<T | Unknown> => {
    const result = await call(settings.deadline, exchange);
    return result.kind === 'answer' ? result.value : result;
  };
  return {
    // A synchronous answer needs no deadline.
    ...(settings.offers ? { offers: async (mobile: string) => operator.offers(mobile) } : {}),
    subscriber: async (mobile) => operator.subscriber(mobile),
    buy: (order) =>
      ask(() => injectFaults(async (befalls) => outcomeOf(await operator.order(order, befalls)))),
    status: (ref) => ask(() => injectFaults(() => operator.status(ref))),
    reports: (cursor) => ask(() => operator.reports(cursor)),
    ...(settings.float === undefined
      ? {}
      : {
          balance: async () => ({ kind: 'balance', amount: operator.balance() ?? 0 }) as const,
        }),
    ...(faults === undefined ? {} : { settlesWithin: settlesWithin + maxFaultDelayMs(faults) }),
    deadlineMs: settings.deadline,
    close: async () => {},
  };
};

/** A simulator that writes into the given book; without one, each operator keeps its own of recent orders. */
export const createSimulator = (book?: Book): Connector<typeof settingsSchema> => {
  // An operator remembers its sales when its settings change.
  const books = new WeakMap<ConnectorContext, Book>();
  const bookOf = (context: ConnectorContext): Book => {
    const { clock, newId } = context;
    const known = book ?? books.get(context) ?? createRecentBook(clock, newId(), mostRemembered);
    books.set(context, known);
    return known;
  };
  return defineConnector({
    name: 'simulator',
    settings: settingsSchema,
    texts: simulatorTexts,
    // Its book stays the same whatever its settings are.
    identifiedBy: [],
    settlesWithin,
    inquiries,
    deduplicates: false,
    // A question costs nothing within the process, and refuses before anything is held.
    ordersTellSubscriber: false,
    inProcess: true,
    connect: (settings, context) => {
      const { clock, newId } = context;
      const operator = createOperator({
        ...settings,
        book: bookOf(context),
        clock,
        newId,
        deduplicates: false,
      });
      return connect(operator, settings, context);
    },
  });
};

export const simulator = createSimulator();
