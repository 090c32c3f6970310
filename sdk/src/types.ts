/** Declares the types of the gateway's answers. Written by sdk/generate.ts: change the schemas, not this file. */

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
  /** Operator, 1 to 5. */
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
  /** What you can spend. */
  readonly available: number;
  /** What is held for purchases in progress. */
  readonly held: number;
  /** `available` plus `held`. */
  readonly balance: number;
};

/** Your balance and limits. */
export type Account = {
  /** What you can spend. */
  readonly available: number;
  /** What is held for purchases in progress. */
  readonly held: number;
  /** `available` plus `held`. */
  readonly balance: number;
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
      /** Your daily limit. A day is a day in UTC. */
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
  /** What you can spend. */
  readonly available: number;
  /** What is held for purchases in progress. */
  readonly held: number;
  /** `available` plus `held`. */
  readonly balance: number;
  /** The ID of the purchase; null if there is none. */
  readonly purchase_id: string | null;
  /** The reason of a correction; otherwise null. */
  readonly note: string | null;
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
  /** The parts of the price. */
  readonly parts: {
    /** The price without tax. For a personal offer: its `amount`. */
    readonly net: number;
    /** VAT on a personal offer; otherwise 0. */
    readonly vat: number;
  };
  /** What you can spend now. */
  readonly available: number;
};

/** An error code and its meaning. */
export type ErrorRow = {
  /** The error code, as in `code` of an error. */
  readonly code: string;
  /** The HTTP status of the response. */
  readonly status: number;
  /** What happened and what to do. */
  readonly message: string;
  /** Whether this request charged your account. */
  readonly charged: 'no' | 'unknown' | 'yes';
  /** `same_key`: send the same request again later. `new_key`: correct the cause, then buy again with a new key. `no`: a retry gives the same error. */
  readonly retry: 'same_key' | 'new_key' | 'no';
};

/** Your balance fell below your threshold. */
export type BalanceLow = {
  /** What you can spend. */
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
