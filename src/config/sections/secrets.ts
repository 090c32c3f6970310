/** Defines the settings for the keys that seal secrets in the database. */
import { Type } from 'typebox';

// 32 bytes in base64url.
const pattern = '^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$';

export const SecretsKeySchema = Type.String({
  pattern,
  secret: true,
  description:
    'SIMGATE_SECRETS_KEY: Key that encrypts secrets in the database: 32 random bytes in base64url. Create one with `simgate secrets new-key`.',
});

export const OldSecretsKeysSchema = Type.Array(Type.String({ pattern }), {
  default: [],
  secret: true,
  description:
    'SIMGATE_OLD_SECRETS_KEYS: Previous keys, still used for reading. In the variable, separate them by commas or spaces.',
});

type Keys = {
  readonly secretsKey?: string | undefined;
  readonly oldSecretsKeys: readonly string[];
};

/** The settings, masked for a screen. */
export const maskSecretsKeys = ({ secretsKey, oldSecretsKeys }: Keys) => ({
  ...(secretsKey === undefined ? {} : { secretsKey: '***' }),
  oldSecretsKeys: oldSecretsKeys.map(() => '***'),
});
