/** Checks operators' answers before the gateway uses them: bounds texts, validates times. */
import { isCause, unknownBecause } from './cause.ts';
import type {
  CallbackOutcome,
  CallbackStatement,
  Callbacks,
  Connection,
  OrderOutcome,
  Promises,
  RefusalCode,
  Report,
  ReportsOutcome,
  StatusOutcome,
} from './connector.ts';

// The last moment that a date can hold.
const lastDate = 8.64e15;

/** A time in epoch milliseconds; null where it is no date. What it dates counts all the same. */
export const timeFrom = (value: unknown): number | null => {
  const at = typeof value === 'number' ? Math.round(value) : Number.NaN;
  return at >= 0 && at <= lastDate ? at : null;
};

/** As much of a text as is kept. PostgreSQL takes no text with a zero character. */
const textFrom = (value: unknown, most: number): string =>
  typeof value === 'string' ? value.slice(0, most).toWellFormed().replaceAll('\0', '\u{fffd}') : '';

const mostRef = 255;
const mostWords = 500;
const mostDigits = 32;

const field = (value: object, name: keyof Report): unknown => Reflect.get(value, name);

/** A report, or undefined where it names no order or nothing that is reported. */
export const reportFrom = (value: unknown): Report | undefined => {
  if (typeof value !== 'object' || value === null) return undefined;
  const [ref, kind] = [field(value, 'ref'), field(value, 'kind')];
  if (typeof ref !== 'string' || (kind !== 'delivered' && kind !== 'reversed')) return undefined;
  const mobile = textFrom(field(value, 'mobile'), mostDigits);
  const amount = field(value, 'amount');
  return {
    ref: textFrom(ref, mostRef),
    kind,
    at: timeFrom(field(value, 'at')),
    ...(mobile === '' ? {} : { mobile }),
    ...(typeof amount === 'number' && Number.isSafeInteger(amount) && amount >= 0
      ? { amount }
      : {}),
  };
};

const unlisted = { kind: 'unknown', detail: 'the answer is not on the list' } as const;

const refusalCodes = [
  'declined',
  'unreachable',
  'not_subscriber',
  'wrong_sim_type',
  'offer_gone',
  'price_changed',
] as const satisfies readonly RefusalCode[];

const checkOrder = (outcome: OrderOutcome, ref: string): OrderOutcome => {
  switch (outcome.kind) {
    case 'done':
      return { kind: 'done', ref: textFrom(outcome.ref, mostRef) || ref };
    case 'refused': {
      const code = refusalCodes.find((one) => one === outcome.code) ?? 'declined';
      const reason = textFrom(outcome.reason, mostWords) || 'it gave no reason';
      return { kind: 'refused', code, reason };
    }
    case 'unknown':
      return isCause(outcome.cause)
        ? unknownBecause(outcome.cause)
        : { kind: 'unknown', detail: textFrom(outcome.detail, mostWords) || 'no answer' };
    default:
      return unlisted;
  }
};

const checkStatus = (outcome: StatusOutcome, ref: string): StatusOutcome => {
  switch (outcome.kind) {
    case 'pending':
    case 'not_found':
      return { kind: outcome.kind };
    case 'reversed':
      return { kind: 'reversed', at: timeFrom(outcome.at) };
    default:
      return checkOrder(outcome, ref);
  }
};

// It is sent back as it came, so it is taken whole or not at all.
const mostCursor = 4096;

/** One report that cannot be read leaves the page unread: its cursor would pass the report over for good. */
const checkReports = (outcome: ReportsOutcome): ReportsOutcome => {
  if (outcome.kind === 'unknown') return outcome;
  const { cursor } = outcome;
  if (!Array.isArray(outcome.reports) || typeof cursor !== 'string') return unlisted;
  if (cursor.length > mostCursor || cursor.includes('\0')) return unlisted;
  const reports = outcome.reports.flatMap((report) => reportFrom(report) ?? []);
  return reports.length === outcome.reports.length
    ? { kind: 'reports', reports, cursor }
    : unlisted;
};

/** As many as one message may say: each costs a transaction. */
export const mostStatements = 50;

const checkStatement = (statement: CallbackStatement): CallbackStatement => {
  const ref = textFrom(statement.ref, mostRef);
  return { ref, outcome: checkStatus(statement.outcome, ref) };
};

const checkCallback = (outcome: CallbackOutcome): CallbackOutcome => {
  if (outcome.kind !== 'statements') {
    return { kind: 'rejected', detail: textFrom(outcome.detail, mostWords) || 'it is not known' };
  }
  const statements = outcome.statements.slice(0, mostStatements).map(checkStatement);
  return { kind: 'statements', statements: statements.filter(({ ref }) => ref !== '') };
};

/** What cannot be read is not known to come from the operator. */
const checkedCallbacks = (callbacks: Callbacks): Callbacks => ({
  read: (request) => {
    try {
      return checkCallback(callbacks.read(request));
    } catch (error) {
      const name = error instanceof Error ? error.name : 'error';
      return { kind: 'rejected', detail: `its connector cannot read it: ${name}` };
    }
  },
  final: callbacks.final === true,
});

/** By name: getters of a class are no fields of its instances. What is not said is absent. */
const saidBy = (connection: Connection): Promises & Pick<Connection, 'deadlineMs' | 'atOnce'> => {
  const { deadlineMs, atOnce, settlesWithin, inquiries, deduplicates } = connection;
  return {
    deadlineMs,
    ...(atOnce === undefined ? {} : { atOnce }),
    ...(settlesWithin === undefined ? {} : { settlesWithin }),
    ...(inquiries === undefined ? {} : { inquiries }),
    ...(deduplicates === undefined ? {} : { deduplicates }),
  };
};

/**
 * A connection whose answers about orders have been checked: the one door between connectors and the gateway.
 * Functions are bound, so that an instance of a class is a connection too.
 */
export const checkedConnection = (connection: Connection): Connection => {
  const { offers, subscriber, reports, callbacks } = connection;
  return {
    ...saidBy(connection),
    ...(offers === undefined ? {} : { offers: offers.bind(connection) }),
    ...(subscriber === undefined ? {} : { subscriber: subscriber.bind(connection) }),
    buy: async (order, context) => checkOrder(await connection.buy(order, context), order.ref),
    status: async (ref, context) => checkStatus(await connection.status(ref, context), ref),
    ...(reports === undefined
      ? {}
      : { reports: async (cursor) => checkReports(await reports.call(connection, cursor)) }),
    ...(callbacks === undefined ? {} : { callbacks: checkedCallbacks(callbacks) }),
    close: () => connection.close(),
  };
};
