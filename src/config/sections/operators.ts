/** Defines the settings of operators and suppliers, their defaults, and how OPERATOR_URL changes them. */
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

/** What the names of operators, suppliers and groups look like. */
export const namePattern = '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$';

/** A name as it is in addresses. */
export const nameSchema = (description: string) =>
  Type.String({ pattern: namePattern, not: { enum: reservedNames }, description });

/** What operators and suppliers have in common: how they are reached. */
const connectionFields = {
  names: Type.Optional(
    Type.Object(
      {
        en: Type.String({ minLength: 1, maxLength: 64 }),
        fa: Type.String({ minLength: 1, maxLength: 64 }),
      },
      { additionalProperties: false, description: 'The name that the console shows.' },
    ),
  ),
  connector: Type.String({
    minLength: 1,
    description:
      'Connector that talks to it: `simulator`, `http`, a file such as `./cedar.js` (from the folder of the configuration file), or a package.',
  }),
  settings: Type.Record(Type.String(), Type.Unknown(), {
    description: 'Settings of the connector.',
  }),
  group: Type.Optional(
    Type.String({
      pattern: namePattern,
      description:
        'Group of suppliers that share an account: a purchase that one of them had goes to no other.',
    }),
  ),
};

export const OperatorSchema = Type.Object(
  {
    name: nameSchema('Value of the filter field `operator`, and a path segment.'),
    prefixes: Type.Optional(
      Type.Array(Type.String({ pattern: '^[0-9]{1,15}$' }), {
        description: 'Prefixes of its numbers, including the prefix of all numbers.',
      }),
    ),
    ...connectionFields,
  },
  { additionalProperties: false },
);

export const SupplierSchema = Type.Object(
  {
    name: nameSchema('The name in `/callbacks/{name}` and in metrics.'),
    ...connectionFields,
    settings: Type.Optional(connectionFields.settings),
  },
  { additionalProperties: false },
);

/** How one is reached: an operator's own connection, or a supplier. */
export type ConnectionConfig = Omit<Static<typeof OperatorSchema>, 'prefixes'> & {
  readonly id: number;
};

export type OperatorConfig = Static<typeof OperatorSchema> & { readonly id: number };

export type SupplierConfig = ConnectionConfig;

const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

/** The operators that exist without being configured. */
export const standardOperatorIds: readonly number[] = [1, 2, 3, 4, 5];

// The contract's numbers for brands are small; suppliers begin above them, so that an ID says which it is.
export const lastOperatorId = 99;
const firstSupplierId = lastOperatorId + 1;
const lastSupplierId = 999;

export const possibleOperatorIds = range(1, lastOperatorId);
export const possibleSupplierIds = range(firstSupplierId, lastSupplierId);

export const isSupplierId = (id: number): boolean => id >= firstSupplierId;

/** How a sentence about one begins. */
export const kindWord = (id: number): string => (isSupplierId(id) ? 'Supplier' : 'Operator');

type Given = ReadonlyMap<string, Partial<Omit<OperatorConfig, 'id'>> | undefined>;

/** By ID; undefined where the configuration says nothing of suppliers. */
type GivenSuppliers = ReadonlyMap<string, Static<typeof SupplierSchema> | undefined> | undefined;

const defaultName = (id: number): string => `operator_${id}`;

