/** Owns the simulator: an ordinary connector whose operator lives in this process and misbehaves by number. */
import { type Static, Type } from 'typebox';
import { sleep } from '../../lib/clock.ts';
import type { CallResult } from '../call.ts';
import {
  type Connection,
  type Connector,
  type ConnectorContext,
  defineConnector,
  type OffersOutcome,
  type Order,
  type OrderOutcome,
  type RefusalCode,
  type ReportsOutcome,
  type SubscriberOutcome,
} from '../connector.ts';
import { type Book, createBook } from './book.ts';
import { type Behaviour, behaviourOf, simTypeOf } from './numbers.ts';
import { offersOf } from './offers.ts';

// Long enough that a person sees the gateway wait, as the table of numbers promises.
const slowness = 3_000;

// Counted from the call's deadline. Only a slow order can show after it, and no later than this.
const settlesWithin = slowness;

// As the table of numbers promises: pending twice, and then delivered.
const inquiriesUntilDone = 3;

const settingsSchema = Type.Object({
  offers: Type.Boolean({
    default: false,
    description: 'Whether this operator can list personal offers.',
  }),
  // Above the slow number's three seconds, so that it succeeds; otherwise as short as can be, because
  // the numbers whose answer is lost keep a person waiting for all of it.
  deadline: Type.Integer({
    default: 5_000,
    minimum: 1,
    description: 'How long a call may take, in milliseconds.',
  }),
  // Time enough to see the purchase succeeded before it is taken back.
  reversesAfter: Type.Integer({
    default: 3_000,
    minimum: 0,
    description:
      'How long after the delivery a number that ends in 99 is reversed, in milliseconds.',
  }),
});

// All of a purchase's ways can be watched within a minute.
const inquiries = { firstInquiryMs: 1_000, widestInquiryMs: 4_000, reviewAfterMs: 30_000 };

type Settings = Static<typeof settingsSchema>;

/** How an order can go that reaches the operator and is not refused. */
type Fulfilment = Exclude<Behaviour, 'barred' | 'not_subscriber' | 'request_lost' | 'unreadable'>;

type Unknown = Extract<CallResult<never>, { kind: 'unknown' }>;

type SimulatedOperator = {
  readonly book: Book;
  readonly settings: Settings;
  readonly context: ConnectorContext;
};

const notSubscriber = 'The number does not belong to a subscriber of this operator.';

// The code that offers are refused with; the digits of the number say the same to whoever reads it.
const notSubscriberCode = 91;

const silence = (): Promise<never> => new Promise(() => {});

const refused = (code: RefusalCode, reason: string): OrderOutcome => ({
  kind: 'refused',
  code,
  reason,
});

const offerIsGone = ({ settings }: SimulatedOperator, { mobile, offer }: Order): boolean =>
  settings.offers &&
  offer !== undefined &&
  !offersOf(mobile).some(({ code, type }) => code === offer.code && type === offer.type);

const pending = { kind: 'unknown', detail: 'the operator took the order: pending' } as const;

/** What becomes of an order that the operator takes; a throw is an answer that nobody can use. */
const fulfil: Readonly<
  Record<Fulfilment, (operator: SimulatedOperator, order: Order) => Promise<OrderOutcome>>
> = {
  success: async ({ book }, order) => {
    book.deliver(order);
    return { kind: 'done', ref: order.ref };
  },
  slow: async ({ book, context }, order) => {
    // Delivered late instead of first: a gateway that has given up by then must still find it.
    await sleep(context.clock, slowness);
    book.deliver(order);
    return { kind: 'done', ref: order.ref };
  },
  answer_lost: async ({ book }, order) => {
    book.deliver(order);
    return silence();
  },
  server_error: async ({ book }, order) => {
    book.deliver(order);
    throw new Error('the operator answered HTTP 500');
  },
  done_at_third_inquiry: async ({ book }, order) => {
    book.accept(order, inquiriesUntilDone);
    return pending;
  },
  pending_for_ever: async ({ book }, order) => {
    book.accept(order);
    return pending;
  },
  reversed: async ({ book, settings }, order) => {
    book.deliver(order, settings.reversesAfter);
    return { kind: 'done', ref: order.ref };
  },
};

const send = async (operator: SimulatedOperator, order: Order): Promise<OrderOutcome> => {
  const behaviour = behaviourOf(order.mobile);
  if (behaviour === 'request_lost') return silence();
  if (behaviour === 'unreadable') throw new Error('the answer is unreadable');
  if (behaviour === 'not_subscriber') return refused('not_subscriber', notSubscriber);
  if (behaviour === 'barred') return refused('declined', 'The subscriber is barred.');
  if (offerIsGone(operator, order)) {
    return refused('offer_gone', 'The offer is not among those of this subscriber.');
  }
  return fulfil[behaviour](operator, order);
};

// A cursor names its book. One of an earlier process, or nonsense, starts over: a report that comes
// twice is harmless, one that never comes is a reversal that nobody pays back.
const positionIn = (book: Book, cursor: string): number => {
  const position = cursor.startsWith(`${book.id}:`) ? cursor.slice(book.id.length + 1) : '';
  return /^\d{1,15}$/.test(position) ? Number(position) : 0;
};

const offersAnswer = ({ context }: SimulatedOperator, mobile: string): OffersOutcome => {
  const transactionId = context.newId();
  return behaviourOf(mobile) === 'not_subscriber'
    ? { kind: 'refused', code: notSubscriberCode, reason: notSubscriber, transactionId }
    : { kind: 'offers', offers: offersOf(mobile), transactionId, message: 'Successful.' };
};

const subscriberAnswer = (mobile: string): SubscriberOutcome =>
  behaviourOf(mobile) === 'not_subscriber'
    ? { kind: 'not_subscriber' }
    : { kind: 'subscriber', simType: simTypeOf(mobile) };

const reportsAnswer = ({ book }: SimulatedOperator, cursor: string): ReportsOutcome => {
  const position = positionIn(book, cursor);
  const reports = book.eventsFrom(position);
  return { kind: 'reports', reports, cursor: `${book.id}:${position + reports.length}` };
};

const connect = (operator: SimulatedOperator): Connection => {
  const { book, settings, context } = operator;
  const ask = async <T>(exchange: () => Promise<T>): Promise<T | Unknown> => {
    const result = await context.call(settings.deadline, exchange);
    return result.kind === 'answer' ? result.value : result;
  };
  return {
    ...(settings.offers
      ? { offers: (mobile: string) => ask(async () => offersAnswer(operator, mobile)) }
      : {}),
    subscriber: (mobile) => ask(async () => subscriberAnswer(mobile)),
    buy: (order) => ask(() => send(operator, order)),
    status: (ref) => ask(async () => book.inquire(ref)),
    reports: (cursor) => ask(async () => reportsAnswer(operator, cursor)),
    deadlineMs: settings.deadline,
    close: async () => {},
  };
};

/** A simulator that writes into the given book; without one, each connection keeps its own. */
export const createSimulator = (book?: Book): Connector<typeof settingsSchema> =>
  defineConnector({
    name: 'simulator',
    settings: settingsSchema,
    settlesWithin,
    inquiries,
    deduplicates: false,
    connect: (settings, context) =>
      connect({ book: book ?? createBook(context.clock, context.newId()), settings, context }),
  });

export const simulator = createSimulator();
