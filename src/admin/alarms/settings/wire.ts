/** Describes the settings of alarms as the back office's API shows them. */
import { type Static, Type } from 'typebox';
import { closed, orNull } from '../../wire.ts';
import { alarmKindNames } from '../kinds.ts';
import { type AlarmChange, mailSecurities, type StoredAlarmSettings } from './settings.ts';

const address = (description: string) =>
  Type.String({
    maxLength: 254,
    pattern: '^[^\\s@<>,;:"()\\[\\]]+@[^\\s@<>,;:"()\\[\\]]+$',
    description,
  });

const mail = {
  host: Type.String({
    maxLength: 253,
    pattern: '^[A-Za-z0-9.:-]+$',
    description: 'The host name or address of the mail server.',
  }),
  port: Type.Integer({ minimum: 1, maximum: 65_535, description: 'Its port: 465, 587 or 25.' }),
  security: Type.Enum([...mailSecurities], {
    description:
      '`tls`: encrypted from the first byte. `starttls`: encrypted before anything is sent. `none`: only within `alarms.allowedNetworks`.',
  }),
  user: Type.String({
    maxLength: 254,
    description: 'The user name; empty if the server requires none.',
  }),
  from: address('The sender.'),
  to: Type.Array(address('A recipient.'), {
    minItems: 1,
    maxItems: 20,
    description: 'The recipients.',
  }),
  language: Type.Enum(['en', 'fa'], { description: 'The language of the mails.' }),
};

const changeable = {
  kinds: Type.Array(Type.Enum([...alarmKindNames]), {
    uniqueItems: true,
    description:
      'Which alarms are sent. `operator_down`: an operator or supplier is down. `failures`: many purchases fail. `review`: purchases need review. `low_balance`: a client has less than `low_balance_below` of the settings.',
  }),
  review_at_least: Type.Integer({
    minimum: 1,
    maximum: 1_000_000,
    description: 'From how many purchases in review an alarm is raised.',
  }),
  pause_minutes: Type.Integer({
    minimum: 1,
    maximum: 1440,
    description: 'The least time between two messages. Changes in between share the next message.',
  }),
  webhook_url: orNull(Type.String(), 'Where alarms are sent by webhook; null: nowhere.'),
};

export const AlarmSettingsSchema = Type.Object(
  {
    ...changeable,
    mail: orNull(
      Type.Object({
        ...mail,
        has_password: Type.Boolean({ description: 'Whether there is one.' }),
      }),
      'The mail server; null: no mails are sent.',
    ),
  },
  { title: 'AlarmSettings', description: 'The settings of alarms.' },
);
export type WireAlarmSettings = Static<typeof AlarmSettingsSchema>;

export const exampleAlarmSettings: WireAlarmSettings = {
  kinds: ['operator_down', 'review'],
  review_at_least: 1,
  pause_minutes: 5,
  webhook_url: 'https://alarms.example/simgate',
  mail: {
    host: 'mail.example',
    port: 587,
    security: 'starttls',
    user: 'simgate',
    from: 'simgate@shop.example',
    to: ['operations@shop.example'],
    language: 'en',
    has_password: true,
  },
};

export const AlarmChangeSchema = Type.Partial(
  Type.Object({
    ...changeable,
    mail: orNull(
      Type.Object(
        {
          ...mail,
          password: Type.Optional(
            Type.String({
              maxLength: 1024,
              description:
                'Left out: it stays, if host, port, security and user do. Empty: it is deleted.',
            }),
          ),
        },
        closed,
      ),
      'The mail server; null: no mails are sent.',
    ),
  }),
  {
    ...closed,
    examples: [{ review_at_least: 5, mail: null }],
  },
);

export const AlarmSecretSchema = Type.Object(
  { webhook_secret: Type.String({ description: 'It is shown only in this response.' }) },
  { title: 'AlarmSecret', description: 'A new signing secret.' },
);

export const exampleSecret = {
  webhook_secret: 'whsec_c2ltZ2F0ZS1leGFtcGxlLXNlY3JldC0zMi1ieXRlcyE=',
};

export const ChangedAlarmSettingsSchema = Type.Object(
  {
    settings: AlarmSettingsSchema,
    webhook_secret: orNull(
      Type.String(),
      'A new signing secret of the webhook. It is shown only in this response; null if it is not new.',
    ),
  },
  { title: 'ChangedAlarmSettings', description: 'The settings, and a new secret if there is one.' },
);

export const exampleChanged = {
  settings: { ...exampleAlarmSettings, mail: null },
  ...exampleSecret,
};

export const alarmSettingsToWire = (settings: StoredAlarmSettings): WireAlarmSettings => ({
  kinds: [...settings.kinds],
  review_at_least: settings.reviewAtLeast,
  pause_minutes: settings.pauseMinutes,
  webhook_url: settings.webhookUrl,
  mail:
    settings.mail === null
      ? null
      : {
          ...settings.mail,
          to: [...settings.mail.to],
          has_password: settings.sealed.mail !== null,
        },
});

type WireChange = Static<typeof AlarmChangeSchema>;

export const alarmChangeFromWire = (wire: WireChange): AlarmChange => ({
  ...(wire.kinds === undefined ? {} : { kinds: wire.kinds }),
  ...(wire.review_at_least === undefined ? {} : { reviewAtLeast: wire.review_at_least }),
  ...(wire.pause_minutes === undefined ? {} : { pauseMinutes: wire.pause_minutes }),
  ...(wire.webhook_url === undefined ? {} : { webhookUrl: wire.webhook_url }),
  ...(wire.mail === undefined ? {} : { mail: wire.mail }),
});
