/** Describes operators as the back office's API shows them. */
import { type Static, Type } from 'typebox';
import type { Connector } from '../../connector/connector.ts';
import { checkSettings } from '../../connector/settings/check.ts';
import { formOf } from '../../connector/settings/form.ts';
import { maskSettings } from '../../connector/settings/mask.ts';
import type { Locale } from '../../lib/text.ts';
import { formatTime } from '../../lib/time.ts';
import { noConnector, type Operator } from '../../operators/registry.ts';
import { FaultsSchema, noLocalFaults } from '../../operators/simulator/local-faults.ts';
import { exampleTime, NamesSchema, orNull, timeOrNull } from '../wire.ts';
import type { OperatorParts } from './change.ts';

const listedFields = {
  id: Type.Integer({ description: 'The ID of the operator or supplier.' }),
  kind: Type.Enum(['operator', 'supplier'], {
    description: 'Clients do not see suppliers.',
  }),
  defined_in: Type.Enum(['file', 'console'], {
    description: 'Where it is defined: in the configuration file, or as a supplier in the console.',
  }),
  name: Type.String({ description: 'The name in paths.' }),
  names: NamesSchema,
  group: orNull(Type.String(), 'Its group: a purchase is ordered from one of a group only.'),
  connector: Type.String({
    description: 'The connector; empty if it has none, and is not for sale.',
  }),
  health: Type.Enum(['up', 'degraded', 'down', 'suspended', 'unconnected'], {
    description: 'The health that this process sees. `unconnected`: it has no connector.',
  }),
  breaker: Type.Enum(['closed', 'trying', 'open'], {
    description: 'The circuit breaker. `open`: it gets no new orders. `trying`: it gets a few.',
  }),
  since: orNull(Type.String(), 'Since when; null if since the start.'),
  under_way: Type.Integer({ description: 'Requests in flight in this process.' }),
  suspended: orNull(
    Type.Object({
      at: Type.String({ description: 'When it was suspended.' }),
      by: Type.String({ description: '`simgate` if its settings are unusable.' }),
      reason: Type.String({ description: 'The reason.' }),
    }),
    'The suspension; null if it is not suspended.',
  ),
  can: Type.Object(
    {
      offers: Type.Boolean({ description: 'Whether it lists personal offers.' }),
      subscriber: Type.Boolean({ description: 'Whether it looks up subscribers.' }),
      reports: Type.Boolean({ description: 'Whether it reports purchases that it reversed.' }),
    },
    { description: 'What the operator supports.' },
  ),
  settings_from: Type.Enum(['file', 'console'], {
    description: 'Where the settings in use come from.',
  }),
  settings_problem: orNull(
    Type.String(),
    'Why the current settings are unusable; then the operator is unavailable and the last working settings are shown. Otherwise null.',
  ),
  simulator: Type.Boolean({ description: 'Whether it is simulated in this process.' }),
  routes: Type.Integer({ description: 'How many routes lead to it, besides the implicit one.' }),
  routes_closed: Type.Integer({
    description: 'How many routes to it are closed in this process because their orders failed.',
  }),
  broken_promises: Type.Integer({
    description:
      'How often it delivered what it had denied, or twice. If any, no purchase moves on from it.',
  }),
};

export const ListedSchema = Type.Object(listedFields, {
  title: 'Operator',
  description: 'An operator and its status.',
});
export type Listed = Static<typeof ListedSchema>;

const words = (description: string) =>
  Type.Object(
    {
      en: Type.String({ description: 'In English.' }),
      fa: orNull(Type.String(), 'In Persian; null if the connector has no Persian text.'),
    },
    { description },
  );

const FieldSchema = Type.Object(
  {
    name: Type.String({ description: 'The name of the setting.' }),
    type: Type.Enum(['string', 'integer', 'number', 'boolean', 'enum', 'object', 'json'], {
      description: 'The type. `json`: any JSON value.',
    }),
    description: Type.String({ description: 'What it does, in English.' }),
    label: words('The name of the field.'),
    help: words('What it does.'),
    required: Type.Boolean({ description: 'Whether it is required.' }),
    secret: Type.Boolean({ description: 'Whether it is a secret, which is never shown.' }),
    default: Type.Unknown({ description: 'The default; null if there is none.' }),
    minimum: orNull(Type.Number(), 'The minimum; null if there is none.'),
    maximum: orNull(Type.Number(), 'The maximum; null if there is none.'),
    values: Type.Optional(Type.Array(Type.Unknown(), { description: 'The values of an `enum`.' })),
    fields: Type.Optional(
      Type.Array(Type.Unknown(), { description: 'The fields of an `object`, in the same format.' }),
    ),
  },
  { title: 'SettingField', description: 'A setting of a connector.' },
);

