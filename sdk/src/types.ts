/** Declares the types of the gateway's answers. Written by sdk/generate.ts: change the schemas, not this file. */

/** The error codes of this version. */
export type KnownErrorCode =
  | 'IDEMPOTENCY_KEY_MISSING'
  | 'IDEMPOTENCY_KEY_INVALID'
  | 'MALFORMED_REQUEST'
  | 'TOKEN_MISSING'
  | 'TOKEN_INVALID'
  | 'TOKEN_EXPIRED'
  | 'INSUFFICIENT_BALANCE'
  | 'CLIENT_SUSPENDED'
  | 'IP_NOT_ALLOWED'
  | 'SCOPE_MISSING'
  | 'PRODUCT_NOT_ALLOWED'
  | 'DAILY_LIMIT_REACHED'
  | 'NOT_FOUND'
  | 'PRODUCT_NOT_FOUND'
  | 'PURCHASE_NOT_FOUND'
  | 'WEBHOOK_NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'OFFER_EXPIRED'
  | 'PRICE_CHANGED'
  | 'LIKELY_DUPLICATE'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'VALIDATION_FAILED'
  | 'INVALID_MOBILE'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'PRICE_MISMATCH'
  | 'AMOUNT_OUT_OF_RANGE'
  | 'PRODUCT_INACTIVE'
  | 'OPERATOR_MISMATCH'
  | 'SIM_TYPE_MISMATCH'
  | 'OFFER_NOT_FOUND'
  | 'OPERATOR_DECLINED'
  | 'ORDER_NOT_RECEIVED'
  | 'NOT_DELIVERED'
  | 'RATE_LIMITED'
  | 'TRANSACTION_PENDING'
  | 'INTERNAL_ERROR'
  | 'OPERATOR_UNAVAILABLE'
  | 'OVERLOADED'
  | 'DRAINING'
  | 'DATABASE_UNAVAILABLE';

/** An error code. Editors complete those of this version; others are allowed, since newer gateways may have more. */
export type ErrorCode = KnownErrorCode | (string & Record<never, never>);

/** A category of a product. */
export type Category = {
  /** Category identifier. */
  readonly id: number;
  /** Category name. */
  readonly name: string;
  /** A JSON-encoded array of sub-categories: objects with `id` (integer), `text` (string) and `parent` (integer, 0 for the top level). */
  readonly data: string;
  /** When the category was created. */
  readonly created_at: string | null;
  /** When it was last updated. */
  readonly updated_at: string | null;
  /** The link between product and category. */
  readonly pivot: {
    /** Always `Product`. */
    readonly categorizable_type: 'Product';
    /** The ID of the product. */
    readonly categorizable_id: number;
    /** The ID of the category. */
    readonly category_id: number;
    /** The sub-category of the product. */
    readonly address: string;
  };
};

/** A product of the catalogue. */
export type Product = {
  /** Product identifier. */
  readonly id: number;
  /** Product name. */
  readonly name: string;
  /** Product name in Latin script. */
  readonly name_en: string | null;
  /** Description. */
  readonly description: string;
  /** Longer description. */
  readonly description_full: string | null;
  /** Stock keeping unit. */
  readonly sku: string | null;
  /** Base price in whole currency units. */
  readonly price: number;
  /** If set, you can send any whole price from `price` to `second_price`. */
  readonly second_price: number | null;
  /** A price for display. */
  readonly showable_price: number | null;
  /** `cell_internet` (data package), `cell_direct_charge` (top-up) or `td_lte_internet` (TD-LTE package, operator 2 only). */
  readonly type: 'cell_internet' | 'cell_direct_charge' | 'td_lte_internet';
  /** Smallest sale. */
  readonly minimum_sale: number | null;
  /** Dimension of the product. Null, or any JSON value. */
  readonly dimension: unknown;
  /** Score. */
  readonly score: number;
  /** 1: on sale. 0: disabled; it is listed but cannot be bought. */
  readonly status: number;
  /** Options of the product. Null, or any JSON value. */
  readonly options: unknown;
  /** 0 or 1. */
  readonly deliverable: number;
  /** Identifier at a third party. Null, or any JSON value. */
  readonly third_party_id: unknown;
  /** Capacity. Null, or any JSON value. */
  readonly capacity: unknown;
  /** Validity in days. */
  readonly period: number | null;
  /** `credit` (prepaid SIM) or `permanent` (postpaid SIM). */
  readonly sim_card_type: 'credit' | 'permanent';
  /** Operator: 1 to 5, or another one that the gateway has. */
  readonly operator_id: number;
  /** Present on some products only. It is sent to the operator with each purchase. */
  readonly profile_id?: string;
  /** Sort position. */
  readonly order: number;
  /** When the product was created. */
  readonly created_at: string | null;
  /** When it was last updated. */
  readonly updated_at: string | null;
  /** The categories of the product. */
  readonly categories: readonly Category[];
};

