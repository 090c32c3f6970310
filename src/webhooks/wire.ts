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
    'The events that it receives. `purchase.succeeded`, `purchase.failed`, `purchase.pending` (outcome unknown so far) and `purchase.reversed` (you are refunded) carry the purchase. `balance.low` carries your balance. `catalogue.changed`: there are changes to fetch. `operator.status`: an operator went down or recovered.',
});

export const UrlSchema = Type.String({
  minLength: 1,
  description: 'The URL of the endpoint. It must use https and a public host.',
});

export const BelowSchema = Type.Union(
  [Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), Type.Null()],
  {
    description:
      'The threshold for `balance.low`, which is sent each time what you can spend falls below it; null for none.',
  },
);

export const EndpointSchema = Type.Object(
  {
    id: Type.String({ description: 'The ID of the endpoint.' }),
    url: UrlSchema,
    description: Type.String({ description: 'Your own note.' }),
    events: EventsSchema,
    balance_below: BelowSchema,
    status: Type.Enum(['active', 'disabled'], {
      description: '`disabled`: nothing is sent, and events of this time are not sent later.',
    }),
    disabled_by: Type.Union([Type.Enum(['client', 'gone', 'gateway']), Type.Null()], {
      description:
        'Who disabled it. `client`: you. `gone`: it responded 410. `gateway`: the gateway; contact its support. Null if it is active.',
    }),
    old_secret_until: orNull(
      Type.String(),
      'Until when messages are also signed with the previous secret; null if there is none.',
    ),
    created_at: Type.String({ description: 'When it was created.' }),
  },
  { title: 'Webhook', description: 'An endpoint that receives events.' },
);

const secretText = 'The secret that signs messages. It is shown only in this response.';

export const NewEndpointSchema = Type.Object(
  {
    ...EndpointSchema.properties,
    secret: Type.String({ description: secretText }),
  },
  { title: 'WebhookWithSecret', description: 'An endpoint with its signing secret.' },
);

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

export const AttemptSchema = Type.Object(
  {
    at: Type.String({ description: 'When it was sent.' }),
    ms: Type.Integer({ description: 'How long it took, in milliseconds.' }),
    status: orNull(Type.Integer(), 'The HTTP status of your endpoint; null if it did not respond.'),
    error: orNull(Type.String(), 'Why there was no response; otherwise null.'),
  },
  { title: 'WebhookAttempt', description: 'An attempt to deliver a message.' },
);

export const MessageSchema = Type.Object(
  {
    id: Type.String({
      description: 'The ID of the message, as in the header `webhook-id` of every attempt.',
    }),
    type: Type.Enum([...eventTypes], { description: 'The event.' }),
    state: Type.Enum(['waiting', 'delivered', 'failed'], {
      description: '`waiting`: it will be sent. `failed`: all attempts failed; resend it yourself.',
    }),
    created_at: Type.String({ description: 'When the event happened.' }),
    next_attempt_at: orNull(Type.String(), 'When the next attempt is due; null if there is none.'),
    attempts: Type.Array(AttemptSchema, { description: 'The last 20 attempts.' }),
    payload: Type.String({ description: 'The body, exactly as it is sent.' }),
  },
  {
    title: 'WebhookMessage',
    description: 'An event for one endpoint, with its delivery attempts.',
  },
);

const typeOf = (text: string): (typeof eventTypes)[number] => {
  if (isEventType(text)) return text;
  throw new Error(`There is no event ${text}.`);
};

/** When a message is sent next; for one due at once, the time of its event. */
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
    available: Type.Integer({ description: 'What you can spend, with your credit.' }),
    below: Type.Integer({ description: 'The threshold that you set.' }),
  },
  { title: 'BalanceLow', description: 'Your balance fell below your threshold.' },
);

export const CatalogueChangedSchema = Type.Object(
  {
    changed: Type.Integer({ description: 'How many products were added or changed.' }),
    removed: Type.Integer({ description: 'How many products were removed.' }),
  },
  {
    title: 'CatalogueChanged',
    description: 'The catalogue changed. Fetch the changes with `updated_since`.',
  },
);

export const OperatorStatusSchema = Type.Object(
  {
    operator_id: Type.Integer({ description: 'The ID of the operator.' }),
    name: orNull(Type.String(), 'The name of the operator.'),
    health: Type.Enum(['up', 'down'], {
      description:
        '`down`: it does not respond, and new purchases fail at once. `up`: it has recovered.',
    }),
    since: Type.String({ description: 'Since when.' }),
  },
  { title: 'OperatorStatus', description: 'An operator went down or recovered.' },
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
