/** Describes the tables of suppliers' floats, as the migrations create them. */
import { integer, oneOf, orNull, text } from './columns.ts';

export const floatTables = {
  float_entries: {
    supplier_id: integer,
    number: integer,
    kind: oneOf<'top_up' | 'correction'>(),
    amount: integer,
    reference: text,
    reason: text,
    author: text,
    at: integer,
  },
  supplier_costs: { supplier_id: integer, hour: integer, cost: integer, losses: integer },
  chain_ends: {
    supplier_id: integer,
    balance: integer,
    deliveries: integer,
    client_id: text,
    purchase_id: text,
    at: integer,
  },
  chain_moves: { supplier_id: integer, amount: integer, moves: integer },
  chain_breaks: { supplier_id: integer, at: integer },
  supplier_balances: {
    supplier_id: integer,
    asked_at: integer,
    balance: orNull(integer),
    balance_at: orNull(integer),
    drift: orNull(integer),
  },
};
