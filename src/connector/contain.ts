/** Calls a connector so that its exceptions, missing answers and lies affect no other operator. */
import { type Clock, systemClock } from '../lib/clock.ts';
import { fieldOf } from '../lib/record.ts';
import type { Unknown } from './cause.ts';
import type { Callbacks, Connection, Inquire, Promises, Resend } from './connector.ts';
import { promiseFault } from './declarations.ts';
import {
  checkBalance,
  checkCallback,
  checkOffers,
  checkOrder,
  checkReports,
  checkStatus,
  checkSubscriber,
} from './sanitize.ts';

/**
 * `threw`: a call threw, rejected, or its answer did when it was read. `overdue`: too many calls never ended.
 * `unblamed`: a refusal did not say who is to blame.
 */
export type CallFault = 'threw' | 'overdue' | 'unblamed';

export type Containment = {
  readonly clock?: Pick<Clock, 'after'>;
  /** Called for each fault. */
  readonly onFault?: (fault: CallFault) => void;
  /** Removes secrets from a connector's errors. */
  readonly mask?: (text: string) => string;
  /** How many calls may be unfinished; each keeps some memory until it ends. */
  readonly mostUnsettled?: number;
};

// Ten times the default of orders in flight per operator: a connection with so many has lost most of them.
const usualMostUnsettled = 5_000;

// Longer than any exchange with an operator should take, and short enough for a timer.
const mostDeadlineMs = 300_000;

// Closing ends connections; it need not wait for their calls.
const closesWithinMs = 5_000;

// The longest text that is kept of any answer.
const mostWords = 500;

/** The words of an error, without possible mobile numbers. */
const wordsOf = (error: unknown): string => {
  try {
    const words = error instanceof Error ? error.message : '';
    return words.slice(0, mostWords).replaceAll(/\d{7,}/g, '…');
  } catch {
    return '';
  }
};

const failed = (error: unknown, mask: (text: string) => string): Unknown => ({
  kind: 'unknown',
  detail: `the connector failed: ${mask(wordsOf(error)) || 'it said nothing'}`,
});

const overdue: Unknown = { kind: 'unknown', detail: 'too many calls of the connector never ended' };

/** The connector is not even called: nothing can have been sent. */
const notCalled = {
  kind: 'refused',
  code: 'unreachable',
  blame: 'supplier',
  reason: 'it could not be reached',
} as const;

const isCount = (value: unknown, most: number): boolean =>
  typeof value === 'number' && value > 0 && value <= most;

/** What is wrong with a connection's declarations, as part of a sentence. */
const connectionFault = (said: ReturnType<typeof saidBy>): string | undefined => {
  if (!isCount(said.deadlineMs, mostDeadlineMs)) {
    return `"deadlineMs" must be from 1 to ${mostDeadlineMs}`;
  }
  if (said.atOnce !== undefined && !isCount(said.atOnce, Number.MAX_SAFE_INTEGER)) {
    return '"atOnce" must be 1 or more';
  }
  return promiseFault(said);
};

/** What is wrong with how an order's outcome is found out, as part of a sentence. */
const statusFault = (status: Inquire | Resend): string | undefined => {
  if (typeof status === 'function') return undefined;
  const within: unknown = fieldOf(status, 'resendWithin');
  return Number.isSafeInteger(within) && isCount(within, Number.MAX_SAFE_INTEGER)
    ? undefined
    : '"status" must be a function, or have "resendWithin" in milliseconds';
};

/** By name: getters of a class are not own fields of its instances. */
export const saidBy = (
  connection: Connection,
): Promises & Pick<Connection, 'deadlineMs' | 'atOnce'> => {
  const { deadlineMs, atOnce, settlesWithin, inquiries, deduplicates, ordersTellSubscriber } =
    connection;
  return {
    deadlineMs,
    ...(atOnce === undefined ? {} : { atOnce }),
    ...(settlesWithin === undefined ? {} : { settlesWithin }),
    ...(inquiries === undefined ? {} : { inquiries }),
    ...(deduplicates === undefined ? {} : { deduplicates }),
    ...(ordersTellSubscriber === undefined ? {} : { ordersTellSubscriber }),
  };
};

