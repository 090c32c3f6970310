/** Defines the events, who receives each, and the messages they become. Pure. */
import type { Origin } from '../lib/http/trace.ts';
import { listIn } from '../lib/json/list.ts';
import { formatTime } from '../lib/time.ts';

export const eventTypes = [
  'purchase.succeeded',
  'purchase.failed',
  'purchase.pending',
  'purchase.reversed',
  'balance.low',
  'catalogue.changed',
  'operator.status',
] as const;

export type EventType = (typeof eventTypes)[number];

export const isEventType = (text: unknown): text is EventType =>
  eventTypes.some((type) => type === text);

/** The events of an endpoint, as its row stores them. */
export const eventsOf = ({ events }: { readonly events: string }): EventType[] =>
  listIn(events).filter(isEventType);

/** An endpoint, as far as it decides which events it receives. */
export type Listener = {
  readonly id: string;
  readonly clientId: string;
  readonly events: readonly EventType[];
  readonly balanceBelow: number | null;
};

/** The endpoints of one client that may want an event, and the id of the first event. */
export type Audience = {
  readonly listeners: readonly Listener[];
  readonly messageId: string;
};

export type Event = {
  readonly type: EventType;
  readonly data: object;
  /** Whether it is about a purchase of a test client. */
  readonly test?: boolean;
  /** The request that it goes back to, if there is one. */
  readonly origin?: Origin | undefined;
};

/** One event for one endpoint. */
export type Message = {
  readonly endpointId: string;
  readonly id: string;
  readonly type: EventType;
  readonly payload: string;
  readonly origin?: Origin | undefined;
};

/** Sorts by time, as its id does, and contains no full stop, which the signature uses. */
export const messageIdFrom = (id: string): string => `msg_${id}`;

/** The payload of an endpoint: the same bytes at every attempt, because the signature covers them. */
export const payloadOf = ({ type, data, test = false }: Event, at: number): string =>
  JSON.stringify({ type, timestamp: formatTime(at), ...(test ? { test } : {}), data });

/** The event for each listening endpoint. */
export const messagesOf = (
  event: Event,
  listeners: readonly Listener[],
  { id, at }: { readonly id: string; readonly at: number },
): Message[] => {
  const hearing = listeners.filter(({ events }) => events.includes(event.type));
  if (hearing.length === 0) return [];
  const { type, origin } = event;
  const payload = payloadOf(event, at);
  return hearing.map((listener) => ({ endpointId: listener.id, id, type, payload, origin }));
};

/** Several events for one audience; each has its own id. */
export const messagesFor = (
  { listeners, messageId }: Audience,
  events: readonly Event[],
  at: number,
): Message[] =>
  events.flatMap((event, index) => {
    const id = index === 0 ? messageId : `${messageId}_${index + 1}`;
    return messagesOf(event, listeners, { id, at });
  });

export type BalanceMove = {
  readonly before: number;
  readonly after: number;
  readonly at: number;
  readonly origin?: Origin;
};

/** The messages to endpoints whose threshold the balance has fallen below. */
export const balanceEvents = (
  { listeners, messageId }: Audience,
  { before, after, at, origin }: BalanceMove,
): Message[] =>
  listeners.flatMap((listener) => {
    const { balanceBelow } = listener;
    if (balanceBelow === null || before < balanceBelow || after >= balanceBelow) return [];
    const data = { available: after, below: balanceBelow };
    return messagesOf({ type: 'balance.low', data, origin }, [listener], { id: messageId, at });
  });
