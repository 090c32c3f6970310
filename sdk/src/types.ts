/** Declares the types of the gateway's answers. Written by sdk/generate.ts: change the schemas, not this file. */

/** A category of a product. */
export type Category = {
  /** Category identifier. */
  readonly id: number;
  /** Category name. */
  readonly name: string;
  /** A JSON-encoded array of sub-categories: objects with `id` (integer), `text` (string) and `parent` (integer, 0 for the top level). */
  readonly data: string;
  /** When the category was made. */
  readonly created_at: string | null;
  /** When it was last changed. */
  readonly updated_at: string | null;
  /** The link between product and category. */
  readonly pivot: {
    /** The kind of thing that is linked, always `Product`. */
    readonly categorizable_type: 'Product';
    /** The product's id. */
    readonly categorizable_id: number;
    /** The category's id. */
    readonly category_id: number;
    /** Where in the tree of sub-categories the product stands. */
    readonly address: string;
  };
};

/** An entry of the catalogue: something that can be bought. */
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
  /** The seller's own code for the product. */
  readonly sku: string | null;
  /** Base price in whole currency units. */
  readonly price: number;
  /** Where filled, any whole price from `price` to `second_price` may be sent. */
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
  /** 1: on sale. 0: switched off; listed, and not to be bought. */
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
  /** Present on some products only. It goes to the operator with each purchase of the product. */
  readonly profile_id?: string;
  /** Sort position. */
  readonly order: number;
  /** When the product was made. */
  readonly created_at: string | null;
  /** When it was last changed. */
  readonly updated_at: string | null;
  /** The categories that it stands in. */
  readonly categories: readonly Category[];
};

/** A product that is not in the list any more. */
export type Removal = {
  /** The product's id. */
  readonly id: number;
  /** When it left the list. */
  readonly removed_at: string;
};

/** A personal offer; all values are strings. */
export type ListedOffer = {
  /** Store it and send it back in the purchase. */
  readonly offerCode: string;
  /** Description in Latin script. */
  readonly offerDesc: string;
  /** Description in the local language. */
  readonly offerDescLN: string;
  /** Validity in days; may be empty. */
  readonly validityDays: string;
  /** Store it and send it back in the purchase. */
  readonly offerType: string;
  /** Store it: the price of the purchase is this amount plus value-added tax. */
  readonly amount: string;
  /** Display name. */
  readonly name: string;
};

/** A purchase and what became of it. */
export type Purchase = {
  /** The purchase; also in the header `Purchase-Id`. */
  readonly id: string;
  /** `refused`, `failed` and `reversed` took no money or gave it back, `succeeded` is sold; the others are under way, `review` by a person. */
  readonly state:
    | 'refused'
    | 'submitted'
    | 'unknown'
    | 'review'
    | 'succeeded'
    | 'failed'
    | 'reversed';
  /** Whether you paid for it. */
  readonly charged: 'yes' | 'no' | 'unknown';
  /** What was bought. */
  readonly product_id: number;
  /** Of which operator. */
  readonly operator_id: number | null;
  /** For which number. */
  readonly mobile: string;
  /** At what price. */
  readonly price: number;
  /** Which personal offer. */
  readonly offerCode: string | null;
  /** Which personal offer. */
  readonly offerType: string | null;
  /** Which profile. */
  readonly profile_id: string | null;
  /** Your tracking code. */
  readonly webservice_code: string;
  /** The key that it came with. */
  readonly idempotency_key: string;
  /** Why it was refused, failed, or is not known. */
  readonly reason: string | null;
  /** When it began. */
  readonly created_at: string;
  /** When it became final. */
  readonly settled_at: string | null;
};

export type Balance = {
  /** What you may spend. */
  readonly available: number;
  /** What is held for purchases under way. */
  readonly held: number;
  /** Both together: what is yours. */
  readonly balance: number;
};

/** What you have. */
export type Account = {
  /** What you may spend. */
  readonly available: number;
  /** What is held for purchases under way. */
  readonly held: number;
  /** Both together: what is yours. */
  readonly balance: number;
  /** The limits and rules that the gateway has set for you. */
  readonly limits: {
    /** How many requests you may send; null: no limit is set. */
    readonly requests: {
      /** So many on average. */
      readonly per_second: number;
      /** So many at once. */
      readonly burst: number;
    } | null;
    /** The ids of the products that you may buy; null: all. */
    readonly products: readonly number[] | null;
    /** The ids of the operators of which you may buy; null: all. */
    readonly operators: readonly number[] | null;
    /** The same for the same number at the same price, begun so many seconds ago or less, is refused as a likely repeat; null: it is not. */
    readonly repeat_guard_seconds: number | null;
    /** Your limit for a day; null: none is set. */
    readonly day: {
      /** What you may spend on a day in UTC. */
      readonly limit: number;
      /** What you have spent on this one. */
      readonly spent: number;
      /** What is left of it. */
      readonly left: number;
      /** When the next begins. */
      readonly ends_at: string;
    } | null;
    /** The status of a purchase that is not finished: 202, or 409 where that is set. */
    readonly pending_status: number;
  };
};

