/** Defines the contract between the gateway and a connector: what it is asked, and its possible answers. */
import type { Static, TObject } from 'typebox';
import type { Clock } from '../lib/clock.ts';
import type { CallContext } from '../lib/http/trace.ts';
import type { NewId, Random } from '../lib/random.ts';
import type { Call } from './call.ts';
import type { Unknown } from './cause.ts';
import type { SettingTexts } from './settings/texts.ts';

export type SimType = 'credit' | 'permanent';

/** One personal offer, in the operator's own words; the amount stays text until it is read exactly. */
export type Offer = {
  readonly code: string;
  readonly type: string;
  readonly amount: string;
  readonly name: string;
  readonly description: string;
  readonly descriptionLocal: string;
  /** Days, or empty if the operator does not say. */
  readonly validityDays: string;
};

/** The possible answers about offers. */
export type OffersOutcome =
  | {
      readonly kind: 'offers';
      readonly offers: readonly Offer[];
      readonly transactionId: string;
      readonly message: string;
    }
  | {
      /** The operator refused: not its subscriber, barred and the like. */
      readonly kind: 'refused';
      readonly code: number;
      readonly reason: string;
      readonly transactionId: string;
    }
  | Unknown;

/** The possible answers about a subscriber. */
export type SubscriberOutcome =
  | { readonly kind: 'subscriber'; readonly simType: SimType }
  | { readonly kind: 'not_subscriber' }
  | Unknown;

/** An order. The reference is the purchase's id on every attempt. */
export type Order = {
  readonly ref: string;
  readonly mobile: string;
  readonly amount: number;
  readonly productId: number;
  /** The kind of SIM that the product is for; absent if the product is no longer in the catalogue. */
  readonly simType?: SimType;
  readonly profileId?: string;
  /** The supplier's own code of the product, where a route gives one. */
  readonly supplierCode?: string;
  readonly offer?: { readonly code: string; readonly type: string };
};

/** Why an operator refuses, as a code of the gateway; `declined` if no other fits. */
export type RefusalCode =
  | 'declined'
  /** The order was not sent: there was no connection. The operator's fault, not the subscriber's. */
  | 'unreachable'
  /** The operator has none left of what was ordered. */
  | 'out_of_stock'
  /** Our account with the operator is empty. */
  | 'out_of_funds'
  /** The operator takes no more orders for now, and documents that it executed nothing. */
  | 'throttled'
  | 'not_subscriber'
  | 'wrong_sim_type'
  | 'offer_gone'
  | 'price_changed';

/**
 * Who is to blame for a refusal. `supplier`: the other side, so another supplier may be tried. `subscriber`:
 * this subscriber cannot get it. `request`: what was asked for is wrong. The last two end the purchase.
 */
export type Blame = 'supplier' | 'subscriber' | 'request';

/** The possible outcomes of an order. */
export type OrderOutcome =
  /** Delivered; `ref` is the operator's own receipt, or our reference if it gives none. */
  | {
      readonly kind: 'done';
      readonly ref: string;
      /** What the delivery costs us, as an integer amount; absent if the operator does not say. */
      readonly cost?: number;
      /**
       * What lies at the operator right after this delivery, as an integer amount: below zero if we owe it.
       * Absent if the operator does not say, or says it of a later moment.
       */
      readonly balance?: number;
    }
  /** Proof that nothing was or will be delivered. */
  | {
      readonly kind: 'refused';
      readonly code: RefusalCode;
      readonly blame: Blame;
      readonly reason: string;
    }
  /** Anything else, including a timeout or nonsense. */
  | Unknown;

/** The possible answers to an inquiry. */
export type StatusOutcome =
  | OrderOutcome
  | { readonly kind: 'pending' }
  /** Proof that nothing was delivered only after the quiet time: the order may still arrive. */
  | { readonly kind: 'not_found' }
  | { readonly kind: 'reversed'; readonly at: number | null };

/** One line of an operator's report: what happened to an order since the last one. */
export type Report = {
  readonly ref: string;
  /** Epoch milliseconds; null if the operator gives no readable time. */
  readonly at: number | null;
  readonly kind: 'delivered' | 'reversed';
  /** The number and the amount, if the operator gives them. */
  readonly mobile?: string;
  readonly amount?: number;
};

/** Reports after a cursor, and the next cursor. An empty list: there are no more. */
export type ReportsOutcome =
  | { readonly kind: 'reports'; readonly reports: readonly Report[]; readonly cursor: string }
  | Unknown;

/** The possible answers about the money that we have at an operator. */
export type BalanceOutcome =
  /** As an integer amount; below zero if we owe the operator. */
  { readonly kind: 'balance'; readonly amount: number } | Unknown;

/** A callback of an operator, as received. */
export type CallbackRequest = {
  readonly method: string;
  /** The query of its address, encoded. */
  readonly query: string;
  /** By name, in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Epoch milliseconds by the gateway's clock: to refuse old signatures. */
  readonly receivedAt: number;
};

/** A callback's statement about one order, with the outcomes of an inquiry. */
export type CallbackStatement = { readonly ref: string; readonly outcome: StatusOutcome };

