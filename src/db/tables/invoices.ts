/** Describes the tables of invoices, as the migrations create them. */
import { integer, oneOf, orNull, text } from './columns.ts';

const sums = {
  sold: integer,
  price: integer,
  charged: integer,
  reversed: integer,
  reversed_amount: integer,
};

export const invoiceTables = {
  invoice_numbers: { kind: oneOf<'invoice' | 'credit_note'>(), last: integer },
  invoices: {
    number: integer,
    client_id: text,
    calendar: oneOf<'gregorian' | 'persian'>(),
    month: text,
    begins_at: integer,
    ends_at: integer,
    time_zone: text,
    after_seq: integer,
    through_seq: integer,
    ...sums,
    total: integer,
    tax_percent: text,
    tax: integer,
    seller: text,
    buyer: text,
    currency: orNull(text),
    created_at: integer,
  },
  invoice_lines: { number: integer, product_id: integer, names: text, ...sums },
  credit_notes: {
    number: integer,
    invoice_number: integer,
    client_id: text,
    amount: integer,
    tax: integer,
    reason: text,
    posting_seq: integer,
    created_at: integer,
  },
};
