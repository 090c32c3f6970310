/** Signs messages by the Standard Webhooks specification. */
import { Webhook } from 'standardwebhooks';
import type { Random } from '../../lib/random.ts';

const secretBytes = 32;

export const makeSecret = (random: Random): string =>
  `whsec_${Buffer.from(random(secretBytes)).toString('base64')}`;

/** The signing secrets: the current one, and the previous one while both are valid. */
export type SigningSecrets = {
  readonly secret: string;
  readonly old: { readonly secret: string; readonly until: number } | null;
};

const secretsAt = ({ secret, old }: SigningSecrets, at: number): string[] =>
  old === null || old.until <= at ? [secret] : [secret, old.secret];

/** The headers by which a receiver verifies the message and its time. */
export const signedHeaders = (
  message: { readonly id: string; readonly payload: string },
  secrets: SigningSecrets,
  at: number,
): Readonly<Record<string, string>> => {
  const time = new Date(at);
  const signatures = secretsAt(secrets, at).map((secret) =>
    new Webhook(secret).sign(message.id, time, message.payload),
  );
  return {
    'content-type': 'application/json',
    'user-agent': 'Simgate',
    'webhook-id': message.id,
    'webhook-timestamp': String(Math.floor(at / 1000)),
    'webhook-signature': signatures.join(' '),
  };
};
