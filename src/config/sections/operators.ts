/** Defines the operators' settings, their defaults, and how OPERATOR_URL changes them. */
import { type Static, Type } from 'typebox';
import { UsageError } from '../../lib/errors.ts';
import { persianDigits, sameText, type Text } from '../../lib/text.ts';

/** Path segments below /api that the gateway's own routes use, now or later. */
const reservedNames = [
  'clients',
  'filter',
  'top-up',
  'purchases',
  'account',
  'statement',
  'operators',
  'errors',
  'numbers',
  'webhooks',
];

export const OperatorSchema = Type.Object(
  {
    name: Type.String({
      pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$',
      not: { enum: reservedNames },
      description: 'Value of the filter field `operator`, and a path segment.',
    }),
    names: Type.Optional(
      Type.Object(
        {
          en: Type.String({ minLength: 1, maxLength: 64 }),
          fa: Type.String({ minLength: 1, maxLength: 64 }),
        },
        { additionalProperties: false, description: 'The name that the console shows.' },
      ),
    ),
    prefixes: Type.Optional(
      Type.Array(Type.String({ pattern: '^[0-9]{1,15}$' }), {
        description: 'Prefixes of its numbers, including the prefix of all numbers.',
      }),
    ),
    connector: Type.String({
      minLength: 1,
      description:
        'Connector that talks to it: `simulator`, `http`, a file such as `./cedar.js` (from the folder of the configuration file), or a package.',
    }),
    settings: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Settings of the connector.',
    }),
  },
  { additionalProperties: false },
);

export type OperatorConfig = Static<typeof OperatorSchema> & { readonly id: number };

export const operatorIds = [1, 2, 3, 4, 5] as const;

type Given = ReadonlyMap<string, Partial<Omit<OperatorConfig, 'id'>> | undefined>;

const defaultName = (id: number): string => `operator_${id}`;

/** The display name: the configured one, else one from the number or the name in addresses. */
export const displayNames = ({ id, name, names }: OperatorConfig): Text => {
  if (names !== undefined) return names;
  if (name !== defaultName(id)) return sameText(name);
  return { en: `Operator ${id}`, fa: `اپراتور ${persianDigits(id)}` };
};

/** Only operator 2 lists personal offers, as the contract has it. */
const operatorDefaults = (id: number): OperatorConfig => ({
  id,
  name: defaultName(id),
  connector: 'simulator',
  settings: id === 2 ? { offers: true } : {},
});

/**
 * The simulator's promises in this process also hold for it as a server, so that purchases take the same
 * times: five seconds for a call, three more for slow ones.
 */
const serverSettings = (id: number): OperatorConfig['settings'] => ({
  headersMs: 5_000,
  answerMs: 5_000,
  settlesWithin: 3_000,
  inquiries: { firstInquiryMs: 1_000, widestInquiryMs: 4_000, reviewAfterMs: 30_000 },
  offers: id === 2,
});

const addressOn = (serverUrl: string, id: number): string => `${serverUrl}/operators/${id}`;

/** One operator of a simulator server. Settings of a file for another connector are invalid here. */
const onServer = (operator: OperatorConfig, given: Given, url: string): OperatorConfig => {
  const { connector = 'http', settings = {} } = given.get(String(operator.id)) ?? {};
  return {
    ...operator,
    connector: 'http',
    settings: {
      ...serverSettings(operator.id),
      ...(connector === 'http' ? settings : {}),
      baseUrl: addressOn(url, operator.id),
    },
  };
};

const named = 'simulator';

/** In production a simulator server replaces only operators that are simulated by name. */
const assertNamed = (given: Given): void => {
  if ([...given.values()].some((one) => one?.connector === named)) return;
  throw new UsageError(
    `OPERATOR_URL leads to a simulator. With NODE_ENV=production, leave it out, or set "connector": "${named}" for each operator that is to be simulated.`,
  );
};

type Sources = {
  /** A simulator server. */
  readonly serverUrl: string | undefined;
  /** In production an operator is simulated only if its connector says so. */
  readonly isProduction: boolean;
};

export type OperatorsFound = {
  readonly operators: readonly OperatorConfig[];
  /** The names of those without a connector, which are not for sale. */
  readonly notForSale: readonly string[];
  /** The same as they are configured, for the console to give them one. Their connector is ''. */
  readonly unconnected: readonly OperatorConfig[];
  /** Those that may be simulated: in production only where the file says so by name. */
  readonly simulatable: readonly number[];
};

/** The given values over the defaults, and the simulator server over both. */
export const operatorsOf = (given: Given, { serverUrl, isProduction }: Sources): OperatorsFound => {
  if (isProduction && serverUrl !== undefined) assertNamed(given);
  const all = operatorIds.map((id) => ({ ...operatorDefaults(id), ...given.get(String(id)) }));
  const connectorOf = ({ id }: OperatorConfig) => given.get(String(id))?.connector;
  const isForSale = (one: OperatorConfig) => !isProduction || connectorOf(one) !== undefined;
  const isOnServer = (one: OperatorConfig) => !isProduction || connectorOf(one) === named;
  const unconnected = all.filter((one) => !isForSale(one));
  return {
    unconnected: unconnected.map((one) => ({ ...one, connector: '', settings: {} })),
    simulatable: all
      .filter((one) => !isProduction || connectorOf(one) === named)
      .map(({ id }) => id),
    operators: all
      .filter(isForSale)
      .map((one) =>
        serverUrl !== undefined && isOnServer(one) ? onServer(one, given, serverUrl) : one,
      ),
    notForSale: unconnected.map(({ name }) => name),
  };
};

/** The names of the simulated operators, which deliver nothing. */
export const simulatedIn = (
  operators: readonly OperatorConfig[],
  serverUrl: string | undefined,
): string[] =>
  operators
    .filter(
      ({ id, connector, settings }) =>
        connector === named ||
        (serverUrl !== undefined && settings['baseUrl'] === addressOn(serverUrl, id)),
    )
    .map(({ name }) => name);
