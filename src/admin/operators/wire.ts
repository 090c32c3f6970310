/** Describes operators as the back office's API shows them. */
import { type Static, Type } from 'typebox';
import { checkSettings } from '../../connector/settings/check.ts';
import { formOf } from '../../connector/settings/form.ts';
import { maskSettings } from '../../connector/settings/mask.ts';
import { formatTime } from '../../lib/time.ts';
import type { Operator } from '../../operators/registry.ts';
import { FaultsSchema, noLocalFaults } from '../../operators/simulator/local-faults.ts';
import { exampleTime, NamesSchema, orNull, timeOrNull } from '../wire.ts';
import type { OperatorParts } from './change.ts';

const listedFields = {
  id: Type.Integer({ description: 'The operator.' }),
  name: Type.String({ description: 'As clients know it.' }),
  names: NamesSchema,
  connector: Type.String({ description: 'Which connector talks to it.' }),
  health: Type.Enum(['up', 'degraded', 'down', 'suspended'], {
    description: 'As the process that answers sees it.',
  }),
  breaker: Type.Enum(['closed', 'trying', 'open'], {
    description: 'Whether it gets new work: `open` gives it a rest.',
  }),
  since: orNull(Type.String(), 'Since when it is so; null: since the start.'),
  under_way: Type.Integer({ description: 'What is under way with it in this process.' }),
  suspended: orNull(
    Type.Object({
      at: Type.String({ description: 'Since when.' }),
      by: Type.String({ description: 'By whom; `simgate` where its settings cannot be used.' }),
      reason: Type.String({ description: 'Why.' }),
    }),
    'Why nothing new is sold of it; null where it is.',
  ),
  can: Type.Object(
    {
      offers: Type.Boolean({ description: 'Lists personal offers.' }),
      subscriber: Type.Boolean({ description: 'Tells of subscribers.' }),
      reports: Type.Boolean({ description: 'Tells of sales that it took back.' }),
    },
    { description: 'What it can do besides selling.' },
  ),
  settings_from: Type.Enum(['file', 'console'], { description: 'Whose settings are in use.' }),
  settings_problem: orNull(
    Type.String(),
    'Why what is set of it now cannot be used: then it is reached by nothing, and what is shown was set before; null where it can.',
  ),
  simulator: Type.Boolean({ description: 'Whether it is simulated in this process.' }),
};

export const ListedSchema = Type.Object(listedFields);
export type Listed = Static<typeof ListedSchema>;

const FieldSchema = Type.Object({
  name: Type.String({ description: 'The setting.' }),
  type: Type.Enum(['string', 'integer', 'number', 'boolean', 'enum', 'object', 'json'], {
    description: '`json`: it is typed as it is.',
  }),
  description: Type.String({ description: 'What it is.' }),
  required: Type.Boolean({ description: 'Whether it has to be given.' }),
  secret: Type.Boolean({ description: 'Whether it is never shown.' }),
  default: Type.Unknown({ description: 'What it is where it is left out; null: nothing.' }),
  minimum: orNull(Type.Number(), 'The least.'),
  maximum: orNull(Type.Number(), 'The most.'),
  values: Type.Optional(Type.Array(Type.Unknown(), { description: 'Of an enum.' })),
  fields: Type.Optional(
    Type.Array(Type.Unknown(), { description: 'Of an object: fields like these.' }),
  ),
});

export const OperatorSchema = Type.Object({
  ...listedFields,
  schema: Type.Array(FieldSchema, { description: 'What can be set, in order.' }),
  settings: Type.Record(Type.String(), Type.Unknown(), {
    description: 'What is in use, or was last; secrets that are set read `***`.',
  }),
  version: Type.String({ description: 'Send it along when you change the settings.' }),
  promises: Type.Object(
    {
      deadline_ms: Type.Integer({ description: 'How long one exchange may take.' }),
      settles_within_ms: orNull(
        Type.Integer(),
        'How long after that an order may still surface; null: unknown.',
      ),
      deduplicates: Type.Boolean({ description: 'Whether a second order is recognised.' }),
      at_once: orNull(Type.Integer(), 'How many exchanges it carries at once; null: any.'),
    },
    { description: 'What is promised about its orders.' },
  ),
  faults: orNull(FaultsSchema, 'What goes wrong at it; null where it is not simulated.'),
});

