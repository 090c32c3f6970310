/** Serves the operators: capabilities and health. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import type { Auth } from '../clients/auth.ts';
import type { Config } from '../config/config.ts';
import { answer } from '../lib/openapi/answer.ts';
import { errorResponses, tokenErrors } from '../lib/openapi/errors.ts';
import { formatTime } from '../lib/time.ts';
import type { Admission } from './admission.ts';
import type { Brand, Brands } from './registry.ts';

export type OperatorRouteDeps = {
  readonly auth: Auth;
  readonly registry: Pick<Brands, 'operators'>;
  readonly admission: Pick<Admission, 'state'>;
  /** Since when an operator is suspended; undefined if it is not. */
  readonly suspendedSince: (operatorId: number) => number | undefined;
  readonly config: Pick<Config, 'personalOffers' | 'vatPercent'>;
};

export const OperatorSchema = Type.Object(
  {
    id: Type.Integer({ description: 'The ID, as in `operator_id` of products and purchases.' }),
    name: Type.String({ description: 'The name, as in the filter field `operator` and in paths.' }),
    can: Type.Object(
      {
        offers: Type.Boolean({ description: 'Whether it lists personal offers of a subscriber.' }),
        subscriber: Type.Boolean({
          description: 'Whether it can tell if a number is its subscriber, prepaid or postpaid.',
        }),
        reports: Type.Boolean({ description: 'Whether it reports purchases that it reversed.' }),
      },
      { description: 'What the operator supports.' },
    ),
    personal_offers: Type.Union(
      [
        Type.Object({
          credit: Type.Integer({ description: 'The product ID for prepaid subscribers.' }),
          permanent: Type.Integer({ description: 'The product ID for postpaid subscribers.' }),
          vat_percent: Type.String({
            description: 'VAT in percent. The price is the `amount` of the offer plus VAT.',
          }),
        }),
        Type.Null(),
      ],
      { description: 'How to buy personal offers; null if the operator lists none.' },
    ),
    health: Type.Enum(['up', 'degraded', 'down'], {
      description:
        '`up`: it works. `down`: it does not respond or is suspended, and new purchases fail at once. `degraded`: it is recovering, and only a few purchases are let through.',
    }),
    since: Type.Union([Type.String(), Type.Null()], {
      description: 'Since when it has this status; null if since the gateway started.',
    }),
  },
  { title: 'Operator', description: 'An operator and its status.' },
);

const OperatorsSchema = Type.Object({
  data: Type.Array(OperatorSchema, { description: 'All operators, sorted by ID.' }),
});

const exampleOperators = {
  data: [
    {
      id: 1,
      name: 'operator_1',
      can: { offers: false, subscriber: true, reports: true },
      personal_offers: null,
      health: 'up',
      since: null,
    },
    {
      id: 2,
      name: 'operator_2',
      can: { offers: true, subscriber: true, reports: true },
      personal_offers: { credit: 510, permanent: 511, vat_percent: '10' },
      health: 'down',
      since: '2026-01-31T09:30:00.000000Z',
    },
  ],
} as const satisfies Static<typeof OperatorsSchema>;

const healthBy = { closed: 'up', trying: 'degraded', open: 'down' } as const;

const toWire = (
  { id, name, connection }: Brand,
  { admission, suspendedSince, config }: OperatorRouteDeps,
): Static<typeof OperatorSchema> => {
  const state = admission.state(id);
  const suspended = suspendedSince(id);
  const since = suspended ?? state.since;
  const personal = { ...config.personalOffers, vat_percent: config.vatPercent };
  return {
    id,
    name,
    can: {
      offers: connection.offers !== undefined,
      subscriber: connection.subscriber !== undefined,
      reports: connection.reports !== undefined,
    },
    personal_offers: connection.offers === undefined ? null : personal,
    health: suspended === undefined ? healthBy[state.breaker] : 'down',
    since: since === undefined ? null : formatTime(since),
  };
};

export const operatorRoutes =
  (deps: OperatorRouteDeps): FastifyPluginAsyncTypebox =>
  async (app) => {
    app.get(
      '/api/operators',
      {
        onRequest: deps.auth.needs('catalogue'),
        schema: {
          tags: ['Operators'],
          security: [{ token: [] }],
          operationId: 'listOperators',
          summary: 'Get operator status',
          description:
            'Returns every operator with its capabilities and health. In a gateway of several processes, each reports the health that it sees.',
          response: {
            200: answer(OperatorsSchema, 'All operators.', exampleOperators),
            ...errorResponses(...tokenErrors),
          },
        },
      },
      async () => ({
        data: deps.registry.operators
          .toSorted((one, other) => one.id - other.id)
          .map((operator) => toWire(operator, deps)),
      }),
    );
  };
