/** Defines the wire format of endpoints, messages and events. */
import { type Static, type TSchema, Type } from 'typebox';
import { formatTime } from '../lib/time.ts';
import { readAttempts } from './delivery/attempt.ts';
import { failureWords } from './delivery/failure.ts';
import { disabledBy } from './endpoints.ts';
import { eventsOf, eventTypes, isEventType } from './event.ts';
import type { EndpointRow, MessageRow } from './store.ts';

const orNull = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });

export const EventsSchema = Type.Array(Type.Enum([...eventTypes]), {
  minItems: 1,
  description:
    'The events it receives. `purchase.succeeded`, `purchase.failed`, `purchase.pending` (the outcome is not known yet) and `purchase.reversed` (the operator reversed a sale, and you are refunded) carry the purchase. `balance.low` carries your available balance. `catalogue.changed` means that there are changes to fetch. `operator.status` means that an operator went down or is up again.',
});

export const UrlSchema = Type.String({
  minLength: 1,
  description: 'Where messages are sent: https, and a host with public addresses only.',
});

export const BelowSchema = Type.Union(
  [Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), Type.Null()],
  {
    description:
      'The threshold of `balance.low`, which is sent each time the balance falls below it.',
  },
);

export const EndpointSchema = Type.Object(
  {
    id: Type.String({ description: 'The endpoint.' }),
    url: UrlSchema,
    description: Type.String({ description: 'Your own words.' }),
    events: EventsSchema,
    balance_below: BelowSchema,
    status: Type.Enum(['active', 'disabled'], {
      description: '`disabled`: nothing is sent, and events that happen now are never sent later.',
    }),
    disabled_by: Type.Union([Type.Enum(['client', 'gone', 'gateway']), Type.Null()], {
      description:
        '`client`: by you. `gone`: it answered 410. `gateway`: by the gateway; contact its support.',
    }),
    old_secret_until: orNull(
      Type.String(),
      'Until when messages are signed, or were, with the secret before it too.',
    ),
    created_at: Type.String({ description: 'When it was made.' }),
  },
  { description: 'A URL that receives events.' },
);

const secretText = 'What signatures are made with. It is shown in this answer and nowhere else.';

export const NewEndpointSchema = Type.Object({
  ...EndpointSchema.properties,
  secret: Type.String({ description: secretText }),
});

export const endpointToWire = (row: EndpointRow): Static<typeof EndpointSchema> => ({
  id: row.id,
  url: row.url,
  description: row.description,
  events: eventsOf(row),
  balance_below: row.balance_below,
  status: row.status === 'active' ? 'active' : 'disabled',
  disabled_by: disabledBy(row),
  old_secret_until: row.old_secret_until === null ? null : formatTime(row.old_secret_until),
  created_at: formatTime(row.created_at),
});

const TrySchema = Type.Object({
  at: Type.String({ description: 'When it was sent.' }),
  ms: Type.Integer({ description: 'How long it took.' }),
  status: orNull(Type.Integer(), 'The status that your endpoint answered.'),
  error: orNull(Type.String(), 'Why there was no answer.'),
});

export const MessageSchema = Type.Object(
  {
    id: Type.String({ description: 'As in the header `webhook-id`, at every attempt.' }),
    type: Type.Enum([...eventTypes], { description: 'What happened.' }),
    state: Type.Enum(['waiting', 'delivered', 'failed'], {
      description: '`waiting`: it will be sent. `failed`: it was given up; send it again by hand.',
    }),
    created_at: Type.String({ description: 'When it happened.' }),
    next_attempt_at: orNull(Type.String(), 'When it is sent next, at the latest.'),
    attempts: Type.Array(TrySchema, { description: 'What was tried, the last twenty at most.' }),
    payload: Type.String({ description: 'What is sent, byte for byte.' }),
  },
  { description: 'One event, as it is sent to one endpoint.' },
);

const typeOf = (text: string): (typeof eventTypes)[number] => {
  if (isEventType(text)) return text;
  throw new Error(`There is no event ${text}.`);
};

/** When a message is sent next; what is due at once, since it happened. */
export const nextAttemptAt = ({
  due_at,
  created_at,
}: Pick<MessageRow, 'due_at' | 'created_at'>): string | null =>
  due_at === null ? null : formatTime(Math.max(due_at, created_at));

export const messageToWire = (row: MessageRow): Static<typeof MessageSchema> => ({
  id: row.id,
  type: typeOf(row.type),
  state: row.state,
  created_at: formatTime(row.created_at),
  next_attempt_at: nextAttemptAt(row),
  attempts: readAttempts(row.tried).map(({ at, ms, status, failure, error }) => ({
    at: formatTime(at),
    ms,
    status: status ?? null,
    error: failure === undefined ? (error ?? null) : failureWords(failure),
  })),
  payload: row.payload,
});

export const BalanceLowSchema = Type.Object(
  {
    available: Type.Integer({ description: 'What you may spend.' }),
    below: Type.Integer({ description: 'What you named: it has fallen below this.' }),
  },
  { description: 'Your balance has fallen.' },
);

export const CatalogueChangedSchema = Type.Object(
  {
    changed: Type.Integer({ description: 'How many products are new or different.' }),
    removed: Type.Integer({ description: 'How many are gone.' }),
  },
  { description: 'The catalogue is another: ask for what changed by `updated_since`.' },
);

export const OperatorStatusSchema = Type.Object(
  {
    operator_id: Type.Integer({ description: 'Which operator.' }),
    name: orNull(Type.String(), 'Its name.'),
    health: Type.Enum(['up', 'down'], {
      description:
        '`down`: it does not answer, and new purchases are refused at once. `up`: it answers again.',
    }),
    since: Type.String({ description: 'Since when.' }),
  },
  { description: 'An operator went down, or is up again.' },
);

const time = '2026-01-31T09:30:00.000000Z';

export const exampleEndpoint = {
  id: '019a8f3e-6c1d-7b52-9a41-3f0c5d2e7b18',
  url: 'https://shop.example/hooks/simgate',
  description: 'the shop',
  events: ['purchase.succeeded', 'purchase.failed', 'purchase.reversed', 'balance.low'],
  balance_below: 1_000_000,
  status: 'active',
  disabled_by: null,
  old_secret_until: null,
  created_at: time,
} as const satisfies Static<typeof EndpointSchema>;

export const exampleSecret = 'whsec_YW4gZXhhbXBsZSBhbmQgbm9ib2R5J3Mgc2VjcmV0Li4=';

export const exampleMessage = {
  id: 'msg_019a8f3e-6c1d-7b52-9a41-3f0c5d2e7b18',
  type: 'balance.low',
  state: 'delivered',
  created_at: time,
  next_attempt_at: null,
  attempts: [{ at: time, ms: 84, status: 204, error: null }],
  payload: `{"type":"balance.low","timestamp":"${time}","data":{"available":984000,"below":1000000}}`,
} as const satisfies Static<typeof MessageSchema>;

export const exampleData = {
  'balance.low': { available: 984_000, below: 1_000_000 },
  'catalogue.changed': { changed: 12, removed: 1 },
  'operator.status': { operator_id: 2, name: 'operator_2', health: 'down', since: time },
} as const satisfies {
  'balance.low': Static<typeof BalanceLowSchema>;
  'catalogue.changed': Static<typeof CatalogueChangedSchema>;
  'operator.status': Static<typeof OperatorStatusSchema>;
};
