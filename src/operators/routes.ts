/** Serves the operators: capabilities and health. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import type { Auth } from '../clients/auth.ts';
import type { Config } from '../config/config.ts';
import { errorResponses, tokenErrors } from '../lib/openapi/errors.ts';
import { formatTime } from '../lib/time.ts';
import type { Admission } from './admission.ts';
import type { Operator, Registry } from './registry.ts';

export type OperatorRouteDeps = {
  readonly auth: Auth;
  readonly registry: Registry;
  readonly admission: Pick<Admission, 'state'>;
  /** Since when an operator is suspended; undefined where it is not. */
  readonly suspendedSince: (operatorId: number) => number | undefined;
  readonly config: Pick<Config, 'personalOffers' | 'vatPercent'>;
};

export const OperatorSchema = Type.Object({
  id: Type.Integer({ description: 'As in `operator_id` of products and purchases.' }),
  name: Type.String({ description: 'As in the filter field `operator` and in paths.' }),
  can: Type.Object(
    {
      offers: Type.Boolean({ description: 'Lists the personal offers of a subscriber.' }),
      subscriber: Type.Boolean({
        description: 'Tells whether a number is a subscriber, and whether prepaid or postpaid.',
      }),
      reports: Type.Boolean({ description: 'Tells of sales that it took back.' }),
    },
    { description: 'What it can do besides selling.' },
  ),
  personal_offers: Type.Union(
    [
      Type.Object({
        credit: Type.Integer({ description: 'The product for prepaid subscribers.' }),
        permanent: Type.Integer({ description: 'The product for postpaid subscribers.' }),
        vat_percent: Type.String({
          description: 'Value-added tax: the price is the `amount` of the offer and this on top.',
        }),
      }),
      Type.Null(),
    ],
    { description: 'How personal offers are bought; null where it lists none.' },
  ),
  health: Type.Enum(['up', 'degraded', 'down'], {
    description:
      '`up`: it answers. `down`: it has recently not answered, or the gateway has suspended it, and new purchases are refused at once. `degraded`: a few purchases are let through to test whether it answers again.',
  }),
  since: Type.Union([Type.String(), Type.Null()], {
    description: 'Since when it is so; null where it has been so since the gateway was started.',
  }),
});

const OperatorsSchema = Type.Object({
  data: Type.Array(OperatorSchema, { description: 'All operators, in the order of their ids.' }),
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
  { id, name, connection }: Operator,
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
            'Every operator, what it can do, and its health as the process that answers sees it.',
          response: {
            200: {
              ...OperatorsSchema,
              description: 'All operators.',
              examples: [exampleOperators],
            },
            ...errorResponses(...tokenErrors),
          },
        },
      },
      async () => {
        const { all } = deps.registry;
        return {
          data: all
            .toSorted((one, other) => one.id - other.id)
            .map((operator) => toWire(operator, deps)),
        };
      },
    );
  };
