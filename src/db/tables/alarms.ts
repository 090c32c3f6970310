/** Describes the tables of alarms, as the migrations create them. */
import { integer, oneOf, orNull, text } from './columns.ts';

export const alarmTables = {
  alarms: {
    kind: text,
    subject: text,
    state: oneOf<'pending' | 'raised'>(),
    since: integer,
    clear_since: orNull(integer),
    facts: text,
  },
  alarm_changes: {
    seq: integer,
    kind: text,
    subject: text,
    state: oneOf<'raised' | 'resolved'>(),
    at: integer,
    facts: text,
    wanted: integer,
  },
  alarm_channels: {
    channel: oneOf<'webhook' | 'mail'>(),
    told: integer,
    message_id: orNull(text),
    message_until: orNull(integer),
    message_at: orNull(integer),
    attempts: integer,
    step: integer,
    tried: text,
    due_at: orNull(integer),
  },
  alarm_turn: { id: integer, holder: text, until_at: integer, seq: integer },
};