/** One movement of money, and what there was after it. */
export type Entry = {
  /** Your entries are numbered from 1, without a gap. */
  readonly number: number;
  /** When it was made. */
  readonly at: string;
  /** `deposit`: you added funds. `hold`: a purchase began. `capture`: it was sold. `release`: it was not, and its money is free again. `reverse`: the operator took a sale back. `correction`: made by hand, with a note. */
  readonly kind: 'deposit' | 'hold' | 'capture' | 'release' | 'reverse' | 'correction';
  /** How much moved. */
  readonly amount: number;
  /** Where it came from. */
  readonly from: string;
  /** Where it went. */
  readonly to: string;
  /** What you may spend. */
  readonly available: number;
  /** What is held for purchases under way. */
  readonly held: number;
  /** Both together: what is yours. */
  readonly balance: number;
  /** For which purchase. */
  readonly purchase_id: string | null;
  /** Why, in words. */
  readonly note: string | null;
};

export type Operator = {
  /** As in `operator_id` of products and purchases. */
  readonly id: number;
  /** As in the filter field `operator` and in paths. */
  readonly name: string;
  /** What it can do besides selling. */
  readonly can: {
    /** Lists the personal offers of a subscriber. */
    readonly offers: boolean;
    /** Tells whether a number is a subscriber, and whether prepaid or postpaid. */
    readonly subscriber: boolean;
    /** Tells of sales that it took back. */
    readonly reports: boolean;
  };
  /** How personal offers are bought; null where it lists none. */
  readonly personal_offers: {
    /** The product for prepaid subscribers. */
    readonly credit: number;
    /** The product for postpaid subscribers. */
    readonly permanent: number;
    /** Value-added tax: the price is the `amount` of the offer and this on top. */
    readonly vat_percent: string;
  } | null;
  /** `up`: it answers. `down`: it has recently not answered, or the gateway has suspended it, and new purchases are refused at once. `degraded`: a few purchases are let through to test whether it answers again. */
  readonly health: 'up' | 'degraded' | 'down';
  /** Since when it is so; null where it has been so since the gateway was started. */
  readonly since: string | null;
};

export type NumberInfo = {
  /** The number. */
  readonly mobile: string;
  /** Which operator gave it out, by the table of prefixes; null where the table does not say. The number may have moved to another since. */
  readonly operator_id: number | null;
  /** That operator's name. */
  readonly operator: string | null;
  /** What the operator says; null if it does not know or was not asked. */
  readonly said: {
    /** Who was asked. */
    readonly operator_id: number;
    /** Whether the number is a subscriber of it. */
    readonly subscriber: boolean;
    /** `credit` (prepaid) or `permanent` (postpaid); null where it is no subscriber. */
    readonly sim_card_type: 'credit' | 'permanent' | null;
  } | null;
};

export type Checked = {
  /** Says that it can be bought. */
  readonly message: string;
  /** What would be bought. */
  readonly product_id: number;
  /** Of which operator. */
  readonly operator_id: number;
  /** For which number. */
  readonly mobile: string;
  /** What it costs: the sum of its parts. */
  readonly price: number;
  /** What the price is made of. */
  readonly parts: {
    /** Without tax; of a personal offer its `amount`. */
    readonly net: number;
    /** Value-added tax on a personal offer, else 0. */
    readonly vat: number;
  };
  /** What you may spend now. */
  readonly available: number;
};

export type ErrorRow = {
  /** As in `code` of an error. */
  readonly code: string;
  /** The HTTP status that it comes with. */
  readonly status: number;
  /** What it means, and what to do about it. */
  readonly message: string;
  /** Whether this request took money. */
  readonly charged: 'no' | 'unknown' | 'yes';
  /** `same_key`: send the same again, later. `new_key`: a new purchase may succeed once the cause is gone. `no`: sending it again changes nothing. */
  readonly retry: 'same_key' | 'new_key' | 'no';
};

/** Your balance has fallen. */
export type BalanceLow = {
  /** What you may spend. */
  readonly available: number;
  /** What you named: it has fallen below this. */
  readonly below: number;
};

/** The catalogue is another: ask for what changed by `updated_since`. */
export type CatalogueChanged = {
  /** How many products are new or different. */
  readonly changed: number;
  /** How many are gone. */
  readonly removed: number;
};

/** An operator went down, or is up again. */
export type OperatorStatus = {
  /** Which operator. */
  readonly operator_id: number;
  /** Its name. */
  readonly name: string | null;
  /** `down`: it does not answer, and new purchases are refused at once. `up`: it answers again. */
  readonly health: 'up' | 'down';
  /** Since when. */
  readonly since: string;
};
