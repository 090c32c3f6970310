/** Finds how the server reaches an operator: by what the console set, else by what the file says. */
import type { OperatorConfig } from '../../config/config.ts';
import type { Connector } from '../../connector/connector.ts';
import { checkSettings, type Settings } from '../../connector/settings/check.ts';
import type { Secrets } from '../../db/secrets/keys.ts';
import { openSettings, rowFor } from './sealed.ts';
import type { SettingsRow } from './store.ts';

export type InForce =
  | {
      readonly kind: 'settings';
      readonly connector: Connector;
      readonly settings: Settings;
      readonly from: 'file' | 'console';
    }
  /** It has a connector, and settings that cannot be used. */
  | { readonly kind: 'unusable'; readonly connector: Connector; readonly why: string }
  /** It has no connector, or none that is loaded. */
  | { readonly kind: 'unconnected'; readonly why: string };

export const settingsInForce = (
  config: OperatorConfig,
  rows: readonly SettingsRow[],
  connectors: readonly Connector[],
  secrets: Pick<Secrets, 'open'>,
): InForce => {
  const row = rowFor(config, rows);
  const name = row?.connector ?? config.connector;
  const connector = connectors.find((one) => one.name === name);
  if (connector === undefined) {
    const why = name === '' ? 'it has no connector' : `its connector "${name}" is not available`;
    return { kind: 'unconnected', why };
  }
  if (row === undefined) {
    const { settings } = config;
    const checked = checkSettings(connector, settings);
    if (checked.kind === 'fit') return { kind: 'settings', connector, settings, from: 'file' };
    return { kind: 'unusable', connector, why: checked.fault };
  }
  const stored = openSettings(secrets, row, connector);
  return stored.kind === 'settings'
    ? { ...stored, connector, from: 'console' }
    : { kind: 'unusable', connector, why: stored.why.en };
};
