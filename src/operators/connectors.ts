/** Loads the connectors in use: those built in, and those that the configuration names by file or package. */
import type { Config, ConnectionConfig, OperatorConfig, SupplierConfig } from '../config/config.ts';
import { kindWord } from '../config/sections/operators.ts';
import type { Connector } from '../connector/connector.ts';
import { UsageError } from '../lib/errors.ts';
import { loadConnector } from './load-connector.ts';
import { simulator } from './simulator/index.ts';

const builtIn: ReadonlySet<string> = new Set([simulator.name, 'http']);

export type Loaded = {
  /** Each has a name of its own. */
  readonly connectors: readonly Connector[];
  /** With the names of connectors where the configuration has files or packages. */
  readonly operators: readonly OperatorConfig[];
  readonly suppliers: readonly SupplierConfig[];
};

type Sources = Pick<Config, 'operators' | 'suppliers'> &
  Partial<Pick<Config, 'connectors' | 'folder'>>;

/** What speaks HTTP takes memory, and is loaded only for those who need it. */
export const loadBuiltIn = async (): Promise<readonly Connector[]> => {
  const { http } = await import('./http/index.ts');
  return [simulator, http];
};

const refuseSameName = (
  source: string,
  { name }: Connector,
  known: ReadonlyMap<string, Connector>,
): void => {
  if (builtIn.has(name)) {
    throw new UsageError(
      `The connector "${source}" has the name "${name}", which is built in. Give it another.`,
    );
  }
  for (const [other, connector] of known) {
    if (connector.name === name) {
      throw new UsageError(
        `The connectors "${other}" and "${source}" have the same name "${name}". Give one another.`,
      );
    }
  }
};

/** Says for which operator or supplier a connector is wanted that cannot be used. */
const naming = async <T>({ id = 0, name }: Wanted, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof UsageError) || name === undefined) throw cause;
    const { message } = cause;
    const sentence = `${message.slice(0, 1).toLowerCase()}${message.slice(1)}`;
    throw new UsageError(`${kindWord(id)} "${name}": ${sentence}`, { cause });
  }
};

/** A source, and the operator or supplier that names it. */
type Wanted = Pick<ConnectionConfig, 'connector'> & Partial<Pick<ConnectionConfig, 'id' | 'name'>>;

const loadSources = async (
  sources: readonly Wanted[],
  folder: string,
): Promise<ReadonlyMap<string, Connector>> => {
  const loaded = new Map<string, Connector>();
  for (const wanted of sources) {
    const { connector: source } = wanted;
    if (builtIn.has(source) || loaded.has(source)) continue;
    await naming(wanted, async () => {
      const connector = await loadConnector(source, folder);
      refuseSameName(source, connector, loaded);
      loaded.set(source, connector);
    });
  }
  return loaded;
};

/** All that the console could have chosen, whatever the configuration needs: for commands beside a server. */
export const loadAllConnectors = async (sources: Sources): Promise<Loaded> => {
  const { connectors, ...named } = await loadConnectors(sources);
  const outside = connectors.filter(({ name }) => !builtIn.has(name));
  return { connectors: [...(await loadBuiltIn()), ...outside], ...named };
};

/** Throws a `UsageError` where one cannot be used. If all are simulated, no other connector is loaded. */
export const loadConnectors = async ({
  operators,
  suppliers,
  connectors: more = [],
  folder = '.',
}: Sources): Promise<Loaded> => {
  const sources = [...operators, ...suppliers, ...more.map((connector) => ({ connector }))];
  if (sources.every(({ connector }) => connector === simulator.name)) {
    return { connectors: [simulator], operators, suppliers };
  }
  const outside = await loadSources(sources, folder);
  const withName = <One extends ConnectionConfig>(one: One): One => ({
    ...one,
    connector: outside.get(one.connector)?.name ?? one.connector,
  });
  return {
    connectors: [...(await loadBuiltIn()), ...outside.values()],
    operators: operators.map(withName),
    suppliers: suppliers.map(withName),
  };
};