/** The result of reading a callback. */
export type CallbackOutcome =
  /** The operator has sent it; a list without statements says nothing about any order. */
  | { readonly kind: 'statements'; readonly statements: readonly CallbackStatement[] }
  /** Nothing proves that the operator has sent it. */
  | { readonly kind: 'rejected'; readonly detail: string };

/** How an operator's callbacks are read. */
export type Callbacks = {
  /**
   * Pure: it returns synchronously and sends nothing. Verify first that the operator has sent it, then read
   * it.
   */
  readonly read: (request: CallbackRequest) => CallbackOutcome;
  /**
   * Whether the operator signs its callbacks, and what it reports as delivered, refused or reversed is final.
   * Only then a callback alone ends a purchase. Without it a callback brings the next inquiry forward.
   */
  readonly final?: boolean;
};

/** An operator's promises about orders. */
export type Promises = {
  /**
   * How long after the call's deadline an accepted order may still appear, in milliseconds. Without it "no
   * such order" is never proof, and unknown orders need review.
   */
  readonly settlesWithin?: number;
  /** When to inquire about an order, if the operator is faster or slower than most. */
  readonly inquiries?: {
    readonly firstInquiryMs: number;
    readonly widestInquiryMs: number;
    readonly reviewAfterMs: number;
  };
  /** Whether the operator deduplicates orders by reference. */
  readonly deduplicates?: boolean;
  /**
   * Whether an order for another operator's subscriber, or for the other kind of SIM, is refused as
   * `not_subscriber` or `wrong_sim_type`. Then the subscriber is not asked about before an order.
   */
  readonly ordersTellSubscriber?: boolean;
};

export type { CallContext } from '../lib/http/trace.ts';
export type { Unknown, UnknownCause } from './cause.ts';

/** Asks an operator about an order. */
export type Inquire = (ref: string, context?: CallContext) => Promise<StatusOutcome>;

/** For an operator that takes no inquiries: the order is sent again instead, under the same reference. */
export type Resend = {
  /**
   * How long after an order the operator takes it again without delivering it twice, in milliseconds. Later
   * on, and without `settlesWithin`, a person decides.
   */
  readonly resendWithin: number;
};

/**
 * An operator's connection in use. A missing function is something that the operator cannot do. Promises from
 * its settings override those of its connector. A `context` identifies the request of a call: pass it to the
 * transport, or to the operator in its own way.
 */
export type Connection = Promises & {
  readonly offers?: (mobile: string, context?: CallContext) => Promise<OffersOutcome>;
  readonly subscriber?: (mobile: string, context?: CallContext) => Promise<SubscriberOutcome>;
  readonly buy: (order: Order, context?: CallContext) => Promise<OrderOutcome>;
  /** How the outcome of an order is found out later. */
  readonly status: Inquire | Resend;
  readonly reports?: (cursor: string) => Promise<ReportsOutcome>;
  /** For an operator that says how much money we have with it. */
  readonly balance?: (context?: CallContext) => Promise<BalanceOutcome>;
  /** For an operator that calls back: its messages come to `/callbacks/{name of the operator}`. */
  readonly callbacks?: Callbacks;
  /** How long one exchange may take, in milliseconds; without an answer by then it is unknown. */
  readonly deadlineMs: number;
  /** How many concurrent exchanges it carries; no more purchases than that are begun. */
  readonly atOnce?: number;
  readonly close: () => Promise<void>;
};

/** What the gateway passes to a connector when it connects. */
export type ConnectorContext = {
  readonly operatorId: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly newId: NewId;
  /** Runs one exchange under a deadline and never throws. */
  readonly call: Call;
};

/**
 * The version of what connectors import (`simgate/connector`). It changes when existing connectors would
 * break; docs/extend/connectors.md says what may change without it.
 */
export const connectorApi = 1;

type Declarations<Settings extends TObject> = Promises & {
  readonly name: string;
  /** The version that it is written for, as a number. A connector loaded from a file must declare it. */
  readonly connectorApi?: typeof connectorApi;
  /** What can be configured. Mark a secret with `secret: true` in its schema's options. */
  readonly settings: Settings;
  /**
   * The settings that identify the system and the account on the other side, such as an address. Only that
   * system's "no such order" is proof. By default all settings except secrets do.
   */
  readonly identifiedBy?: readonly (keyof Static<Settings> & string)[];
  /** Whether its operator lives in the connecting process: then no other process can ask it. */
  readonly inProcess?: boolean;
  /**
   * A method, so that connectors with different settings fit into one list; its argument has been validated
   * against `settings`.
   */
  connect(settings: Static<Settings>, context: ConnectorContext): Connection;
};

export type Connector<Settings extends TObject = TObject> = Declarations<Settings> & {
  /** How the console names and explains its settings: see `SettingTexts`. */
  readonly texts?: object;
};

/** Declares a connector; it exists for the inference of its settings' type, and checks its texts against them. */
export const defineConnector = <Settings extends TObject>(
  connector: Declarations<Settings> & { readonly texts?: SettingTexts<Settings> },
): Connector<Settings> => connector;