/** The display name: the configured one, else one from the number or the name in addresses. */
export const displayNames = ({ id, name, names }: Omit<ConnectionConfig, 'settings'>): Text => {
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
const serverSettings = (id: number): ConnectionConfig['settings'] => ({
  headersMs: 5_000,
  answerMs: 5_000,
  settlesWithin: 3_000,
  inquiries: { firstInquiryMs: 1_000, widestInquiryMs: 4_000, reviewAfterMs: 30_000 },
  offers: id === 2,
});

const addressOn = (serverUrl: string, id: number): string => `${serverUrl}/operators/${id}`;

/** One operator or supplier of a simulator server. Settings of a file for another connector are invalid here. */
const onServer = <Config extends ConnectionConfig>(
  config: Config,
  given: { readonly connector?: string; readonly settings?: Config['settings'] } | undefined,
  url: string,
): Config => {
  const { connector = 'http', settings = {} } = given ?? {};
  return {
    ...config,
    connector: 'http',
    settings: {
      ...serverSettings(config.id),
      ...(connector === 'http' ? settings : {}),
      baseUrl: addressOn(url, config.id),
    },
  };
};

const named = 'simulator';

/** In production a simulator server replaces only those that are simulated by name. */
const assertNamed = (given: Given, suppliers: GivenSuppliers): void => {
  const all = [...given.values(), ...(suppliers?.values() ?? [])];
  if (all.some((one) => one?.connector === named)) return;
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
  /** The brands, as in `operator_id`, each with its own connection. */
  readonly operators: readonly OperatorConfig[];
  /** Others from whom products are ordered, where a route says so. Clients never learn of them. */
  readonly suppliers: readonly SupplierConfig[];
  /** The names of operators without a connector, which are not for sale. */
  readonly notForSale: readonly string[];
  /** The same as they are configured, for the console to give them one. Their connector is ''. */
  readonly unconnected: readonly OperatorConfig[];
  /** Those that may be simulated, also by a choice in the console: in production only where the file says so by name. */
  readonly simulatable: readonly number[];
};

/** The standard ones, and further ones that are configured. */
const idsIn = (given: Given): number[] =>
  [...new Set([...standardOperatorIds, ...[...given.keys()].map(Number)])].sort(
    (one, two) => one - two,
  );

/** The second supplier of the demo: it delivers to numbers that end in 88, where the first is out of stock. */
export const demoSupplier: SupplierConfig = {
  id: 101,
  name: 'second_supplier',
  names: { en: 'Second supplier', fa: 'تأمین‌کنندهٔ دوم' },
  connector: named,
  settings: { second: true },
};

const isSimulated = (
  { id, connector, settings }: ConnectionConfig,
  serverUrl: string | undefined,
): boolean =>
  connector === named ||
  (serverUrl !== undefined && settings['baseUrl'] === addressOn(serverUrl, id));

/** Only those that name the simulator are on its server: each says how it is reached. */
const suppliersOf = (
  given: GivenSuppliers,
  operators: readonly OperatorConfig[],
  { serverUrl, isProduction }: Sources,
): SupplierConfig[] => {
  const isDemo =
    given === undefined && !isProduction && operators.every((one) => isSimulated(one, serverUrl));
  const standard = isDemo ? [demoSupplier] : [];
  const all =
    given === undefined
      ? standard
      : [...given].flatMap(([id, one]) =>
          one === undefined ? [] : { settings: {}, ...one, id: Number(id) },
        );
  return all.map((one) =>
    serverUrl !== undefined && one.connector === named ? onServer(one, one, serverUrl) : one,
  );
};

/** The given values over the defaults, and the simulator server over both. */
export const operatorsOf = (
  given: Given,
  givenSuppliers: GivenSuppliers,
  sources: Sources,
): OperatorsFound => {
  const { serverUrl, isProduction } = sources;
  if (isProduction && serverUrl !== undefined) assertNamed(given, givenSuppliers);
  const all = idsIn(given).map((id) => ({ ...operatorDefaults(id), ...given.get(String(id)) }));
  const connectorOf = (id: number) =>
    (given.get(String(id)) ?? givenSuppliers?.get(String(id)))?.connector;
  const isForSale = ({ id }: OperatorConfig) => !isProduction || connectorOf(id) !== undefined;
  const isNamed = ({ id }: ConnectionConfig) => !isProduction || connectorOf(id) === named;
  const unconnected = all.filter((one) => !isForSale(one));
  const operators = all
    .filter(isForSale)
    .map((one) =>
      serverUrl !== undefined && isNamed(one)
        ? onServer(one, given.get(String(one.id)), serverUrl)
        : one,
    );
  const suppliers = suppliersOf(givenSuppliers, operators, sources);
  return {
    operators,
    suppliers,
    unconnected: unconnected.map((one) => ({ ...one, connector: '', settings: {} })),
    simulatable: isProduction
      ? [...all, ...suppliers].filter(isNamed).map(({ id }) => id)
      : [...possibleOperatorIds, ...possibleSupplierIds],
    notForSale: unconnected.map(({ name }) => name),
  };
};

/** The IDs of all operators in order, those without a connector included. */
export const operatorIdsIn = (
  found: Pick<OperatorsFound, 'operators' | 'unconnected'>,
): readonly number[] =>
  [...found.operators, ...found.unconnected].map(({ id }) => id).sort((one, two) => one - two);

/** The names of the simulated operators and suppliers, which deliver nothing. */
export const simulatedIn = (
  all: readonly ConnectionConfig[],
  serverUrl: string | undefined,
): string[] => all.filter((one) => isSimulated(one, serverUrl)).map(({ name }) => name);
