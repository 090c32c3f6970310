/** Describes clients' webhooks as the back office's API shows them: endpoints, messages and attempts. */
import { type Static, Type } from 'typebox';
import { type MobileFormat, maskMobile } from '../../lib/mobile.ts';
import { fieldOf, isRecord } from '../../lib/record.ts';
import { formatTime } from '../../lib/time.ts';
import { type AttemptRecord, readAttempts } from '../../webhooks/delivery/attempt.ts';
import { failureCodes } from '../../webhooks/delivery/failure.ts';
import type { Health } from '../../webhooks/delivery/health.ts';
import { disabledBy } from '../../webhooks/endpoints.ts';
import { eventsOf, eventTypes } from '../../webhooks/event.ts';
import { type EndpointState, mostCounted } from '../../webhooks/history/store.ts';
import type { EndpointRow, MessageRow } from '../../webhooks/store.ts';
import { nextAttemptAt } from '../../webhooks/wire.ts';
import type { Role } from '../access/roles.ts';
import { type Mask, maskFor, maskNumber, maskNumbers, maskRecord, maskWithin } from '../mask.ts';
import { exampleId, exampleTime, orNull, textOrNull, timeOrNull } from '../wire.ts';
import { endpointUrlFor } from './webhooks.ts';

const upTo = `counted up to ${mostCounted}`;

const AttemptSchema = Type.Object(
  {
    at: Type.String({ description: 'When it was sent.' }),
    ms: Type.Integer({ description: 'How long it took, in milliseconds.' }),
    status: orNull(Type.Integer(), 'The HTTP status; null if there was no response.'),
    failure: orNull(
      Type.Enum([...failureCodes]),
      'Why there was no response; null if there was one, or if no code was recorded.',
    ),
    error: textOrNull('The same in words, as versions without codes recorded it.'),
  },
  { title: 'WebhookAttempt', description: 'An attempt to deliver a message.' },
);

const exampleAttempt: Static<typeof AttemptSchema> = {
  at: exampleTime,
  ms: 84,
  status: 500,
  failure: null,
  error: null,
};

export const EndpointSchema = Type.Object(
  {
    id: Type.String({ description: 'The ID of the endpoint.' }),
    url: Type.String({
      description:
        'The URL. Credentials and query values are masked for roles that cannot change endpoints.',
    }),
    description: Type.String({ description: "The client's own note." }),
    events: Type.Array(Type.Enum([...eventTypes]), { description: 'The events that it receives.' }),
    status: Type.Enum(['active', 'disabled'], { description: '`disabled`: nothing is sent.' }),
    disabled_by: orNull(
      Type.Enum(['client', 'gone', 'gateway']),
      'Who disabled it. `client`: the client. `gone`: it responded 410. `gateway`: the back office. Null if it is active.',
    ),
    health: Type.Enum(['working', 'failing', 'untried', 'disabled'], {
      description:
        'By its real attempts. `working`: the last one succeeded. `failing`: it did not. `untried`: there was none.',
    }),
    failing_since: textOrNull(
      'The first failed attempt after the last success; null unless it is failing.',
    ),
    last_attempt: orNull(AttemptSchema, 'The last attempt; null if there was none.'),
    created_at: Type.String({ description: 'When it was created.' }),
    waiting: Type.Integer({ description: `How many messages are waiting, ${upTo}.` }),
    failed: Type.Integer({ description: `How many messages failed, ${upTo}.` }),
    delivered_last_at: textOrNull(
      `When a message was last delivered; null if none of the newest ${mostCounted} was.`,
    ),
  },
  { title: 'Webhook', description: 'A webhook endpoint of a client.' },
);

export const exampleEndpoint: Static<typeof EndpointSchema> = {
  id: exampleId,
  url: 'https://shop.example/hooks/simgate',
  description: 'the shop',
  events: ['purchase.succeeded', 'purchase.failed'],
  status: 'active',
  disabled_by: null,
  health: 'failing',
  failing_since: exampleTime,
  last_attempt: exampleAttempt,
  created_at: exampleTime,
  waiting: 0,
  failed: 2,
  delivered_last_at: exampleTime,
};

export const messageStates = ['waiting', 'delivered', 'failed'] as const;

