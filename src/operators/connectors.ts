/** Loads the connectors in use: those built in, and those that the configuration names by file or package. */
import type { Config, OperatorConfig } from '../config/config.ts';
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
};

type Sources = Pick<Config, 'operators'> & Partial<Pick<Config, 'connectors' | 'folder'>>;

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

/** Says for which operator a connector is wanted that cannot be used. */
const naming = async <T>({ name }: Wanted, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (cause) {
    if (!(cause instanceof UsageError) || name === undefined) throw cause;
    const { message } = cause;
    const sentence = `${message.slice(0, 1).toLowerCase()}${message.slice(1)}`;
    throw new UsageError(`Operator "${name}": ${sentence}`, { cause });
  }
};

/** A source, and the operator that names it. */
type Wanted = { readonly connector: string; readonly name?: string };

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
  const { connectors, operators } = await loadConnectors(sources);
  const outside = connectors.filter(({ name }) => !builtIn.has(name));
  return { connectors: [...(await loadBuiltIn()), ...outside], operators };
};

/** Throws a `UsageError` where one cannot be used. Operators that are all simulated need no other than theirs. */
export const loadConnectors = async ({
  operators,
  connectors: more = [],
  folder = '.',
}: Sources): Promise<Loaded> => {
  const sources = [...operators, ...more.map((connector) => ({ connector }))];
  if (sources.every(({ connector }) => connector === simulator.name)) {
    return { connectors: [simulator], operators };
  }
  const outside = await loadSources(sources, folder);
  return {
    connectors: [...(await loadBuiltIn()), ...outside.values()],
    operators: operators.map((operator) => ({
      ...operator,
      connector: outside.get(operator.connector)?.name ?? operator.connector,
    })),
  };
};
