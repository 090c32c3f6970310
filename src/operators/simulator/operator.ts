/** Implements a simulated operator: orders, inquiries, offers and reports. */
import type {
  Blame,
  OffersOutcome,
  Order,
  OrderOutcome,
  RefusalCode,
  ReportsOutcome,
  StatusOutcome,
  SubscriberOutcome,
} from '../../connector/connector.ts';
import { type Clock, sleep } from '../../lib/clock.ts';
import type { NewId } from '../../lib/random.ts';
import type { Book, OrderConditions } from './book/book.ts';
import type { Goods } from './book/journal.ts';
import { type Behaviour, behaviourOf, simTypeOf } from './numbers.ts';
import { offersOf } from './offers.ts';

// Long enough to see the gateway wait, as the table of numbers promises.
export const slowness = 3_000;

// As the table of numbers promises: pending twice, and then delivered.
export const inquiriesUntilDone = 3;

/** The answer to an order. */
export type OrderAnswer =
  | Extract<OrderOutcome, { kind: 'done' }>
  | Extract<OrderOutcome, { kind: 'refused' }>
  | { readonly kind: 'pending' }
  /** No answer ever comes. */
  | { readonly kind: 'silence' }
  | { readonly kind: 'server_error' }
  | { readonly kind: 'unreadable' };

export type OperatorDeps = {
  readonly book: Book;
  readonly clock: Clock;
  readonly newId: NewId;
  /** Whether an order's offer must be one of the subscriber's. */
  readonly offers: boolean;
  /** How long after the delivery a number that ends in 99 is reversed, in milliseconds. */
  readonly reversesAfter: number;
  /** Whether orders are deduplicated by reference. */
  readonly deduplicates: boolean;
  /** What it takes for a delivery: so many percent less than the price. Without it it does not say. */
  readonly discountPercent?: number | undefined;
  /** What we have with it before its first delivery. Without it, it says no balance. */
  readonly float?: number | undefined;
  /** Whether it delivers to a number that ends in 88, as the second supplier of an operator. */
  readonly second?: boolean;
};

export type SimulatedOperator = {
  readonly order: (order: Order, circumstances?: OrderConditions) => Promise<OrderAnswer>;
  readonly status: (ref: string) => Promise<StatusOutcome>;
  readonly offers: (mobile: string) => OffersOutcome;
  readonly subscriber: (mobile: string) => SubscriberOutcome;
  readonly reports: (cursor: string) => Promise<ReportsOutcome>;
  /** Undefined if it says none. */
  readonly balance: () => number | undefined;
};

/** The possible outcomes of an order that reaches the operator and is not refused. */
type Fulfilment = Exclude<
  Behaviour,
  'barred' | 'not_subscriber' | 'out_of_stock' | 'request_lost' | 'unreadable'
>;

/** An order, and what it costs if the operator says so. */
type Costed = Order & Pick<Goods, 'cost'>;

type Fulfil = (
  operator: OperatorDeps,
  order: Costed,
  circumstances: OrderConditions,
) => Promise<OrderAnswer>;

const notSubscriber = 'The number does not belong to a subscriber of this operator.';

// The code for refused offers; the digits of the number say the same.
const notSubscriberCode = 91;

const refused = (code: RefusalCode, blame: Blame, reason: string): OrderAnswer => ({
  kind: 'refused',
  code,
  blame,
  reason,
});

const offerIsGone = (
  { offers }: Pick<OperatorDeps, 'offers'>,
  { mobile, offer }: Pick<Order, 'mobile' | 'offer'>,
): boolean =>
  offers &&
  offer !== undefined &&
  !offersOf(mobile).some(({ code, type }) => code === offer.code && type === offer.type);

const deliverAndSay =
  (answer: (order: Costed, balance: number | undefined) => OrderAnswer): Fulfil =>
  async ({ book, float }, order, circumstances) => {
    const taken = await book.deliver(order, circumstances);
    // Without a cost it does not fall, and would contradict the route's rule.
    const told = order.cost === undefined || float === undefined ? undefined : float - taken;
    return answer(order, told);
  };

const done = ({ ref, cost }: Costed, balance?: number): OrderAnswer => ({
  kind: 'done',
  ref,
  ...(cost === undefined ? {} : { cost }),
  ...(balance === undefined ? {} : { balance }),
});

// A ten-thousandth of a percent, as in the cost rules of routes.
const percentStep = 10_000;
const whole = 100 * percentStep;

const withCost = ({ discountPercent }: OperatorDeps, order: Order): Costed => {
  if (discountPercent === undefined) return order;
  const kept = whole - Math.round(discountPercent * percentStep);
  return { ...order, cost: Math.floor((order.amount * kept + whole / 2) / whole) };
};

