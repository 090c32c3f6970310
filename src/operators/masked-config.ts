/** Masks the secrets in the configuration, including those of connectors. */
import { Type } from 'typebox';
import type { Config } from '../config/config.ts';
import { maskDatabaseUrl } from '../config/sections/database.ts';
import { maskMetrics } from '../config/sections/metrics.ts';
import { maskSecretsKeys } from '../config/sections/secrets.ts';
import { maskSettings } from '../connector/settings/mask.ts';
import type { Loaded } from './connectors.ts';

// For an unknown connector, any setting may be a secret.
const unknown = { settings: Type.Object({}) };

/** Shows connectors as the configuration names them. */
export const maskConfig = (config: Config, loaded: Loaded) => {
  const operators = config.operators.map((operator, index) => {
    const wanted = loaded.operators[index]?.connector;
    const connector = loaded.connectors.find(({ name }) => name === wanted) ?? unknown;
    return { ...operator, settings: maskSettings(connector, operator.settings) };
  });
  const { databaseUrl: url, folder: _1, unconnected: _2, simulatable: _3, ...others } = config;
  return {
    ...others,
    ...(url === undefined ? {} : { databaseUrl: maskDatabaseUrl(url) }),
    ...maskSecretsKeys(config),
    metrics: maskMetrics(config.metrics),
    operators,
  };
};
