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
  /** Whether it is about a purchase. */
  readonly isOfPurchase?: boolean;
};

const ofPurchase = (summary: string, more: object): Described => ({
  summary,
  data: PurchaseSchema,
  example: { ...examplePurchase, ...more },
  isOfPurchase: true,
});

const undecided = { charged: 'unknown', settled_at: null };

export const describedEvents: Readonly<Record<EventType, Described>> = {
  'purchase.succeeded': ofPurchase('A purchase succeeded', {}),
  'purchase.failed': ofPurchase('A purchase failed, and its hold was released', {
    state: 'failed',
    charged: 'no',
    reason: 'OPERATOR_DECLINED',
  }),
  'purchase.pending': ofPurchase('The outcome of a purchase is unknown so far', {
    state: 'unknown',
    ...undecided,
  }),
  'purchase.reversed': ofPurchase('The operator reversed a purchase, and you were refunded', {
    state: 'reversed',
    charged: 'no',
  }),
  'balance.low': {
    summary: 'Your balance fell below your threshold',
    data: BalanceLowSchema,
    example: exampleData['balance.low'],
  },
  'catalogue.changed': {
    summary: 'Products were added, changed or removed',
    data: CatalogueChangedSchema,
    example: exampleData['catalogue.changed'],
  },
  'operator.status': {
    summary: 'An operator went down or recovered',
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
  header('webhook-id', 'The ID of the message, the same for every attempt. Process each ID once.'),
  header('webhook-timestamp', 'When this attempt was sent, in Unix seconds.'),
  header(
    'webhook-signature',
    'The signature by the Standard Webhooks specification, made with the secret of the endpoint.',
  ),
  header('x-request-id', 'The ID of the first request of the purchase.', false),
  header('traceparent', 'The trace of that request, with a span of this attempt.', false),
];

const test = Type.Optional(
  Type.Boolean({ description: '`true` if you are a test client; otherwise absent.' }),
);

const describe = (
  type: EventType,
  { summary, data, example, isOfPurchase = false }: Described,
) => ({
  post: {
    operationId: `on${type.replaceAll(/(?:^|\.)(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    summary,
    description: `Sent to endpoints that receive \`${type}\`.`,
    tags: ['Webhooks'],
    // Messages carry a signature, not a credential.
    security: [],
    parameters: headers.map(({ name }) => ({ $ref: `#/components/parameters/${name}` })),
    requestBody: {
      content: {
        'application/json': {
          schema: Type.Object({
            type: Type.Enum([type], { description: 'The event.' }),
            timestamp: Type.String({ description: 'When the event happened.' }),
            ...(isOfPurchase ? { test } : {}),
            data,
          }),
          examples: {
            message: { value: { type, timestamp: '2026-01-31T09:30:00.000000Z', data: example } },
          },
        },
      },
    },
    responses: {
      '2XX': { description: 'Delivered. After any other response the message is retried.' },
      '410': { description: 'The endpoint is gone. It is disabled, and nothing more is sent.' },
    },
  },
});

/** The headers of every message, by name. */
export const webhookHeaders = Object.fromEntries(headers.map((one) => [one.name, one]));

/** Every message that an endpoint can receive, by its event. */
export const describeWebhooks = () =>
  Object.fromEntries(eventTypes.map((type) => [type, describe(type, describedEvents[type])]));
