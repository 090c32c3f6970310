/** Describes the tables about restores, moves and the identity of the database. */
import { integer, one, oneOf, orNull, text } from './columns.ts';

export const restoreTables = {
  moves: {
    id: one,
    move_id: text,
    state: oneOf<'copying' | 'verified' | 'moved'>(),
    other: text,
    progress: text,
    at: integer,
  },
  place: {
    id: one,
    system_id: text,
    database_oid: integer,
    accounts_oid: integer,
    timeline: integer,
    signature: text,
    recorded_at: integer,
  },
  instances: { id: text, started_at: integer, beat: integer, seen_at: integer },
  restores: {
    id: text,
    seq: integer,
    cause: oneOf<
      'backup' | 'marked' | 'place_changed' | 'witness_missing' | 'witness_contradicted'
    >(),
    changed: orNull(oneOf<'system' | 'database' | 'accounts' | 'timeline'>()),
    began_before: orNull(integer),
    open_before: orNull(integer),
    at: integer,
    opened_at: orNull(integer),
    opened_by: orNull(text),
  },
  vouches: {
    restore_id: text,
    instance_id: text,
    result: oneOf<'waiting' | 'confirmed' | 'contradicted' | 'absent'>(),
    at: orNull(integer),
  },
  restore_operators: {
    restore_id: text,
    operator_id: integer,
    cursor: text,
    state: oneOf<'waiting' | 'told' | 'silent'>(),
    asked_at: orNull(integer),
    code: text,
    fact_values: text,
  },
  forgotten: {
    restore_id: text,
    operator_id: integer,
    ref: text,
    kind: oneOf<'ordered' | 'delivered' | 'refused' | 'reversed'>(),
    at: integer,
    mobile: orNull(text),
    amount: orNull(integer),
    found_at: integer,
    client_id: orNull(text),
    idempotency_key: orNull(text),
  },
};
