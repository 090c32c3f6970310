/** Sends a digest to a channel as it is configured now: the webhook, or mail. */
import type { Db } from '../../../db/types.ts';
import type { Clock } from '../../../lib/clock.ts';
import { readSettings } from '../../../settings/settings.ts';
import { failureOf } from '../../../webhooks/delivery/failure.ts';
import type { Sender, Sent } from '../../../webhooks/delivery/send.ts';
import { signedHeaders } from '../../../webhooks/delivery/sign.ts';
import { type AlarmSecrets, openSecret } from '../settings/secrets.ts';
import { readAlarmSettings, type StoredAlarmSettings } from '../settings/settings.ts';
import type { ChannelName } from '../store.ts';
import { composeMail, type Digest, payloadOf } from './digest.ts';
import type { MailSender } from './smtp.ts';

export type ChannelDeps = {
  readonly db: Db;
  readonly clock: Pick<Clock, 'now'>;
  readonly secrets: Pick<AlarmSecrets, 'open'>;
  readonly sender: Pick<Sender, 'send'>;
  readonly mailSender: Pick<MailSender, 'send'>;
  /** The address of the gateway, for links to the console. */
  readonly publicUrl: string | undefined;
};

const unreadable: Sent = { kind: 'failed', failure: failureOf('secret_unreadable') };

const sendWebhook = async (
  deps: ChannelDeps,
  { webhookUrl: url, sealed }: StoredAlarmSettings,
  digest: Digest,
): Promise<Sent | undefined> => {
  const { clock, secrets, sender, publicUrl } = deps;
  if (url === null || sealed.webhook === null) return undefined;
  const secret = openSecret(secrets, 'webhook', sealed.webhook);
  if (secret === undefined) return unreadable;
  const payload = payloadOf(digest, publicUrl);
  const headers = signedHeaders({ id: digest.id, payload }, { secret, old: null }, clock.now());
  return sender.send({ url, headers, body: payload });
};

const sendMail = async (
  deps: ChannelDeps,
  { mail: server, sealed }: StoredAlarmSettings,
  digest: Digest,
): Promise<Sent | undefined> => {
  const { db, secrets, mailSender, publicUrl } = deps;
  if (server === null) return undefined;
  const password = sealed.mail === null ? undefined : openSecret(secrets, 'mail', sealed.mail);
  if (sealed.mail !== null && password === undefined) return unreadable;
  const { companyName, currency, timeZone } = await readSettings(db);
  const writing = { locale: server.language, currency, timeZone };
  const mail = composeMail(digest, { writing, publicUrl, companyName });
  return mailSender.send({ ...mail, id: digest.id, server, password });
};

/** Undefined if the channel is not configured. */
export const sendTo = async (
  deps: ChannelDeps,
  channel: ChannelName,
  digest: Digest,
): Promise<Sent | undefined> => {
  const settings = await readAlarmSettings(deps.db);
  return channel === 'webhook'
    ? sendWebhook(deps, settings, digest)
    : sendMail(deps, settings, digest);
};
