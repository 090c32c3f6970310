/** Maps orders and answers of the HTTP connector; anything not listed is unknown. Pure. */
import { type Static, type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { WireAnswer } from '../../connector/answer-reader.ts';
import { type Unknown, unknownBecause } from '../../connector/cause.ts';
import type {
  BalanceOutcome,
  Blame,
  OffersOutcome,
  Order,
  OrderOutcome,
  RefusalCode,
  ReportsOutcome,
  StatusOutcome,
  SubscriberOutcome,
} from '../../connector/connector.ts';
import { balanceFrom, costFrom, reportFrom, timeFrom } from '../../connector/sanitize.ts';
import { keysOf } from '../../lib/record.ts';

/** A part of a path. A lone surrogate cannot be encoded; it is replaced, and so names nothing. */
const segment = (text: string): string => encodeURIComponent(text.toWellFormed());

export const paths = {
  orders: '/orders',
  order: (ref: string): string => `/orders/${segment(ref)}`,
  offers: (mobile: string): string => `/offers?mobile=${segment(mobile)}`,
  subscriber: (mobile: string): string => `/subscribers/${segment(mobile)}`,
  reports: (cursor: string): string => `/reports?cursor=${segment(cursor)}`,
  balance: '/balance',
} as const;

export const orderToWire = ({
  productId,
  profileId,
  simType,
  supplierCode,
  ...order
}: Order): string =>
  JSON.stringify({
    ...order,
    product_id: productId,
    profile_id: profileId,
    sim_type: simType,
    supplier_code: supplierCode,
  });

/** Compiled on first use: a gateway without HTTP operators starts without it. */
const check = <Schema extends TSchema>(schema: Schema) => {
  let compiled: ReturnType<typeof Compile<Schema>> | undefined;
  return (value: unknown): value is Static<Schema> => {
    compiled ??= Compile(schema);
    return compiled.Check(value);
  };
};

const named = <Status extends string>(status: Status) =>
  Type.Object({ status: Type.Literal(status), ref: Type.String() });

const isDelivered = check(
  Type.Object({
    status: Type.Literal('delivered'),
    ref: Type.String(),
    // The delivery is certain, whatever it costs.
    cost: Type.Optional(Type.Unknown()),
    // After an order only: an inquiry may come long after its delivery.
    balance: Type.Optional(Type.Unknown()),
  }),
);
const isPending = check(named('pending'));
const isNotFound = check(named('not_found'));
const isReversed = check(
  Type.Object({
    status: Type.Literal('reversed'),
    ref: Type.String(),
    // The reversal is certain, even without its time.
    at: Type.Optional(Type.Unknown()),
  }),
);
/** The codes of a refusal on the wire, and who is to blame. */
const blames = {
  declined: 'request',
  out_of_stock: 'supplier',
  out_of_funds: 'supplier',
  throttled: 'supplier',
  not_subscriber: 'subscriber',
  wrong_sim_type: 'subscriber',
  offer_gone: 'request',
  price_changed: 'request',
} as const satisfies Partial<Record<RefusalCode, Blame>>;

const isRefused = check(
  Type.Object({
    status: Type.Literal('refused'),
    ref: Type.String(),
    code: Type.Enum(keysOf(blames)),
    reason: Type.String({ minLength: 1, maxLength: 500 }),
  }),
);

const isOffers = check(
  Type.Object({
    status: Type.Literal('ok'),
    message: Type.String(),
    transaction_id: Type.String(),
    offers: Type.Array(
      Type.Object({
        code: Type.String(),
        type: Type.String(),
        amount: Type.String(),
        name: Type.String(),
        description: Type.String(),
        description_local: Type.String(),
        validity_days: Type.String(),
      }),
    ),
  }),
);
const isRefusedOffers = check(
  Type.Object({
    status: Type.Literal('refused'),
    // Zero means success on the gateway's own wire.
    code: Type.Integer({ minimum: 1 }),
    reason: Type.String({ minLength: 1, maxLength: 500 }),
    transaction_id: Type.String(),
  }),
);

const isSubscriber = check(
  Type.Object({
    status: Type.Literal('subscriber'),
    sim_type: Type.Union([Type.Literal('credit'), Type.Literal('permanent')]),
  }),
);
const isNotSubscriber = check(Type.Object({ status: Type.Literal('not_subscriber') }));

const isReports = check(
  Type.Object({
    reports: Type.Array(Type.Unknown()),
    cursor: Type.String(),
  }),
);

/** The body of an answer with a JSON type and valid JSON; undefined if it is unreadable. */
const bodyOf = ({ contentType, text }: WireAnswer): unknown => {
  if (contentType !== 'application/json') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The answer's text is left out: it may hold what no log may contain. */
const unlisted = ({ status, contentType }: WireAnswer): Unknown =>
  unknownBecause({
    code: 'answer_unlisted',
    values: { status, contentType: contentType.slice(0, 200) },
  });

/** An answer counts only if it names the order that was asked about. */
export const readOrder = (answer: WireAnswer, ref: string): OrderOutcome => {
  const body = bodyOf(answer);
  const { status } = answer;
  if (status === 200 && isDelivered(body) && body.ref === ref) {
    return { kind: 'done', ref, ...costFrom(body.cost), ...balanceFrom(body.balance) };
  }
  if (status === 202 && isPending(body) && body.ref === ref) {
    return unknownBecause({ code: 'order_pending', values: {} });
  }
  if (status === 422 && isRefused(body) && body.ref === ref) {
    const { code, reason } = body;
    return { kind: 'refused', code, blame: blames[code], reason };
  }
  return unlisted(answer);
};

export const readStatus = (answer: WireAnswer, ref: string): StatusOutcome => {
  const body = bodyOf(answer);
  const { status } = answer;
  if (status === 200 && isDelivered(body) && body.ref === ref) {
    return { kind: 'done', ref, ...costFrom(body.cost) };
  }
  if (status === 200 && isPending(body) && body.ref === ref) return { kind: 'pending' };
  if (status === 200 && isReversed(body) && body.ref === ref) {
    return { kind: 'reversed', at: timeFrom(body.at) };
  }
  if (status === 404 && isNotFound(body) && body.ref === ref) return { kind: 'not_found' };
  return unlisted(answer);
};

export const readOffers = (answer: WireAnswer): OffersOutcome => {
  const body = bodyOf(answer);
  if (answer.status === 200 && isOffers(body)) {
    const offers = body.offers.map(({ code, type, amount, name, description, ...offer }) => ({
      code,
      type,
      amount,
      name,
      description,
      descriptionLocal: offer.description_local,
      validityDays: offer.validity_days,
    }));
    return { kind: 'offers', offers, transactionId: body.transaction_id, message: body.message };
  }
  if (answer.status === 422 && isRefusedOffers(body)) {
    const { code, reason, transaction_id: transactionId } = body;
    return { kind: 'refused', code, reason, transactionId };
  }
  return unlisted(answer);
};

export const readSubscriber = (answer: WireAnswer): SubscriberOutcome => {
  const body = bodyOf(answer);
  if (answer.status === 200 && isSubscriber(body)) {
    return { kind: 'subscriber', simType: body.sim_type };
  }
  if (answer.status === 404 && isNotSubscriber(body)) return { kind: 'not_subscriber' };
  return unlisted(answer);
};

const isBalance = check(Type.Object({ status: Type.Literal('ok'), balance: Type.Integer() }));

export const readBalance = (answer: WireAnswer): BalanceOutcome => {
  const body = bodyOf(answer);
  return answer.status === 200 && isBalance(body)
    ? { kind: 'balance', amount: body.balance }
    : unlisted(answer);
};

export const readReports = (answer: WireAnswer): ReportsOutcome => {
  const body = bodyOf(answer);
  if (answer.status !== 200 || !isReports(body)) return unlisted(answer);
  const reports = body.reports.flatMap((report) => reportFrom(report) ?? []);
  if (reports.length < body.reports.length) return unlisted(answer);
  return { kind: 'reports', reports, cursor: body.cursor };
};
