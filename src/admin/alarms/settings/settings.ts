/** Reads and changes the settings of alarms: which are sent, where to, and how often. */
import { bumpVersion, lockVersion } from '../../../db/changes/versions.ts';
import type { Db } from '../../../db/types.ts';
import { GatewayError } from '../../../lib/errors.ts';
import { isRequired } from '../../../lib/field-texts.ts';
import type { Random } from '../../../lib/random.ts';
import { isRecord } from '../../../lib/record.ts';
import type { Locale, Text } from '../../../lib/text.ts';
import { readRows, writeSetting } from '../../../settings/store.ts';
import { makeSecret } from '../../../webhooks/delivery/sign.ts';
import { type AuditContext, auditChange } from '../../audit/audit.ts';
import { AdminError } from '../../errors.ts';
import { type AlarmKind, alarmKindNames, isAlarmKind } from '../kinds.ts';
import { type AlarmSecrets, sealSecret, secretRows } from './secrets.ts';
import { assertReachable, type Reach } from './validate.ts';

/** How the connection to a mail server is secured: from its first byte, by STARTTLS, or not at all. */
export const mailSecurities = ['tls', 'starttls', 'none'] as const;
export type MailSecurity = (typeof mailSecurities)[number];

export type MailSettings = {
  readonly host: string;
  readonly port: number;
  readonly security: MailSecurity;
  /** Empty: the server requires no authentication. */
  readonly user: string;
  readonly from: string;
  readonly to: readonly string[];
  readonly language: Locale;
};

export type AlarmSettings = {
  /** Those that messages tell. */
  readonly kinds: readonly AlarmKind[];
  /** From how many purchases on `review` is raised. */
  readonly reviewAtLeast: number;
  /** The least time between two messages to a channel. */
  readonly pauseMinutes: number;
  readonly webhookUrl: string | null;
  readonly mail: MailSettings | null;
};

/** As they are stored: the secrets are sealed; null where there is none. */
export type StoredAlarmSettings = AlarmSettings & {
  readonly sealed: { readonly webhook: string | null; readonly mail: string | null };
};

export const defaultAlarmSettings: AlarmSettings = {
  kinds: alarmKindNames,
  reviewAtLeast: 1,
  pauseMinutes: 5,
  webhookUrl: null,
  mail: null,
};

const rowName = 'alarms';

const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

const readMail = (value: unknown): MailSettings | null => {
  if (!isRecord(value)) return null;
  const { host, port, security, user, from, to, language } = value;
  return {
    host: textIn(host),
    port: typeof port === 'number' ? port : 0,
    security: mailSecurities.find((one) => one === security) ?? 'tls',
    user: textIn(user),
    from: textIn(from),
    to: Array.isArray(to) ? to.map(textIn) : [],
    language: language === 'fa' ? 'fa' : 'en',
  };
};

const readStored = (json: string | undefined): AlarmSettings => {
  const value: unknown = json === undefined ? undefined : JSON.parse(json);
  if (!isRecord(value)) return defaultAlarmSettings;
  const { kinds, reviewAtLeast, pauseMinutes, webhookUrl, mail } = value;
  const { reviewAtLeast: least, pauseMinutes: pause } = defaultAlarmSettings;
  return {
    kinds: Array.isArray(kinds) ? kinds.filter(isAlarmKind) : alarmKindNames,
    reviewAtLeast: typeof reviewAtLeast === 'number' ? reviewAtLeast : least,
    pauseMinutes: typeof pauseMinutes === 'number' ? pauseMinutes : pause,
    webhookUrl: typeof webhookUrl === 'string' ? webhookUrl : null,
    mail: readMail(mail),
  };
};

export const readAlarmSettings = async (db: Db): Promise<StoredAlarmSettings> => {
  const rows = await readRows(db);
  return {
    ...readStored(rows.get(rowName)),
    sealed: {
      webhook: rows.get(secretRows.webhook) ?? null,
      mail: rows.get(secretRows.mail) ?? null,
    },
  };
};

export type AlarmChange = Partial<Omit<AlarmSettings, 'mail'>> & {
  /** Without a password the stored one stays; an empty one deletes it. */
  readonly mail?: (MailSettings & { readonly password?: string | undefined }) | null;
};

export type AlarmSettingsDeps = AuditContext & {
  readonly random: Random;
  readonly secrets: AlarmSecrets;
  readonly reach: Reach;
};

const boundTo = ({ host, port, security, user }: MailSettings): string =>
  JSON.stringify([host, port, security, user]);