/** As several routes show them. */
export const ShownFaults = Type.Object(FaultsSchema.properties, {
  title: 'Faults',
  description: 'The simulated faults.',
});

export const OperatorSchema = Type.Object(
  {
    ...listedFields,
    schema: Type.Array(FieldSchema, { description: 'The settings of the connector, in order.' }),
    settings: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The values in use; secrets are `***`.',
    }),
    version: Type.String({
      description: 'The version of the settings. Send it when you change them.',
    }),
    promises: Type.Object(
      {
        deadline_ms: Type.Integer({ description: 'The timeout of a request.' }),
        settles_within_ms: orNull(
          Type.Integer(),
          'How long an order can still appear after the timeout, in milliseconds; null if unknown.',
        ),
        deduplicates: Type.Boolean({
          description: 'Whether it recognises a repeated order by its reference.',
        }),
        at_once: orNull(
          Type.Integer(),
          'The maximum number of concurrent requests; null if unlimited.',
        ),
      },
      { description: 'What the connector guarantees.' },
    ),
    faults: orNull(ShownFaults, 'The simulated faults; null if the operator is not simulated.'),
  },
  { title: 'OperatorDetail', description: 'An operator with its settings.' },
);

export const ConnectorSchema = Type.Object(
  {
    name: Type.String({ description: 'The name of the connector.' }),
    schema: Type.Array(FieldSchema, { description: 'Its settings, in order.' }),
    simulator: Type.Boolean({ description: 'Whether it delivers nothing.' }),
  },
  { title: 'Connector', description: 'A connector that the operator can have.' },
);

export const healthBy = { closed: 'up', trying: 'degraded', open: 'down' } as const;

const healthOf = (
  connector: Connector,
  suspension: unknown,
  breaker: keyof typeof healthBy,
): Listed['health'] => {
  if (suspension !== undefined) return 'suspended';
  return connector === noConnector ? 'unconnected' : healthBy[breaker];
};

export const listedToWire = (
  operator: Operator,
  { live, admission, routesTo, promises }: OperatorParts,
  locale: Locale,
): Listed => {
  const { id, kind, name, names, group = null, connector, connection } = operator;
  const { breaker, since: changedAt, inFlight } = admission.state(id);
  const suspension = live.suspensionOf(id);
  const { from = 'file', problem = null } = live.inUse(id) ?? {};
  const since = suspension?.at ?? changedAt;
  const routes = routesTo(id);
  return {
    id,
    kind,
    defined_in: live.inFile(id) === undefined ? 'console' : 'file',
    name,
    names,
    group,
    connector: connector.name,
    health: healthOf(connector, suspension, breaker),
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
    settings_problem: problem?.[locale] ?? null,
    simulator: connector.inProcess === true,
    routes: routes.all,
    routes_closed: routes.closed,
    broken_promises: promises.brokenBy(id),
  };
};

/** The settings of a connector as form fields. */
const schemaToWire = ({ settings, texts }: Pick<Connector, 'settings' | 'texts'>) =>
  formOf(settings, texts).map(({ values, fields, ...field }) => ({
    ...field,
    ...(values === undefined ? {} : { values: [...values] }),
    ...(fields === undefined ? {} : { fields: [...fields] }),
  }));

export const connectorToWire = (connector: Connector): Static<typeof ConnectorSchema> => ({
  name: connector.name,
  schema: schemaToWire(connector),
  simulator: connector.inProcess === true,
});

/** Including the defaults. */
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
  locale: Locale,
): Static<typeof OperatorSchema> => {
  const { id, connector, connection } = operator;
  return {
    ...listedToWire(operator, parts, locale),
    schema: schemaToWire(connector),
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
  kind: 'operator',
  defined_in: 'file',
  name: 'operator_3',
  names: { en: 'Operator 3', fa: 'اپراتور ۳' },
  group: null,
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
  routes: 2,
  routes_closed: 0,
  broken_promises: 0,
};

export const exampleOperator: Static<typeof OperatorSchema> = {
  ...exampleListed,
  schema: [
    {
      name: 'token',
      type: 'string',
      description: 'Sent as `Authorization: Bearer …`.',
      label: { en: 'Access token', fa: 'توکن دسترسی' },
      help: {
        en: 'Sent as `Authorization: Bearer …`.',
        fa: 'به صورت `Authorization: Bearer …` فرستاده می‌شود.',
      },
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