/** A product that is no longer in the list. */
export type Removal = {
  /** The ID of the product. */
  readonly id: number;
  /** When it was removed. */
  readonly removed_at: string;
};

/** A personal offer. All values are strings. */
export type ListedOffer = {
  /** The offer code. Store it and send it back in the purchase. */
  readonly offerCode: string;
  /** Description in Latin script. */
  readonly offerDesc: string;
  /** Description in the local language. */
  readonly offerDescLN: string;
  /** Validity in days. It can be an empty string. */
  readonly validityDays: string;
  /** The offer type. Store it and send it back in the purchase. */
  readonly offerType: string;
  /** The amount without tax. The price of the purchase is this amount plus VAT. */
  readonly amount: string;
  /** Display name. */
  readonly name: string;
};

/** The personal offers of a subscriber. */
export type OfferList = {
  /** Whether the operator listed offers for this number. */
  readonly status: boolean;
  /** 0 on success; otherwise the code of the operator. */
  readonly ResultCode: number;
  /** The transaction ID of the operator. */
  readonly TransactionID: string;
  /** `Completed` or `Rejected`. */
  readonly CommandStatus: string;
  /** The original message of the operator. */
  readonly OrigResponseMessage: string;
  /** The message of the operator, for a person to read. */
  readonly message: string;
  /** The offers; empty if the operator refused the request. */
  readonly offersList: readonly ListedOffer[];
};

/** A purchase and its outcome. */
export type Purchase = {
  /** The ID, as in the header `Purchase-Id`. */
  readonly id: string;
  /** Final: `refused` and `failed` (not charged), `succeeded` (charged) and `reversed` (refunded). In progress: `submitted`, `unknown`, and `review`, which a person decides. */
  readonly state:
    | 'refused'
    | 'submitted'
    | 'unknown'
    | 'review'
    | 'succeeded'
    | 'failed'
    | 'reversed';
  /** Whether you were charged. */
  readonly charged: 'yes' | 'no' | 'unknown';
  /** The ID of the product. */
  readonly product_id: number;
  /** The ID of the operator. */
  readonly operator_id: number | null;
  /** The mobile number. */
  readonly mobile: string;
  /** The price. */
  readonly price: number;
  /** Your commission; null if it was refused. */
  readonly commission: number | null;
  /** The price less the commission: what is held, and charged if it succeeds. Null if it was refused. */
  readonly charged_amount: number | null;
  /** The `offerCode` of a personal offer; otherwise null. */
  readonly offerCode: string | null;
  /** The `offerType` of a personal offer; otherwise null. */
  readonly offerType: string | null;
  /** The `profile_id` that was sent; otherwise null. */
  readonly profile_id: string | null;
  /** Your tracking code. */
  readonly webservice_code: string;
  /** The idempotency key. */
  readonly idempotency_key: string;
  /** Why it was refused, failed or is unknown; otherwise null. */
  readonly reason: string | null;
  /** When it began. */
  readonly created_at: string;
  /** When it became final; null while it is in progress. */
  readonly settled_at: string | null;
};

export type Balance = {
  /** Your own money that is not held. Below zero: what you use of your credit. */
  readonly available: number;
  /** What is held for purchases in progress. */
  readonly held: number;
  /** `available` plus `held`. */
  readonly balance: number;
};

