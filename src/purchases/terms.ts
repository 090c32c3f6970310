/** Computes a purchase's times: how long it may send, when silence is proof, when to inquire again. Pure. */
import type { Operator } from '../operators/registry.ts';
import type { Purchase, Timing } from './purchase.ts';

export type RecoveryConfig = {
  /** How long after the beginning an attempt may still send. */
  readonly sendWithinMs: number;
  /** The first pause before an inquiry about an order; each is twice the last. */
  readonly firstInquiryMs: number;
  readonly widestInquiryMs: number;
  /** After this long a person decides. */
  readonly reviewAfterMs: number;
};

/** The terms of one operator: its own declarations before the configuration. */
export type Terms = {
  readonly sendWithinMs: number;
  readonly deadlineMs: number;
  /** Undefined: "no such order" is never proof. */
  readonly settlesWithinMs: number | undefined;
  readonly deduplicates: boolean;
  /** How long an order may be sent again instead of an inquiry; undefined: never. */
  readonly resendWithinMs: number | undefined;
  readonly firstInquiryMs: number;
  readonly widestInquiryMs: number;
  readonly reviewAfterMs: number;
};

export const termsOf = ({ connector, connection }: Operator, config: RecoveryConfig): Terms => ({
  ...config,
  ...(connection.inquiries ?? connector.inquiries),
  deadlineMs: connection.deadlineMs,
  settlesWithinMs: connection.settlesWithin ?? connector.settlesWithin,
  deduplicates: connection.deduplicates ?? connector.deduplicates ?? false,
  resendWithinMs:
    typeof connection.status === 'function' ? undefined : connection.status.resendWithin,
});

/**
 * Whether the system asked now is the one that got the order. Another system always says "no such order",
 * which is no proof.
 */
const askedWhereSent = (
  { system }: Pick<Operator, 'system'>,
  { sentTo }: Pick<Purchase, 'sentTo'>,
): boolean => system !== null && system === sentTo;

/** The terms of one purchase. */
export const termsFor = (
  operator: Operator,
  purchase: Pick<Purchase, 'sentTo'>,
  config: RecoveryConfig,
): Terms => {
  const terms = termsOf(operator, config);
  return askedWhereSent(operator, purchase)
    ? terms
    : { ...terms, settlesWithinMs: undefined, deduplicates: false, resendWithinMs: undefined };
};

// Another instance takes over a dead one's work within 30 seconds, so no lease is longer than this.
export const longestLeaseMs = 20_000;

// For settling after the operator's answer.
const graceMs = 2000;

/** The earliest time at which "no such order" is proof, for sending until `sendBefore`. */
export const quietFrom = (sendBefore: number, terms: Terms): number =>
  sendBefore + terms.deadlineMs + (terms.settlesWithinMs ?? 0);

/** The same for a purchase: by the terms at sending and those of now, whichever is longer. */
export const quietOf = (
  { sendBefore, quietAt }: Pick<Purchase, 'sendBefore' | 'quietAt'>,
  terms: Terms,
): number => Math.max(quietAt, quietFrom(sendBefore, terms));

/** The times of an attempt that begins now. */
export const timingFrom = (now: number, terms: Terms): Timing => {
  const sendBefore = now + terms.sendWithinMs;
  const lease = Math.min(terms.sendWithinMs + terms.deadlineMs + graceMs, longestLeaseMs);
  return { sendBefore, quietAt: quietFrom(sendBefore, terms), dueAt: now + lease };
};

/** The pause before the next inquiry. `chance` from 0 to 1 spreads those that failed together. */
export const inquiryPause = (inquiries: number, terms: Terms, chance: number): number => {
  const pause = Math.min(
    terms.firstInquiryMs * 2 ** Math.min(inquiries, 30),
    terms.widestInquiryMs,
  );
  return Math.round(pause * (0.8 + 0.4 * chance));
};

/** No purchase is ever due later than this from now. */
export const longestWaitMs = (terms: Terms): number =>
  Math.max(longestLeaseMs, inquiryPause(30, terms, 1));
