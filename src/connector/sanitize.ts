/** Checks operators' answers before the gateway uses them: bounds texts and lists, validates times. Pure. */
import { isCause, type Unknown, unknownBecause } from './cause.ts';
import type {
  BalanceOutcome,
  Blame,
  CallbackOutcome,
  CallbackStatement,
  Offer,
  OffersOutcome,
  OrderOutcome,
  RefusalCode,
  Report,
  ReportsOutcome,
  StatusOutcome,
  SubscriberOutcome,
} from './connector.ts';

// The last moment that a date can hold.
const lastDate = 8.64e15;

/** A time in epoch milliseconds; null if it is not a date. Its report still counts. */
export const timeFrom = (value: unknown): number | null => {
  const at = typeof value === 'number' ? Math.round(value) : Number.NaN;
  return at >= 0 && at <= lastDate ? at : null;
};

/** The beginning of a text as a text of its own: a slice would keep all of a huge one in memory. */
const beginningOf = (text: string, most: number): string =>
  text.length <= most ? text : Buffer.from(text.slice(0, most).toWellFormed()).toString();

/** As much of a text as is kept. PostgreSQL takes no text with a zero character. */
const textFrom = (value: unknown, most: number): string =>
  typeof value === 'string'
    ? beginningOf(value, most).toWellFormed().replaceAll('\0', '\u{fffd}')
    : '';

const mostRef = 255;
const mostWords = 500;
const mostDigits = 32;

/** An amount of money as an integer. */
const isAmount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

/** What a delivery costs, if that can be read: the delivery counts without it. */
export const costFrom = (cost: unknown): { readonly cost?: number } =>
  isAmount(cost) ? { cost } : {};

/** What lay at the operator after a delivery, if that can be read. */
export const balanceFrom = (balance: unknown): { readonly balance?: number } =>
  typeof balance === 'number' && Number.isSafeInteger(balance) ? { balance } : {};

const field = (value: object, name: keyof Report): unknown => Reflect.get(value, name);

/** A report, or undefined if it names no order or no known event. */
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
    ...(isAmount(amount) ? { amount } : {}),
  };
};

const simTypes = ['credit', 'permanent'] as const;

const unlisted = { kind: 'unknown', detail: 'the answer is not on the list' } as const;

const refusalCodes = [
  'declined',
  'unreachable',
  'out_of_stock',
  'out_of_funds',
  'throttled',
  'not_subscriber',
  'wrong_sim_type',
  'offer_gone',
  'price_changed',
] as const satisfies readonly RefusalCode[];

const blames = ['supplier', 'subscriber', 'request'] as const satisfies readonly Blame[];

/** Called for a refusal without a valid blame. It counts as the request's, which never fails over. */
export type OnUnblamed = () => void;

const blameFrom = (value: unknown, onUnblamed: OnUnblamed): Blame => {
  const blame = blames.find((one) => one === value);
  if (blame === undefined) onUnblamed();
  return blame ?? 'request';
};

const checkUnknown = ({ cause, detail }: Unknown): Unknown =>
  isCause(cause)
    ? unknownBecause(cause)
    : { kind: 'unknown', detail: textFrom(detail, mostWords) || 'no answer' };

export const checkOrder = (
  outcome: OrderOutcome,
  ref: string,
  onUnblamed: OnUnblamed,
): OrderOutcome => {
  switch (outcome.kind) {
    case 'done':
      return {
        kind: 'done',
        ref: textFrom(outcome.ref, mostRef) || ref,
        ...costFrom(outcome.cost),
        ...balanceFrom(outcome.balance),
      };
    case 'refused': {
      const code = refusalCodes.find((one) => one === outcome.code) ?? 'declined';
      const blame = blameFrom(outcome.blame, onUnblamed);
      const reason = textFrom(outcome.reason, mostWords) || 'it gave no reason';
      return { kind: 'refused', code, blame, reason };
    }
    case 'unknown':
      return checkUnknown(outcome);
    default:
      return unlisted;
  }
};

export const checkStatus = (
  outcome: StatusOutcome,
  ref: string,
  onUnblamed: OnUnblamed,
): StatusOutcome => {
  switch (outcome.kind) {
    case 'pending':
    case 'not_found':
      return { kind: outcome.kind };
    case 'reversed':
      return { kind: 'reversed', at: timeFrom(outcome.at) };
    default:
      return checkOrder(outcome, ref, onUnblamed);
  }
};

