/** Defines invoices and credit notes: what they say, and the tax within an amount. Pure. */
import type { Month } from '../lib/calendar-month.ts';
import type { Currency } from '../settings/currency.ts';

/** What was sold and reversed, in purchases and in money. */
export type Sums = {
  readonly sold: number;
  /** The prices of what was sold. */
  readonly price: number;
  /** What it charged: the prices less the commissions. */
  readonly charged: number;
  readonly reversed: number;
  readonly reversedAmount: number;
};

export const noSums: Sums = { sold: 0, price: 0, charged: 0, reversed: 0, reversedAmount: 0 };

export const addSums = (one: Sums, other: Sums): Sums => ({
  sold: one.sold + other.sold,
  price: one.price + other.price,
  charged: one.charged + other.charged,
  reversed: one.reversed + other.reversed,
  reversedAmount: one.reversedAmount + other.reversedAmount,
});

/** What the client owes for them, or has paid. */
export const totalOf = ({ charged, reversedAmount }: Sums): number => charged - reversedAmount;

export type ProductNames = { readonly name: string | null; readonly name_en: string | null };

export type Line = Sums & {
  /** 0 if it is not known. */
  readonly productId: number;
  readonly names: ProductNames;
};

/** A seller or a buyer, as the invoice names it. */
export type Party = { readonly name: string; readonly number: string; readonly address: string };

/** The postings of a client with numbers above one, up to another. */
export type Range = { readonly after: number; readonly through: number };

export type Invoice = {
  readonly number: number;
  readonly clientId: string;
  /** The client's name, as it was then. */
  readonly clientName: string;
  readonly month: Pick<Month, 'calendar' | 'name'>;
  readonly beginsAt: number;
  readonly endsAt: number;
  readonly timeZone: string;
  readonly range: Range;
  readonly sums: Sums;
  readonly total: number;
  readonly taxPercent: string;
  readonly tax: number;
  readonly seller: Party;
  readonly buyer: Party;
  readonly currency: Currency | null;
  readonly createdAt: number;
};

export type CreditNote = {
  readonly number: number;
  readonly invoiceNumber: number;
  readonly clientId: string;
  readonly amount: number;
  readonly tax: number;
  readonly reason: string;
  /** The number of the posting that gave the amount back. */
  readonly postingSeq: number;
  readonly createdAt: number;
};

// A ten-thousandth of a percent is the smallest step.
const step = 10_000;
const whole = BigInt(100 * step);

/** The tax within an amount that includes it, rounded half away from zero. */
export const taxIn = (amount: number, percent: string): number => {
  const rate = BigInt(Math.round(Number(percent) * step));
  const size = BigInt(Math.abs(amount));
  const parts = whole + rate;
  const tax = Number((2n * size * rate + parts) / (2n * parts));
  return amount < 0 && tax !== 0 ? -tax : tax;
};