/** Runs the calls of one connection: none throws, and the unfinished ones are limited. */
const createCalls = ({
  onFault = () => {},
  mask = (text) => text,
  mostUnsettled = usualMostUnsettled,
}: Containment) => {
  let unsettled = 0;
  return async <Outcome>(
    call: () => Promise<Outcome>,
    check: (outcome: Outcome) => Outcome,
    full: Outcome,
  ): Promise<Outcome | Unknown> => {
    if (unsettled >= mostUnsettled) {
      onFault('overdue');
      return full;
    }
    unsettled += 1;
    try {
      return check(await call());
    } catch (error) {
      onFault('threw');
      return failed(error, mask);
    } finally {
      unsettled -= 1;
    }
  };
};

/** A callback that its connector cannot read is not proven to come from the operator. */
const checkedCallbacks = (
  callbacks: Callbacks,
  { onFault = () => {} }: Containment,
): Callbacks => ({
  read: (request) => {
    try {
      return checkCallback(callbacks.read(request), () => onFault('unblamed'));
    } catch (error) {
      onFault('threw');
      const name = error instanceof Error ? error.name : 'error';
      return { kind: 'rejected', detail: `its connector cannot read it: ${name}` };
    }
  },
  final: callbacks.final === true,
});

/** Ends when the connection is closed, or after a timeout; a failure to close does not matter. */
const closeWithin = async (connection: Connection, clock: Pick<Clock, 'after'>): Promise<void> => {
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const cancel = clock.after(closesWithinMs, resolve);
  const close = async (): Promise<void> => connection.close();
  await Promise.race([close().catch(() => {}), late]);
  cancel();
};

/**
 * The only way from connectors to the gateway: answers are checked, and no call throws. Functions are called
 * on the connection itself, so that a class instance works too. Throws if the connection's declarations are
 * unusable.
 */
export const checkedConnection = (
  connection: Connection,
  containment: Containment = {},
): Connection => {
  const said = saidBy(connection);
  const { status } = connection;
  const fault = connectionFault(said) ?? statusFault(status);
  if (fault !== undefined) throw new TypeError(fault);
  const { offers, subscriber, reports, balance, callbacks } = connection;
  const ask = createCalls(containment);
  const onUnblamed = (): void => containment.onFault?.('unblamed');
  return {
    ...said,
    ...(offers === undefined
      ? {}
      : {
          offers: (mobile, context) =>
            ask(() => offers.call(connection, mobile, context), checkOffers, overdue),
        }),
    ...(subscriber === undefined
      ? {}
      : {
          subscriber: (mobile, context) =>
            ask(() => subscriber.call(connection, mobile, context), checkSubscriber, overdue),
        }),
    buy: (order, context) =>
      ask(
        () => connection.buy(order, context),
        (outcome) => checkOrder(outcome, order.ref, onUnblamed),
        notCalled,
      ),
    status:
      typeof status === 'function'
        ? (ref, context) =>
            ask(
              () => status.call(connection, ref, context),
              (outcome) => checkStatus(outcome, ref, onUnblamed),
              overdue,
            )
        : { resendWithin: status.resendWithin },
    ...(reports === undefined
      ? {}
      : {
          reports: (cursor) => ask(() => reports.call(connection, cursor), checkReports, overdue),
        }),
    ...(balance === undefined
      ? {}
      : {
          balance: (context) => ask(() => balance.call(connection, context), checkBalance, overdue),
        }),
    ...(callbacks === undefined ? {} : { callbacks: checkedCallbacks(callbacks, containment) }),
    close: () => closeWithin(connection, containment.clock ?? systemClock),
  };
};
