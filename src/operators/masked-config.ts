/** Masks the secrets in the configuration, including those of connectors. */
import { Type } from 'typebox';
import type { Config, ConnectionConfig } from '../config/config.ts';
import { maskDatabaseUrl } from '../config/sections/database.ts';
import { maskMetrics } from '../config/sections/metrics.ts';
import { maskSecretsKeys } from '../config/sections/secrets.ts';
import { maskSettings } from '../connector/settings/mask.ts';
import type { Loaded } from './connectors.ts';

// For an unknown connector, any setting may be a secret.
const unknown = { settings: Type.Object({}) };

/** Shows connectors as the configuration names them. */
export const maskConfig = (config: Config, loaded: Loaded) => {
  const masked = <One extends ConnectionConfig>(
    all: readonly One[],
    named: readonly ConnectionConfig[],
  ) =>
    all.map((one, index) => {
      const wanted = named[index]?.connector;
      const connector = loaded.connectors.find(({ name }) => name === wanted) ?? unknown;
      return { ...one, settings: maskSettings(connector, one.settings) };
    });
  const { databaseUrl: url, folder: _1, unconnected: _2, simulatable: _3, ...others } = config;
  return {
    ...others,
    ...(url === undefined ? {} : { databaseUrl: maskDatabaseUrl(url) }),
    ...maskSecretsKeys(config),
    metrics: maskMetrics(config.metrics),
    operators: masked(config.operators, loaded.operators),
    suppliers: masked(config.suppliers, loaded.suppliers),
  };
};
