/** Describes alerts and the setup steps as the back office's API shows them. */
import { type Static, Type } from 'typebox';
import { formatTime } from '../../lib/time.ts';
import { exampleId, exampleTime, NamesSchema, orNull, timeOrNull } from '../wire.ts';
import { type Alert, alertKinds } from './alerts.ts';

const AlertSchema = Type.Object(
  {
    id: Type.String({ description: 'What the alert is about: the same until it ends.' }),
    kind: Type.Enum([...alertKinds], {
      description:
        '`review`: purchases need review. `operator_down` and `operator_suspended`: an operator gets no new orders. `failures`: many purchases of an operator fail. `float_approaching`, `float_low` and `float_empty`: what lies at a supplier lasts less than 24 or 6 hours, or is used up. `margin_below_zero`: deliveries of this hour and the last cost more than was charged. These four need the right `cost`. `credit_used_up` and `credit_nearly_used_up`: clients use all of their credit limit, or at least 90 percent. `low_balances`: clients can spend less than `low_balance_below`.',
    }),
    count: orNull(
      Type.Integer(),
      'How many purchases or clients, or for how many hours a float lasts; otherwise null.',
    ),
    since: orNull(
      Type.String(),
      'Since when; for `review`, when the newest of them began. Null if that is not known.',
    ),
    operator: orNull(
      Type.Object({
        id: Type.Integer({ description: 'The ID of the operator.' }),
        names: NamesSchema,
      }),
      'The operator; null for other kinds.',
    ),
    client: orNull(
      Type.Object({
        id: Type.String({ description: 'The ID of the client.' }),
        name: Type.String({ description: 'The name of the client.' }),
      }),
      'The client with the least to spend; null for other kinds.',
    ),
  },
  { title: 'Alert', description: 'Something to act on.' },
);

export const AlertsSchema = Type.Object(
  {
    at: Type.String({ description: 'When they were read.' }),
    data: Type.Array(AlertSchema, { description: 'The alerts, the most urgent first.' }),
  },
  { title: 'Alerts', description: 'What someone should act on now.' },
);
export type Alerts = Static<typeof AlertsSchema>;

export const alertsToWire = (at: number, alerts: readonly Alert[]): Alerts => ({
  at: formatTime(at),
  data: alerts.map(({ id, kind, count, since, operator, client }) => ({
    id,
    kind,
    count: count ?? null,
    since: timeOrNull(since),
    operator: operator === undefined ? null : { id: operator.id, names: operator.names },
    client: client === undefined ? null : { id: client.id, name: client.name },
  })),
});

export const exampleAlerts: Alerts = {
  at: exampleTime,
  data: [
    {
      id: 'operator_down:1',
      kind: 'operator_down',
      count: null,
      since: exampleTime,
      operator: { id: 1, names: { en: 'Operator 1', fa: 'اپراتور ۱' } },
      client: null,
    },
    {
      id: 'low_balances',
      kind: 'low_balances',
      count: 2,
      since: null,
      operator: null,
      client: { id: exampleId, name: 'Example shop' },
    },
  ],
};

export const SetupSchema = Type.Object(
  {
    operator: Type.Boolean({ description: 'Whether an operator has a connector that delivers.' }),
    catalogue: Type.Boolean({ description: 'Whether there are products.' }),
    client: Type.Boolean({ description: 'Whether there is a client.' }),
    sale: Type.Boolean({ description: 'Whether anything was sold.' }),
  },
  { title: 'SetupSteps', description: 'What a new gateway has already.' },
);
export type Setup = Static<typeof SetupSchema>;

export const exampleSetup: Setup = { operator: true, catalogue: true, client: true, sale: false };
