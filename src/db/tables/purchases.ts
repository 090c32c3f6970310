/** Describes the tables of purchases, as the migrations create them. */
import { integer, oneOf, orNull, text } from './columns.ts';

export const purchaseTables = {
  purchases: {
    client_id: text,
    id: text,
    idempotency_key: text,
    fingerprint: text,
    state: oneOf<
      'refused' | 'submitted' | 'unknown' | 'review' | 'succeeded' | 'failed' | 'reversed'
    >(),
    product_id: integer,
    operator_id: orNull(integer),
    mobile: text,
    amount: integer,
    offer_code: orNull(text),
    offer_type: orNull(text),
    profile_id: orNull(text),
    webservice_code: text,
    request_id: text,
    fence: integer,
    attempts: integer,
    inquiries: integer,
    notes: integer,
    began_at: integer,
    sent_to: orNull(text),
    trace: orNull(text),
    send_before: integer,
    quiet_at: integer,
    due_at: orNull(integer),
    settled_at: orNull(integer),
    answer_status: orNull(integer),
    answer_body: orNull(text),
    operator_ref: orNull(text),
    reason: orNull(text),
    reason_values: orNull(text),
    disputed: orNull(text),
    disputed_values: orNull(text),
    supplier_id: orNull(integer),
    route_id: orNull(integer),
    supplier_code: orNull(text),
    passed_over: orNull(text),
    left_suppliers: orNull(text),
    charged_amount: orNull(integer),
    price_entry_id: orNull(integer),
    cost: orNull(integer),
    told_cost: orNull(integer),
  },
  purchase_notes: {
    client_id: text,
    purchase_id: text,
    seq: integer,
    kind: oneOf<
      | 'order'
      | 'inquiry'
      | 'report'
      | 'callback'
      | 'late answer'
      | 'testimony'
      | 'decision'
      | 'reversal'
      | 'contradiction'
      | 'dispute closed'
    >(),
    code: text,
    fact_values: text,
    at: integer,
  },
  attempts: {
    client_id: text,
    purchase_id: text,
    seq: integer,
    supplier_id: integer,
    route_id: orNull(integer),
    supplier_code: orNull(text),
    passed_over: orNull(text),
    reference: text,
    sent_to: orNull(text),
    proof: oneOf<'refused' | 'not_found'>(),
    code: text,
    fact_values: text,
    left_at: integer,
    ask_at: orNull(integer),
    cost: orNull(integer),
  },
  supplier_ledger: {
    client_id: text,
    purchase_id: text,
    supplier_id: integer,
    kind: oneOf<'delivered' | 'captured' | 'reversed' | 'not_delivered' | 'told'>(),
    cost: orNull(integer),
    at: integer,
  },
  broken_promises: {
    supplier_id: integer,
    client_id: text,
    purchase_id: text,
    at: integer,
    closed_at: orNull(integer),
  },
};