/** Your balance and limits. */
export type Account = {
  /** What you can spend, with your credit. It is never below zero. */
  readonly available: number;
  /** What is held for purchases in progress. */
  readonly held: number;
  /** `available` plus `held`. */
  readonly balance: number;
  /** How much you can spend beyond your own money; 0 without credit. */
  readonly credit_limit: number;
  /** How much of your credit is used: above `credit_limit` if that was lowered since. */
  readonly credit_used: number;
  /** Whether you are a test client: a simulator takes your orders, nothing is delivered, and your balance is play money. */
  readonly test: boolean;
  /** The currency of all amounts; null if none is set. */
  readonly currency: {
    /** The code: as in ISO 4217, or a company’s own such as `IRT` for toman. */
    readonly code: string;
    /** The name in each language. */
    readonly names: {
      /** In English. */
      readonly en: string;
      /** In Persian. */
      readonly fa: string;
    };
    /** How each language writes it. */
    readonly written: {
      /** In English. */
      readonly en: {
        /** What is written beside an amount: a symbol, the code or the name. */
        readonly symbol: string;
        /** Before or after the amount. */
        readonly position: 'before' | 'after';
      };
      /** In Persian. */
      readonly fa: {
        /** What is written beside an amount: a symbol, the code or the name. */
        readonly symbol: string;
        /** Before or after the amount. */
        readonly position: 'before' | 'after';
      };
    };
  } | null;
  /** The business time zone, as an IANA name. Daily limits go by its days. */
  readonly time_zone: string;
  /** Your limits and purchase rules. */
  readonly limits: {
    /** Your rate limit; null if there is none. */
    readonly requests: {
      /** Requests per second on average. */
      readonly per_second: number;
      /** Requests at once. */
      readonly burst: number;
    } | null;
    /** The IDs of the products you can buy; null if you can buy all. */
    readonly products: readonly number[] | null;
    /** The IDs of the operators whose products you can buy; null if you can buy from all. */
    readonly operators: readonly number[] | null;
    /** For how many seconds a purchase of the same product for the same number at the same price is refused as a likely duplicate; null if never. */
    readonly repeat_guard_seconds: number | null;
    /** Your daily limit; null if there is none. */
    readonly day: {
      /** Your daily limit. Days are those of `time_zone`. */
      readonly limit: number;
      /** What you have spent today. */
      readonly spent: number;
      /** What you can still spend today. */
      readonly left: number;
      /** When the next day begins. */
      readonly ends_at: string;
    } | null;
    /** The HTTP status of a purchase that is still pending: 202, or 409 if it is set for you. */
    readonly pending_status: number;
  };
};

/** What you get of the price of some products. */
export type Commission = {
  /** For this product; null for any. */
  readonly product_id: number | null;
  /** For products of this category; null for any. */
  readonly category_id: number | null;
  /** For products of this operator; null for any. */
  readonly operator_id: number | null;
  /** For products of this type; null for any. */
  readonly type: 'cell_internet' | 'cell_direct_charge' | 'td_lte_internet' | null;
  /** The percentage of the price, as a decimal; null if it is an amount. */
  readonly percent: string | null;
  /** The amount for each purchase; null if it is a percentage. */
  readonly amount: number | null;
};

/** A movement of money, with the balance after it. */
export type Entry = {
  /** The number of the entry. Your entries are numbered from 1 without gaps. */
  readonly number: number;
  /** When the entry was posted. */
  readonly at: string;
  /** `deposit`: funds were added. `hold`: a purchase began. `capture`: it succeeded. `release`: it failed, and the hold was released. `reverse`: the operator reversed it. `correction`: a manual correction, with a note. */
  readonly kind: 'deposit' | 'hold' | 'capture' | 'release' | 'reverse' | 'correction';
  /** The amount moved. */
  readonly amount: number;
  /** The account it was moved from. */
  readonly from: string;
  /** The account it was moved to. */
  readonly to: string;
  /** Your own money that is not held. Below zero: what you use of your credit. */
  readonly available: number;
  /** What is held for purchases in progress. */
  readonly held: number;
  /** `available` plus `held`. */
  readonly balance: number;
  /** The ID of the purchase; null if there is none. */
  readonly purchase_id: string | null;
  /** The reason of a correction; otherwise null. */
  readonly note: string | null;
  /** The price of the purchase; null if there is none. */
  readonly price: number | null;
  /** Your commission on it; null if there is none. */
  readonly commission: number | null;
  /** The price less the commission; null if there is none. */
  readonly charged_amount: number | null;
};

/** An operator and its status. */
export type Operator = {
  /** The ID, as in `operator_id` of products and purchases. */
  readonly id: number;
  /** The name, as in the filter field `operator` and in paths. */
  readonly name: string;
  /** What the operator supports. */
  readonly can: {
    /** Whether it lists personal offers of a subscriber. */
    readonly offers: boolean;
    /** Whether it can tell if a number is its subscriber, prepaid or postpaid. */
    readonly subscriber: boolean;
    /** Whether it reports purchases that it reversed. */
    readonly reports: boolean;
  };
  /** How to buy personal offers; null if the operator lists none. */
  readonly personal_offers: {
    /** The product ID for prepaid subscribers. */
    readonly credit: number;
    /** The product ID for postpaid subscribers. */
    readonly permanent: number;
    /** VAT in percent. The price is the `amount` of the offer plus VAT. */
    readonly vat_percent: string;
  } | null;
  /** `up`: it works. `down`: it does not respond or is suspended, and new purchases fail at once. `degraded`: it is recovering, and only a few purchases are let through. */
  readonly health: 'up' | 'degraded' | 'down';
  /** Since when it has this status; null if since the gateway started. */
  readonly since: string | null;
};