/** Handles an accepted order. */
const fulfil: Readonly<Record<Fulfilment, Fulfil>> = {
  success: deliverAndSay(done),
  slow: async (operator, order, circumstances) => {
    // Delivered late instead of at once: a gateway that has given up by then must still find it.
    await sleep(operator.clock, slowness);
    return deliverAndSay(done)(operator, order, circumstances);
  },
  answer_lost: deliverAndSay(() => ({ kind: 'silence' })),
  server_error: deliverAndSay(() => ({ kind: 'server_error' })),
  done_at_third_inquiry: async ({ book }, order, circumstances) => {
    await book.accept(order, inquiriesUntilDone, circumstances);
    return { kind: 'pending' };
  },
  pending_for_ever: async ({ book }, order, circumstances) => {
    await book.accept(order, undefined, circumstances);
    return { kind: 'pending' };
  },
  reversed: (operator, order, circumstances) =>
    deliverAndSay(done)(operator, order, {
      ...circumstances,
      reverseAfter: operator.reversesAfter,
    }),
};

/** How an accepted order is fulfilled, or the answer to one that is refused or lost. */
export const judgeOrder = (
  operator: Pick<OperatorDeps, 'offers' | 'second'>,
  order: Pick<Order, 'mobile' | 'offer' | 'simType'>,
  { refusal }: OrderConditions = {},
): Fulfilment | OrderAnswer => {
  const behaviour = behaviourOf(order.mobile);
  if (behaviour === 'not_subscriber') return refused('not_subscriber', 'subscriber', notSubscriber);
  if (order.simType !== undefined && order.simType !== simTypeOf(order.mobile)) {
    return refused('wrong_sim_type', 'subscriber', 'The product is for the other kind of SIM.');
  }
  if (behaviour === 'request_lost') return { kind: 'silence' };
  if (behaviour === 'unreadable') return { kind: 'unreadable' };
  if (behaviour === 'barred') return refused('declined', 'subscriber', 'The subscriber is barred.');
  if (offerIsGone(operator, order)) {
    return refused('offer_gone', 'request', 'The offer is not among those of this subscriber.');
  }
  if (refusal !== undefined) {
    return refused(refusal, 'supplier', 'The operator takes no orders at the moment.');
  }
  if (behaviour !== 'out_of_stock') return behaviour;
  return operator.second === true
    ? 'success'
    : refused('out_of_stock', 'supplier', 'The product is not available at the moment.');
};

const take: Fulfil = async (operator, order, circumstances) => {
  const judged = judgeOrder(operator, order, circumstances);
  return typeof judged === 'string' ? fulfil[judged](operator, order, circumstances) : judged;
};

/** Accepts an order once, however often it comes: a repeat gets the outcome of the first. */
const recognising = (operator: OperatorDeps): SimulatedOperator['order'] => {
  const inFlight = new Map<string, Promise<OrderAnswer>>();
  const takeOnce = async (order: Costed, circumstances: OrderConditions): Promise<OrderAnswer> => {
    const standing = await operator.book.standing(order.ref);
    if (standing.kind === 'pending') return { kind: 'pending' };
    if (standing.kind !== 'not_found') return done(order);
    return take(operator, order, circumstances);
  };
  return (order, circumstances = {}) => {
    const first = inFlight.get(order.ref);
    if (first !== undefined) return first;
    const answer = takeOnce(withCost(operator, order), circumstances).finally(() =>
      inFlight.delete(order.ref),
    );
    inFlight.set(order.ref, answer);
    return answer;
  };
};

const offersAnswer = ({ newId }: OperatorDeps, mobile: string): OffersOutcome => {
  const transactionId = newId();
  return behaviourOf(mobile) === 'not_subscriber'
    ? { kind: 'refused', code: notSubscriberCode, reason: notSubscriber, transactionId }
    : { kind: 'offers', offers: offersOf(mobile), transactionId, message: 'Successful.' };
};

export const createOperator = (deps: OperatorDeps): SimulatedOperator => ({
  order: deps.deduplicates
    ? recognising(deps)
    : (order, circumstances = {}) => take(deps, withCost(deps, order), circumstances),
  status: deps.book.inquire,
  offers: (mobile) => offersAnswer(deps, mobile),
  subscriber: (mobile) =>
    behaviourOf(mobile) === 'not_subscriber'
      ? { kind: 'not_subscriber' }
      : { kind: 'subscriber', simType: simTypeOf(mobile) },
  balance: () => (deps.float === undefined ? undefined : deps.float - deps.book.taken()),
  reports: async (cursor) => ({ kind: 'reports', ...(await deps.book.eventsFrom(cursor)) }),
});
