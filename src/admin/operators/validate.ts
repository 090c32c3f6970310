/** Validates an operator's settings before they are stored: the schema, and secrets that would go to another address. */
import type { Connector } from '../../connector/connector.ts';
import { checkSettings, type Settings } from '../../connector/settings/check.ts';
import { keptSecrets, mergeSettings } from '../../connector/settings/mask.ts';
import { changesDestination } from '../../connector/settings/moved.ts';
import { GatewayError } from '../../lib/errors.ts';
import { showCode } from '../../lib/json/show-value.ts';
import type { Text } from '../../lib/text.ts';
import { AdminError } from '../errors.ts';

export const assertValidSettings = (connector: Connector, settings: Settings): void => {
  const checked = checkSettings(connector, settings);
  if (checked.kind === 'wrong') {
    throw new GatewayError('VALIDATION_FAILED', { errors: checked.errors });
  }
};

/** Of a connector that cannot be chosen: it was not loaded, or the file alone may name it. */
export const notAvailable = (name: string): Text => ({
  en: name === '' ? 'Choose a connector.' : `There is no connector "${name}" to choose.`,
  fa: name === '' ? 'یک رابط انتخاب کنید.' : `رابط ${showCode(name)} قابل انتخاب نیست.`,
});

const enterAgain = (name: string): Text => ({
  en: `${name} must be entered again, because requests would go to another address.`,
  fa: `${name} باید دوباره وارد شود، چون درخواست‌ها به نشانی دیگری فرستاده می‌شود.`,
});

/** Adds the secrets that stay to the settings sent. None stays if requests go to another address, which would receive it. */
export const mergeGivenSettings = (
  connector: Connector,
  before: Settings,
  given: Settings,
): Settings => {
  const settings = mergeSettings(connector, before, given);
  const kept = keptSecrets(connector, before, given);
  if (kept.length === 0 || !changesDestination(connector, before, settings)) return settings;
  const errors = Object.fromEntries(kept.map((name) => [name, [enterAgain(name)]]));
  throw new AdminError('SECRETS_NEEDED', { errors });
};
