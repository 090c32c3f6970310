/** Checks the configuration of operators and suppliers: names, prefixes, connectors and their settings. */
import type { Static, TObject } from 'typebox';
import type { ConnectionConfig, OperatorConfig } from '../config/config.ts';
import { isSupplierId, kindWord } from '../config/sections/operators.ts';
import type { Connector } from '../connector/connector.ts';
import { checkSettings } from '../connector/settings/check.ts';
import { UsageError } from '../lib/errors.ts';
import { claimedTwice } from './numbers/prefixes.ts';

const quoted = (names: readonly unknown[]): string =>
  names.map((name) => JSON.stringify(name)).join(', ');

const connectorOf = (config: ConnectionConfig, connectors: readonly Connector[]): Connector => {
  const connector = connectors.find(({ name }) => name === config.connector);
  if (connector !== undefined) return connector;
  const known = quoted(connectors.map(({ name }) => name));
  throw new UsageError(
    `${kindWord(config.id)} "${config.name}": there is no connector "${config.connector}". Known are: ${known}.`,
  );
};

/** Throws a `UsageError` where they do not fit. */
export const readSettings = (config: ConnectionConfig, connector: Connector): Static<TObject> => {
  const checked = checkSettings(connector, config.settings);
  if (checked.kind === 'fit') return checked.settings;
  throw new UsageError(`${kindWord(config.id)} "${config.name}": ${checked.fault}.`);
};

const refuseDuplicates = (all: readonly ConnectionConfig[]): void => {
  for (const field of ['id', 'name'] as const) {
    const seen = new Set<number | string>();
    for (const one of all) {
      if (seen.has(one[field])) {
        const two = isSupplierId(one.id) ? 'Two operators or suppliers' : 'Two operators';
        throw new UsageError(`${two} have the ${field} "${one[field]}".`);
      }
      seen.add(one[field]);
    }
  }
};

const refuseClaimsOfTwo = (operators: readonly OperatorConfig[]): void => {
  const prefix = claimedTwice(operators);
  if (prefix !== undefined) throw new UsageError(`Two operators have the prefix "${prefix}".`);
};

/** An operator with its connector and settings; without these where it may stand without. */
const checkedConfig = (
  config: ConnectionConfig,
  connectors: readonly Connector[],
  excused: ReadonlySet<number>,
) => {
  const connector = connectorOf(config, connectors);
  const fits = checkSettings(connector, config.settings).kind === 'fit';
  const settings = fits || !excused.has(config.id) ? readSettings(config, connector) : undefined;
  return { config, connector, settings };
};

type Configs = {
  readonly operators: readonly OperatorConfig[];
  readonly unconnected: readonly OperatorConfig[];
  readonly suppliers: readonly ConnectionConfig[];
};

/** Those that have a connector, with it and their settings. */
export const checkConfigs = (
  { operators, unconnected, suppliers }: Configs,
  connectors: readonly Connector[],
  excused: ReadonlySet<number>,
) => {
  refuseDuplicates([...operators, ...unconnected, ...suppliers]);
  refuseClaimsOfTwo(operators);
  return [...operators, ...suppliers].map((config) => checkedConfig(config, connectors, excused));
};
