/** Defines how a purchase finds what its client pays. */
import type { Product } from '../catalogue/product.ts';

/** What a client pays. */
export type Charge = {
  /** The price less the commission. */
  readonly charged: number;
  /** The entry that decided the commission; null if none did. */
  readonly priceEntryId: number | null;
};

/** A refused purchase holds nothing. */
export type Uncharged = { readonly charged: null; readonly priceEntryId: null };

/** What a purchase charges by the price lists of one version, at each moment of the database's clock. */
export type Quote = {
  /** Of the price lists: others void the quote. */
  readonly version: string;
  readonly at: (moment: number) => Charge;
};

export type Pricing = {
  readonly quote: (wanted: {
    readonly product: Product;
    readonly clientId: string;
    readonly price: number;
    /** What the order costs; undefined if it is not known. */
    readonly cost: number | undefined;
  }) => Quote;
  /** Whether a client may pay less than a supplier costs. */
  readonly allowsBelowCost: (clientId: string) => boolean;
  /** Reads the price lists again if they still have this version. */
  readonly renew: (outdated: string) => Promise<void>;
};

/** Without price lists a client pays the price. */
export const wholePrice = ({ price }: { readonly price: number }): Charge => ({
  charged: price,
  priceEntryId: null,
});
