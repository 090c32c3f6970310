/** Masks the secrets in the configuration, including those of connectors. */
import { Type } from 'typebox';
import type { Config } from '../config/config.ts';
import { maskDatabaseUrl } from '../config/sections/database.ts';
import { maskMetrics } from '../config/sections/metrics.ts';
import { maskSecretsKeys } from '../config/sections/secrets.ts';
import type { Connector } from '../connector/connector.ts';
import { maskSettings } from '../connector/settings/mask.ts';

// For an unknown connector, any setting may be a secret.
const unknown = { settings: Type.Object({}) };

export const maskConfig = (
  config: Config,
  connectors: readonly Pick<Connector, 'name' | 'settings'>[],
) => {
  const operators = config.operators.map((operator) => {
    const connector = connectors.find(({ name }) => name === operator.connector) ?? unknown;
    return { ...operator, settings: maskSettings(connector, operator.settings) };
  });
  const { databaseUrl: url, ...others } = config;
  return {
    ...others,
    ...(url === undefined ? {} : { databaseUrl: maskDatabaseUrl(url) }),
    ...maskSecretsKeys(config),
    metrics: maskMetrics(config.metrics),
    operators,
  };
};