/** The operator of a mobile number. */
export type NumberInfo = {
  /** The mobile number. */
  readonly mobile: string;
  /** The operator that issued the number, by its prefix; null if the prefix is unknown. The number may have been ported since. */
  readonly operator_id: number | null;
  /** The name of that operator. */
  readonly operator: string | null;
  /** The answer of the operator; null if it does not know or was not asked. */
  readonly said: {
    /** The ID of the operator that was asked. */
    readonly operator_id: number;
    /** Whether the number is a subscriber of this operator. */
    readonly subscriber: boolean;
    /** `credit` (prepaid) or `permanent` (postpaid); null if it is not a subscriber. */
    readonly sim_card_type: 'credit' | 'permanent' | null;
  } | null;
};

/** A purchase that would be accepted. */
export type Checked = {
  /** A confirmation, for a person to read. */
  readonly message: string;
  /** The ID of the product. */
  readonly product_id: number;
  /** The ID of the operator. */
  readonly operator_id: number;
  /** The mobile number. */
  readonly mobile: string;
  /** The price: the sum of its parts. */
  readonly price: number;
  /** Your commission now. */
  readonly commission: number;
  /** What the purchase would charge: the price less the commission. */
  readonly charged_amount: number;
  /** The parts of the price. */
  readonly parts: {
    /** The price without tax. For a personal offer: its `amount`. */
    readonly net: number;
    /** VAT on a personal offer; otherwise 0. */
    readonly vat: number;
  };
  /** What you can spend now, with your credit. */
  readonly available: number;
};

/** The body of every error. */
export type ErrorBody = {
  /** What happened and what to do, for a person to read. */
  readonly message: string;
  /** The error code. Base your program on it, not on `message`. */
  readonly code: ErrorCode;
  /** Whether this request charged your account. */
  readonly charged: 'no' | 'unknown' | 'yes';
  /** `same_key`: send the same request again later. `new_key`: correct the cause, then buy again with a new key. `no`: a retry gives the same error. */
  readonly retry: 'same_key' | 'new_key' | 'no';
  /** The ID of the request. Quote it when you contact support. */
  readonly request_id: string;
  /** The page that explains the code. Absent in responses that older versions recorded. */
  readonly docs?: string;
  /** The invalid fields, each with a list of messages. */
  readonly errors?: Readonly<Record<string, readonly string[]>>;
  /** On `PRICE_MISMATCH`: the price to send. */
  readonly expected_price?: number;
  /** On `LIKELY_DUPLICATE`: the ID of the earlier purchase. */
  readonly purchase_id?: string;
  /** On `LIKELY_DUPLICATE`: when the earlier purchase began. */
  readonly began_at?: string;
  /** On `DAILY_LIMIT_REACHED`: your daily limit. */
  readonly daily_limit?: number;
  /** On `DAILY_LIMIT_REACHED`: what you can still spend today. */
  readonly left_today?: number;
  /** The current offers of the subscriber, as the offers endpoint returns them. */
  readonly offers?: readonly ListedOffer[];
};

/** An error code and its meaning. */
export type ErrorRow = {
  /** The error code, as in `code` of an error. */
  readonly code: ErrorCode;
  /** The HTTP status of the response. */
  readonly status: number;
  /** What happened and what to do. */
  readonly message: string;
  /** Whether this request charged your account. */
  readonly charged: 'no' | 'unknown' | 'yes';
  /** `same_key`: send the same request again later. `new_key`: correct the cause, then buy again with a new key. `no`: a retry gives the same error. */
  readonly retry: 'same_key' | 'new_key' | 'no';
};

