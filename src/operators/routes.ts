/** Serves the operators: capabilities and health. */
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type Static, Type } from 'typebox';
import type { Auth } from '../clients/auth.ts';
import type { Config } from '../config/config.ts';
import { answer } from '../lib/openapi/answer.ts';
import { errorResponses, tokenErrors } from '../lib/openapi/errors.ts';
import { formatTime } from '../lib/time.ts';
import type { Admission } from './admission.ts';
import type { Brands, Operator, Registry } from './registry.ts';

export type OperatorRouteDeps = {
  readonly auth: Auth;
  readonly registry: Pick<Brands, 'operators'> & Pick<Registry, 'byId'>;
  readonly admission: Pick<Admission, 'state'>;
  /** Since when an operator is suspended; undefined if it is not. */
  readonly suspendedSince: (operatorId: number) => number | undefined;
  /** The suppliers that an operator's products can be ordered from. */
  readonly suppliersOf: (operatorId: number) => readonly number[];
  readonly config: Pick<Config, 'personalOffers' | 'vatPercent' | 'unconnected'>;
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

type Health = Static<typeof OperatorSchema>['health'];
const fromBest: readonly Health[] = ['up', 'degraded', 'down'];

type Status = { readonly health: Health; readonly since: number | undefined };

const statusOf = (id: number, { admission, suspendedSince }: OperatorRouteDeps): Status => {
  const suspended = suspendedSince(id);
  if (suspended !== undefined) return { health: 'down', since: suspended };
  const { breaker, since } = admission.state(id);
  return { health: healthBy[breaker], since };
};

/** An operator is as healthy as the best of its suppliers. */
const bestOf = (operatorId: number, deps: OperatorRouteDeps): Status => {
  const statuses = deps
    .suppliersOf(operatorId)
    .filter((id) => deps.registry.byId(id) !== undefined)
    .map((id) => statusOf(id, deps));
  const best = fromBest.find((health) => statuses.some((one) => one.health === health));
  return statuses.find(({ health }) => health === best) ?? statusOf(operatorId, deps);
};

type Listed = Pick<Operator, 'id' | 'name'> & Partial<Pick<Operator, 'connection'>>;

/** Those without a connection of their own are listed if a supplier sells their products. */
const operatorsIn = ({ registry, suppliersOf, config }: OperatorRouteDeps): readonly Listed[] => {
  const supplied = config.unconnected.filter(({ id }) =>
    suppliersOf(id).some((supplier) => registry.byId(supplier) !== undefined),
  );
  const own = new Set(registry.operators.map(({ id }) => id));
  return [...registry.operators, ...supplied.filter(({ id }) => !own.has(id))].toSorted(
    (one, other) => one.id - other.id,
  );
};

const toWire = (
  { id, name, connection }: Listed,
  deps: OperatorRouteDeps,
): Static<typeof OperatorSchema> => {
  const { health, since } = bestOf(id, deps);
  const { personalOffers, vatPercent } = deps.config;
  const personal = { ...personalOffers, vat_percent: vatPercent };
  return {
    id,
    name,
    can: {
      offers: connection?.offers !== undefined,
      subscriber: connection?.subscriber !== undefined,
      reports: connection?.reports !== undefined,
    },
    personal_offers: connection?.offers === undefined ? null : personal,
    health,
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
        data: operatorsIn(deps).map((operator) => toWire(operator, deps)),
      }),
    );
  };
