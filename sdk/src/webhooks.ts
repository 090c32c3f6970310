/** Manages webhook endpoints and their messages. */
import type { Ask, CallOptions } from './ask.ts';
import { byLast } from './pages.ts';
import type { Outgoing, Send } from './send.ts';
import type { Webhook, WebhookDelivery, WebhookWithSecret } from './types.ts';

export type WebhookFields = {
  /** It must use https and a public host. */
  readonly url: string;
  readonly events: Webhook['events'];
  /** Your own note. */
  readonly description?: string;
  /** The threshold for `balance.low`; null for none. */
  readonly balanceBelow?: number | null;
};

export type WebhookChange = Partial<WebhookFields> & {
  /** `active`: messages that were waiting are sent. */
  readonly status?: Webhook['status'];
};

export type RotateOptions = CallOptions & {
  /** For how many hours messages are signed with both secrets; 24 by default. */
  readonly overlapHours?: number;
};

export type DeliveryFilter = {
  readonly state?: WebhookDelivery['state'];
  readonly type?: WebhookDelivery['type'];
};

export type Resent = {
  /** The time from which messages are sent again. */
  readonly since: string;
  /** How many there are. */
  readonly messages: number;
};

const toWire = ({ balanceBelow, ...same }: WebhookChange): Outgoing['json'] => ({
  ...same,
  ...(balanceBelow === undefined ? {} : { balance_below: balanceBelow }),
});

const all = '/api/webhooks';
const pathOf = (id: string): string => `${all}/${encodeURIComponent(id)}`;
const messagePath = (id: string, messageId: string): string =>
  `${pathOf(id)}/messages/${encodeURIComponent(messageId)}`;

export const createWebhooks = (send: Send, ask: Ask) => ({
  /** Registers an endpoint. Store its `secret`: it is shown only here. */
  create: (fields: WebhookFields, options: CallOptions = {}): Promise<WebhookWithSecret> =>
    ask({ method: 'POST', path: all, json: toWire(fields), once: true, ...options }),

  /** Your endpoints, oldest first. */
  list: async (options: CallOptions = {}): Promise<readonly Webhook[]> => {
    type List = { readonly data: readonly Webhook[] };
    return (await ask<List>({ method: 'GET', path: all, ...options })).data;
  },

  get: (id: string, options: CallOptions = {}): Promise<Webhook> =>
    ask({ method: 'GET', path: pathOf(id), ...options }),

  /** Updates the fields that you pass. */
  update: (id: string, change: WebhookChange, options: CallOptions = {}): Promise<Webhook> =>
    ask({ method: 'PATCH', path: pathOf(id), json: toWire(change), ...options }),

  /** Deletes an endpoint with its history. */
  delete: async (id: string, options: CallOptions = {}): Promise<void> => {
    await send({ method: 'DELETE', path: pathOf(id), ...options });
  },

  /** Creates a new secret. During the overlap messages are signed with both. */
  rotateSecret: (
    id: string,
    { overlapHours, ...options }: RotateOptions = {},
  ): Promise<WebhookWithSecret> => {
    const json = overlapHours === undefined ? {} : { overlap_hours: overlapHours };
    return ask({ method: 'POST', path: `${pathOf(id)}/secret`, json, once: true, ...options });
  },

  /** The messages of an endpoint with their attempts, newest first. */
  messages: (
    id: string,
    filter: DeliveryFilter = {},
    options: CallOptions = {},
  ): AsyncGenerator<WebhookDelivery> =>
    byLast(ask, { method: 'GET', path: `${pathOf(id)}/messages`, query: filter, ...options }),

  /** One message with its attempts. */
  message: (id: string, messageId: string, options: CallOptions = {}): Promise<WebhookDelivery> =>
    ask({ method: 'GET', path: messagePath(id, messageId), ...options }),

  /** Sends a message again, with the same ID. */
  resend: (id: string, messageId: string, options: CallOptions = {}): Promise<WebhookDelivery> =>
    ask({ method: 'POST', path: `${messagePath(id, messageId)}/replay`, ...options }),

  /** Sends all failed messages since a date, or a date and time, again. */
  resendFailed: (id: string, since: string, options: CallOptions = {}): Promise<Resent> =>
    ask({ method: 'POST', path: `${pathOf(id)}/replay`, json: { since }, ...options }),
});
