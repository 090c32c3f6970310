/** Describes the webhook messages in OpenAPI. */
import { type TSchema, Type } from 'typebox';
import { examplePurchase, PurchaseSchema } from '../../purchases/inquiry/wire.ts';
import { type EventType, eventTypes } from '../../webhooks/event.ts';
import {
  BalanceLowSchema,
  CatalogueChangedSchema,
  exampleData,
  OperatorStatusSchema,
} from '../../webhooks/wire.ts';

type Described = {
  readonly summary: string;
  readonly data: TSchema;
  readonly example: object;
};

const ofPurchase = (summary: string, more: object): Described => ({
  summary,
  data: PurchaseSchema,
  example: { ...examplePurchase, ...more },
});

const open = { charged: 'unknown', settled_at: null };

export const describedEvents: Readonly<Record<EventType, Described>> = {
  'purchase.succeeded': ofPurchase('A purchase was sold', {}),
  'purchase.failed': ofPurchase('A purchase was not sold, and its money is free again', {
    state: 'failed',
    charged: 'no',
    reason: 'OPERATOR_DECLINED',
  }),
  'purchase.pending': ofPurchase('The outcome of a purchase is not known yet', {
    state: 'unknown',
    ...open,
  }),
  'purchase.reversed': ofPurchase('The operator took a sale back, and you have your money again', {
    state: 'reversed',
    charged: 'no',
  }),
  'balance.low': {
    summary: 'Your balance has fallen below what you named',
    data: BalanceLowSchema,
    example: exampleData['balance.low'],
  },
  'catalogue.changed': {
    summary: 'Products are new, different or gone',
    data: CatalogueChangedSchema,
    example: exampleData['catalogue.changed'],
  },
  'operator.status': {
    summary: 'An operator went down, or is up again',
    data: OperatorStatusSchema,
    example: exampleData['operator.status'],
  },
};

const header = (name: string, description: string, required = true) => ({
  name,
  in: 'header',
  required,
  description,
  schema: { type: 'string' as const },
});

const headers = [
  header('webhook-id', 'The message, the same at every attempt: act on it once.'),
  header('webhook-timestamp', 'When this attempt was made, in seconds since 1970.'),
  header(
    'webhook-signature',
    'By the Standard Webhooks specification, with the secret of the endpoint.',
  ),
  header('x-request-id', 'The first request of the purchase that it is about.', false),
  header('traceparent', 'The trace of that request, with a span of this attempt.', false),
];

const describe = (type: EventType, { summary, data, example }: Described) => ({
  post: {
    operationId: `told${type.replaceAll(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    summary,
    tags: ['Webhooks'],
    parameters: headers,
    requestBody: {
      content: {
        'application/json': {
          schema: Type.Object({
            type: Type.Enum([type], { description: 'What happened.' }),
            timestamp: Type.String({ description: 'When it happened.' }),
            data,
          }),
          examples: {
            message: { value: { type, timestamp: '2026-01-31T09:30:00.000000Z', data: example } },
          },
        },
      },
    },
    responses: {
      '2XX': { description: 'You have it. Anything else, and it is sent again later.' },
      '410': { description: 'You want no more: the endpoint is disabled.' },
    },
  },
});

/** Every message that an endpoint may be sent, by its event. */
export const describeWebhooks = () =>
  Object.fromEntries(eventTypes.map((type) => [type, describe(type, describedEvents[type])]));