export const MessageSchema = Type.Object(
  {
    id: Type.String({ description: 'The ID of the message, as in the header `webhook-id`.' }),
    type: Type.String({ description: 'The event.' }),
    state: Type.Enum([...messageStates], {
      description: 'The state. `failed`: all attempts failed.',
    }),
    attempts: Type.Integer({ description: 'How many attempts there were.' }),
    created_at: Type.String({ description: 'When the event happened.' }),
    ended_at: textOrNull('When it was delivered or failed; null while it is waiting.'),
    due_at: textOrNull('When the next attempt is due; null if there is none.'),
    last_status: orNull(
      Type.Integer(),
      'The HTTP status of the last attempt; null if there was no response.',
    ),
  },
  { title: 'WebhookMessage', description: 'A message for an endpoint.' },
);

export const exampleMessage: Static<typeof MessageSchema> = {
  id: `msg_${exampleId}`,
  type: 'purchase.succeeded',
  state: 'failed',
  attempts: 10,
  created_at: exampleTime,
  ended_at: exampleTime,
  due_at: null,
  last_status: 500,
};

export const MessageDetailSchema = Type.Object(
  {
    ...MessageSchema.properties,
    tried: Type.Array(AttemptSchema, { description: 'The last 20 attempts, oldest first.' }),
    payload: Type.String({
      description: 'The body as JSON. Mobile numbers are masked: the message itself has them.',
    }),
  },
  { title: 'WebhookMessageDetail', description: 'A message with its attempts and its body.' },
);

export const exampleMessageDetail: Static<typeof MessageDetailSchema> = {
  ...exampleMessage,
  tried: [exampleAttempt],
  payload: '{"type":"purchase.succeeded","data":{"mobile":"98******6700"}}',
};

const attemptToWire = (attempt: AttemptRecord): Static<typeof AttemptSchema> => ({
  at: formatTime(attempt.at),
  ms: attempt.ms,
  status: attempt.status ?? null,
  failure: attempt.failure?.code ?? null,
  error: attempt.error ?? null,
});

export type Standing = { readonly counts: EndpointState | undefined; readonly health: Health };

export const endpointToWire = (
  row: EndpointRow,
  { counts, health }: Standing,
  { role, mobile }: { readonly role: Role; readonly mobile: MobileFormat },
): Static<typeof EndpointSchema> => {
  const isActive = row.status === 'active';
  return {
    id: row.id,
    url: endpointUrlFor(role, row.url),
    description: maskFor(role, mobile)(row.description),
    events: eventsOf(row),
    status: isActive ? 'active' : 'disabled',
    disabled_by: disabledBy(row),
    health: isActive ? health.state : 'disabled',
    failing_since: isActive ? timeOrNull(health.failingSince) : null,
    last_attempt: health.last === undefined ? null : attemptToWire(health.last),
    created_at: formatTime(row.created_at),
    waiting: counts?.waiting ?? 0,
    failed: counts?.failed ?? 0,
    delivered_last_at: timeOrNull(counts?.delivered_at ?? null),
  };
};

export const messageToWire = (row: MessageRow): Static<typeof MessageSchema> => ({
  id: row.id,
  type: row.type,
  state: row.state,
  attempts: row.attempts,
  created_at: formatTime(row.created_at),
  ended_at: timeOrNull(row.ended_at),
  due_at: nextAttemptAt(row),
  last_status: readAttempts(row.tried).at(-1)?.status ?? null,
});

/** For every role: seeing a number is an action of its own, with its reason in the audit log. */
const maskPayload = (payload: string, format: MobileFormat): string => {
  const whole: unknown = JSON.parse(payload);
  const data = fieldOf(whole, 'data');
  const mobile = fieldOf(data, 'mobile');
  const others = maskNumbers(format);
  if (!isRecord(whole) || !isRecord(data) || typeof mobile !== 'string') {
    return JSON.stringify(maskWithin(whole, others));
  }
  const own = maskNumber(mobile, format);
  const mask: Mask = (text) => others(own(text));
  const masked = { ...maskRecord(data, mask), mobile: maskMobile(mobile, format) };
  return JSON.stringify({ ...maskRecord(whole, mask), data: masked });
};

export const messageDetailToWire = (
  row: MessageRow,
  format: MobileFormat,
): Static<typeof MessageDetailSchema> => ({
  ...messageToWire(row),
  tried: readAttempts(row.tried).map(attemptToWire),
  payload: maskPayload(row.payload, format),
});