/** An endpoint that receives events. */
export type Webhook = {
  /** The ID of the endpoint. */
  readonly id: string;
  /** The URL of the endpoint. It must use https and a public host. */
  readonly url: string;
  /** Your own note. */
  readonly description: string;
  /** The events that it receives. `purchase.succeeded`, `purchase.failed`, `purchase.pending` (outcome unknown so far) and `purchase.reversed` (you are refunded) carry the purchase. `balance.low` carries your balance. `catalogue.changed`: there are changes to fetch. `operator.status`: an operator went down or recovered. */
  readonly events: readonly (
    | 'purchase.succeeded'
    | 'purchase.failed'
    | 'purchase.pending'
    | 'purchase.reversed'
    | 'balance.low'
    | 'catalogue.changed'
    | 'operator.status'
  )[];
  /** The threshold for `balance.low`, which is sent each time what you can spend falls below it; null for none. */
  readonly balance_below: number | null;
  /** `disabled`: nothing is sent, and events of this time are not sent later. */
  readonly status: 'active' | 'disabled';
  /** Who disabled it. `client`: you. `gone`: it responded 410. `gateway`: the gateway; contact its support. Null if it is active. */
  readonly disabled_by: 'client' | 'gone' | 'gateway' | null;
  /** Until when messages are also signed with the previous secret; null if there is none. */
  readonly old_secret_until: string | null;
  /** When it was created. */
  readonly created_at: string;
};

/** An endpoint with its signing secret. */
export type WebhookWithSecret = {
  /** The ID of the endpoint. */
  readonly id: string;
  /** The URL of the endpoint. It must use https and a public host. */
  readonly url: string;
  /** Your own note. */
  readonly description: string;
  /** The events that it receives. `purchase.succeeded`, `purchase.failed`, `purchase.pending` (outcome unknown so far) and `purchase.reversed` (you are refunded) carry the purchase. `balance.low` carries your balance. `catalogue.changed`: there are changes to fetch. `operator.status`: an operator went down or recovered. */
  readonly events: readonly (
    | 'purchase.succeeded'
    | 'purchase.failed'
    | 'purchase.pending'
    | 'purchase.reversed'
    | 'balance.low'
    | 'catalogue.changed'
    | 'operator.status'
  )[];
  /** The threshold for `balance.low`, which is sent each time what you can spend falls below it; null for none. */
  readonly balance_below: number | null;
  /** `disabled`: nothing is sent, and events of this time are not sent later. */
  readonly status: 'active' | 'disabled';
  /** Who disabled it. `client`: you. `gone`: it responded 410. `gateway`: the gateway; contact its support. Null if it is active. */
  readonly disabled_by: 'client' | 'gone' | 'gateway' | null;
  /** Until when messages are also signed with the previous secret; null if there is none. */
  readonly old_secret_until: string | null;
  /** When it was created. */
  readonly created_at: string;
  /** The secret that signs messages. It is shown only in this response. */
  readonly secret: string;
};

/** An attempt to deliver a message. */
export type WebhookAttempt = {
  /** When it was sent. */
  readonly at: string;
  /** How long it took, in milliseconds. */
  readonly ms: number;
  /** The HTTP status of your endpoint; null if it did not respond. */
  readonly status: number | null;
  /** Why there was no response; otherwise null. */
  readonly error: string | null;
};

/** An event for one endpoint, with its delivery attempts. */
export type WebhookDelivery = {
  /** The ID of the message, as in the header `webhook-id` of every attempt. */
  readonly id: string;
  /** The event. */
  readonly type:
    | 'purchase.succeeded'
    | 'purchase.failed'
    | 'purchase.pending'
    | 'purchase.reversed'
    | 'balance.low'
    | 'catalogue.changed'
    | 'operator.status';
  /** `waiting`: it will be sent. `failed`: all attempts failed; resend it yourself. */
  readonly state: 'waiting' | 'delivered' | 'failed';
  /** When the event happened. */
  readonly created_at: string;
  /** When the next attempt is due; null if there is none. */
  readonly next_attempt_at: string | null;
  /** The last 20 attempts. */
  readonly attempts: readonly WebhookAttempt[];
  /** The body, exactly as it is sent. */
  readonly payload: string;
};

/** Your balance fell below your threshold. */
export type BalanceLow = {
  /** What you can spend, with your credit. */
  readonly available: number;
  /** The threshold that you set. */
  readonly below: number;
};

/** The catalogue changed. Fetch the changes with `updated_since`. */
export type CatalogueChanged = {
  /** How many products were added or changed. */
  readonly changed: number;
  /** How many products were removed. */
  readonly removed: number;
};

/** An operator went down or recovered. */
export type OperatorStatus = {
  /** The ID of the operator. */
  readonly operator_id: number;
  /** The name of the operator. */
  readonly name: string | null;
  /** `down`: it does not respond, and new purchases fail at once. `up`: it has recovered. */
  readonly health: 'up' | 'down';
  /** Since when. */
  readonly since: string;
};