/** A stored password goes where it was typed for, as secure as then, and nowhere else. */
const assertSamePassword = (
  before: StoredAlarmSettings,
  { mail }: Pick<AlarmChange, 'mail'>,
): void => {
  if (!mail || mail.password !== undefined || mail.user === '') return;
  if (before.sealed.mail !== null && before.mail !== null) {
    if (boundTo(before.mail) === boundTo(mail)) return;
  }
  throw new GatewayError('VALIDATION_FAILED', {
    errors: { 'mail.password': [isRequired('mail.password')] },
  });
};

const sealedPassword = (
  deps: AlarmSettingsDeps,
  before: StoredAlarmSettings,
  { mail }: Pick<AlarmChange, 'mail'>,
): string | null => {
  if (mail === undefined) return before.sealed.mail;
  if (mail === null || mail.user === '') return null;
  if (mail.password === undefined) return before.sealed.mail;
  return mail.password === '' ? null : sealSecret(deps.secrets, 'mail', mail.password);
};

const without = (mail: AlarmChange['mail']): MailSettings | null => {
  if (!mail) return null;
  const { password: _, ...rest } = mail;
  return rest;
};

/** The settings by their names on the wire, as the audit log shows them. */
const shown = (settings: AlarmSettings): Readonly<Record<string, unknown>> => ({
  kinds: settings.kinds,
  review_at_least: settings.reviewAtLeast,
  pause_minutes: settings.pauseMinutes,
  webhook_url: settings.webhookUrl,
  mail: settings.mail,
});

const save = async (
  deps: AlarmSettingsDeps,
  before: StoredAlarmSettings,
  after: StoredAlarmSettings,
): Promise<void> => {
  const [old, now] = [shown(before), shown(after)];
  const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
  const changed = Object.keys(now).filter((name) => !isSame(old[name], now[name]));
  const secrets = (['webhook', 'mail'] as const).filter(
    (name) => before.sealed[name] !== after.sealed[name],
  );
  if (changed.length + secrets.length === 0) return;
  const { db, newId } = deps;
  const { sealed, ...settings } = after;
  await writeSetting(db, rowName, JSON.stringify(settings));
  for (const name of secrets) await writeSetting(db, secretRows[name], sealed[name]);
  await bumpVersion(db, 'settings', newId);
  const some = (of: typeof old) => Object.fromEntries(changed.map((name) => [name, of[name]]));
  await auditChange(deps, {
    action: 'settings change',
    subject: 'settings',
    before: { alarms: some(old) },
    after: { alarms: some(now), secrets_changed: secrets },
  });
};

export type AlarmSettingsChanged = {
  readonly after: StoredAlarmSettings;
  /** A new signing secret of the webhook: it is in this answer only. */
  readonly webhookSecret: string | null;
};

/** Within a transaction: changes the named settings, with an entry in the audit log. */
export const changeAlarmSettings = async (
  deps: AlarmSettingsDeps,
  wanted: AlarmChange,
): Promise<AlarmSettingsChanged> => {
  assertReachable(deps.reach, wanted);
  await lockVersion(deps.db, 'settings');
  const before = await readAlarmSettings(deps.db);
  assertSamePassword(before, wanted);
  const { mail, ...rest } = wanted;
  const url = rest.webhookUrl === undefined ? before.webhookUrl : rest.webhookUrl;
  const webhookSecret =
    url !== null && before.sealed.webhook === null ? makeSecret(deps.random) : null;
  const kept = url === null ? null : before.sealed.webhook;
  const after: StoredAlarmSettings = {
    ...before,
    ...rest,
    mail: mail === undefined ? before.mail : without(mail),
    sealed: {
      webhook: webhookSecret === null ? kept : sealSecret(deps.secrets, 'webhook', webhookSecret),
      mail: sealedPassword(deps, before, wanted),
    },
  };
  await save(deps, before, after);
  return { after, webhookSecret };
};

const noWebhook: Text = {
  en: 'Alarms have no webhook. Set its URL first.',
  fa: 'برای هشدارها وب‌هوکی تنظیم نشده است. ابتدا نشانی آن را تنظیم کنید.',
};

/** Within a transaction: replaces the webhook's signing secret. The old one signs nothing more. */
export const rotateAlarmSecret = async (deps: AlarmSettingsDeps): Promise<string> => {
  await lockVersion(deps.db, 'settings');
  const before = await readAlarmSettings(deps.db);
  if (before.webhookUrl === null) {
    throw new AdminError('ENDPOINT_NOT_FOUND', { message: noWebhook });
  }
  const webhookSecret = makeSecret(deps.random);
  const webhook = sealSecret(deps.secrets, 'webhook', webhookSecret);
  await save(deps, before, { ...before, sealed: { ...before.sealed, webhook } });
  return webhookSecret;
};
