/** Checks where alarms may be sent: the addresses that webhooks may have, and the networks configured for alarms. */
import { isIP } from 'node:net';
import { type FieldErrors, GatewayError } from '../../../lib/errors.ts';
import type { Text } from '../../../lib/text.ts';
import { type AddressPolicy, urlProblem } from '../../../webhooks/delivery/address.ts';

/** Which addresses alarms may be sent to. */
export type Reach = { readonly permits: AddressPolicy };

type Destinations = {
  readonly webhookUrl?: string | null;
  readonly mail?: {
    readonly host: string;
    readonly security: 'tls' | 'starttls' | 'none';
  } | null;
};

const notPermitted: Text = {
  en: 'mail.host must be a public address with TLS, or in alarms.allowedNetworks.',
  fa: 'mail.host باید نشانی عمومی با TLS باشد یا در alarms.allowedNetworks بیاید.',
};

/** A name is resolved when a message is sent, and its addresses are checked then. */
const mailProblem = ({ mail }: Destinations, permits: AddressPolicy): Text | undefined => {
  if (!mail) return undefined;
  const { host, security } = mail;
  return isIP(host) !== 0 && !permits(host, security !== 'none') ? notPermitted : undefined;
};

export const assertReachable = ({ permits }: Reach, change: Destinations): void => {
  const { webhookUrl: url } = change;
  const urlFault = typeof url === 'string' ? urlProblem(url, permits) : undefined;
  const hostFault = mailProblem(change, permits);
  const errors: FieldErrors = {
    ...(urlFault === undefined ? {} : { webhook_url: [urlFault] }),
    ...(hostFault === undefined ? {} : { 'mail.host': [hostFault] }),
  };
  if (Object.keys(errors).length > 0) throw new GatewayError('VALIDATION_FAILED', { errors });
};