// It is sent back unchanged, so it is accepted whole or not at all.
const mostCursor = 4096;

// A page is read into memory whole, and its orders are looked up together.
const mostReports = 100_000;

/** One report that cannot be read leaves the page unread: its cursor would pass the report over for good. */
export const checkReports = (outcome: ReportsOutcome): ReportsOutcome => {
  if (outcome.kind === 'unknown') return checkUnknown(outcome);
  const { cursor } = outcome;
  if (!Array.isArray(outcome.reports) || typeof cursor !== 'string') return unlisted;
  if (outcome.reports.length > mostReports || cursor.length > mostCursor || cursor.includes('\0'))
    return unlisted;
  const reports = outcome.reports.flatMap((report) => reportFrom(report) ?? []);
  return reports.length === outcome.reports.length
    ? { kind: 'reports', reports, cursor }
    : unlisted;
};

/** As many as one message may say: each costs a transaction. */
export const mostStatements = 50;

const checkStatement = (
  statement: CallbackStatement,
  onUnblamed: OnUnblamed,
): CallbackStatement => {
  const ref = textFrom(statement.ref, mostRef);
  return { ref, outcome: checkStatus(statement.outcome, ref, onUnblamed) };
};

export const checkCallback = (
  outcome: CallbackOutcome,
  onUnblamed: OnUnblamed,
): CallbackOutcome => {
  if (outcome.kind !== 'statements') {
    return { kind: 'rejected', detail: textFrom(outcome.detail, mostWords) || 'it is not known' };
  }
  const statements = outcome.statements
    .slice(0, mostStatements)
    .map((statement) => checkStatement(statement, onUnblamed));
  return { kind: 'statements', statements: statements.filter(({ ref }) => ref !== '') };
};

const mostOffers = 1_000;
const mostDescription = 5_000;

/** An offer without a code, a type or an amount cannot be sold, and is left out. */
const offerFrom = (value: Offer): Offer | undefined => {
  const { code, type, amount } = value;
  if ([code, type, amount].some((text) => typeof text !== 'string')) return undefined;
  if ([code, type, amount].some((text) => text.length > mostRef)) return undefined;
  return {
    code: textFrom(code, mostRef),
    type: textFrom(type, mostRef),
    amount: textFrom(amount, mostDigits),
    name: textFrom(value.name, mostWords),
    description: textFrom(value.description, mostDescription),
    descriptionLocal: textFrom(value.descriptionLocal, mostDescription),
    validityDays: textFrom(value.validityDays, mostDigits),
  };
};

export const checkOffers = (outcome: OffersOutcome): OffersOutcome => {
  switch (outcome.kind) {
    case 'offers': {
      const { offers, transactionId, message } = outcome;
      if (offers.length > mostOffers) return unlisted;
      return {
        kind: 'offers',
        offers: offers.flatMap((offer) => offerFrom(offer) ?? []),
        transactionId: textFrom(transactionId, mostRef),
        message: textFrom(message, mostWords),
      };
    }
    case 'refused': {
      const { code, reason, transactionId } = outcome;
      if (!Number.isSafeInteger(code)) return unlisted;
      return {
        kind: 'refused',
        code,
        reason: textFrom(reason, mostWords) || 'it gave no reason',
        transactionId: textFrom(transactionId, mostRef),
      };
    }
    case 'unknown':
      return checkUnknown(outcome);
    default:
      return unlisted;
  }
};

export const checkBalance = (outcome: BalanceOutcome): BalanceOutcome => {
  if (outcome.kind === 'unknown') return checkUnknown(outcome);
  const { kind, amount } = outcome;
  return kind === 'balance' && Number.isSafeInteger(amount) ? { kind, amount } : unlisted;
};

export const checkSubscriber = (outcome: SubscriberOutcome): SubscriberOutcome => {
  switch (outcome.kind) {
    case 'subscriber': {
      const simType = simTypes.find((one) => one === outcome.simType);
      return simType === undefined ? unlisted : { kind: 'subscriber', simType };
    }
    case 'not_subscriber':
      return { kind: 'not_subscriber' };
    case 'unknown':
      return checkUnknown(outcome);
    default:
      return unlisted;
  }
};
