/** Defines the settings for the keys that seal secrets in the database. */
import { Type } from 'typebox';

// 32 bytes in base64url.
const pattern = '^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$';

export const SecretsKeySchema = Type.String({
  pattern,
  secret: true,
  description:
    'SIMGATE_SECRETS_KEY: what secrets in the database are sealed with, 32 bytes in base64url.',
});

export const OldSecretsKeysSchema = Type.Array(Type.String({ pattern }), {
  default: [],
  secret: true,
  description: 'Keys that were in use before; what was sealed with them is still read.',
});

type Keys = {
  readonly secretsKey?: string | undefined;
  readonly oldSecretsKeys: readonly string[];
};

/** The settings fit for a screen. */
export const maskSecretsKeys = ({ secretsKey, oldSecretsKeys }: Keys) => ({
  ...(secretsKey === undefined ? {} : { secretsKey: '***' }),
  oldSecretsKeys: oldSecretsKeys.map(() => '***'),
});