export const healthBy = { closed: 'up', trying: 'degraded', open: 'down' } as const;

export const listedToWire = (operator: Operator, { live, admission }: OperatorParts): Listed => {
  const { id, name, names, connector, connection } = operator;
  const { breaker, since: changedAt, inFlight } = admission.state(id);
  const suspension = live.suspensionOf(id);
  const { from = 'file', problem = null } = live.inUse(id) ?? {};
  const since = suspension?.at ?? changedAt;
  return {
    id,
    name,
    names,
    connector: connector.name,
    health: suspension === undefined ? healthBy[breaker] : 'suspended',
    breaker,
    since: timeOrNull(since),
    under_way: inFlight,
    suspended: suspension === undefined ? null : { ...suspension, at: formatTime(suspension.at) },
    can: {
      offers: connection.offers !== undefined,
      subscriber: connection.subscriber !== undefined,
      reports: connection.reports !== undefined,
    },
    settings_from: from,
    settings_problem: problem,
    simulator: connector.inProcess === true,
  };
};

/** With the defaults of what was left out. */
const shownSettings = ({ id, connector }: Operator, { live }: OperatorParts) => {
  const { settings = {} } = live.inUse(id) ?? {};
  const checked = checkSettings(connector, settings);
  return maskSettings(connector, checked.kind === 'fit' ? checked.settings : settings);
};

export const faultsToWire = (
  operator: Operator,
  parts: OperatorParts,
): Static<typeof FaultsSchema> => {
  const { faults } = shownSettings(operator, parts);
  return typeof faults === 'object' && faults !== null
    ? { ...noLocalFaults, ...faults }
    : noLocalFaults;
};

export const operatorToWire = (
  operator: Operator,
  parts: OperatorParts,
): Static<typeof OperatorSchema> => {
  const { id, connector, connection } = operator;
  return {
    ...listedToWire(operator, parts),
    schema: formOf(connector.settings).map(({ values, fields, ...field }) => ({
      ...field,
      ...(values === undefined ? {} : { values: [...values] }),
      ...(fields === undefined ? {} : { fields: [...fields] }),
    })),
    settings: shownSettings(operator, parts),
    version: parts.live.inUse(id)?.version ?? '',
    promises: {
      deadline_ms: connection.deadlineMs,
      settles_within_ms: connection.settlesWithin ?? connector.settlesWithin ?? null,
      deduplicates: connection.deduplicates ?? connector.deduplicates ?? false,
      at_once: connection.atOnce ?? null,
    },
    faults: connector.inProcess === true ? faultsToWire(operator, parts) : null,
  };
};

export const exampleListed: Listed = {
  id: 3,
  name: 'operator_3',
  names: { en: 'Operator 3', fa: 'اپراتور ۳' },
  connector: 'http',
  health: 'suspended',
  breaker: 'closed',
  since: exampleTime,
  under_way: 0,
  suspended: { at: exampleTime, by: 'office', reason: 'they move to another system' },
  can: { offers: false, subscriber: true, reports: true },
  settings_from: 'console',
  settings_problem: null,
  simulator: false,
};

export const exampleOperator: Static<typeof OperatorSchema> = {
  ...exampleListed,
  schema: [
    {
      name: 'token',
      type: 'string',
      description: 'Sent as "Authorization: Bearer …".',
      required: false,
      secret: true,
      default: null,
      minimum: null,
      maximum: null,
    },
  ],
  settings: { baseUrl: 'https://operator.example/v1', token: '***' },
  version: '019a8f3e-6c1d-7b52-9a41-3f0c5d2e7b18',
  promises: { deadline_ms: 10_000, settles_within_ms: 900_000, deduplicates: false, at_once: 500 },
  faults: null,
};
