/** Keeps what is typed into the form of alarms, validates it, and saves what was changed. */
import { useState } from 'react';
import { ApiError } from '../api/client.ts';
import { useAct } from '../api/hooks.ts';
import type { Operations } from '../api/types.ts';
import { readWhole } from '../format.ts';
import { useDone } from '../parts/done.ts';

export type AlarmSettings = Operations['getAlarmSettings']['answer'];
export type Kind = AlarmSettings['kinds'][number];
type Mail = NonNullable<AlarmSettings['mail']>;
export type Security = Mail['security'];
export type Language = Mail['language'];

export type Fields = {
  readonly kinds: readonly Kind[];
  readonly reviewAtLeast: string;
  readonly pause: string;
  readonly webhookUrl: string;
  readonly mailOn: boolean;
  readonly host: string;
  readonly port: string;
  readonly security: Security;
  readonly user: string;
  readonly password: string;
  readonly from: string;
  readonly to: string;
  readonly language: Language;
};

const fieldsOf = (settings: AlarmSettings, language: Language): Fields => {
  const { mail } = settings;
  return {
    kinds: settings.kinds,
    reviewAtLeast: String(settings.review_at_least),
    pause: String(settings.pause_minutes),
    webhookUrl: settings.webhook_url ?? '',
    mailOn: mail !== null,
    host: mail?.host ?? '',
    port: String(mail?.port ?? 587),
    security: mail?.security ?? 'starttls',
    user: mail?.user ?? '',
    password: '',
    from: mail?.from ?? '',
    to: mail?.to.join('\n') ?? '',
    language: mail?.language ?? language,
  };
};

const numbersIn = ({ reviewAtLeast, pause, port }: Fields) => ({
  reviewAtLeast: readWhole(reviewAtLeast) ?? 0,
  pause: readWhole(pause) ?? 0,
  port: readWhole(port) ?? 0,
});

const mailOf = (fields: Fields) => {
  const { mailOn, host, security, user, password, from, to, language } = fields;
  if (!mailOn) return null;
  return {
    host: host.trim(),
    port: numbersIn(fields).port,
    security,
    user: user.trim(),
    from: from.trim(),
    to: to.split(/[\s,،;]+/).filter(Boolean),
    language,
    ...(password === '' ? {} : { password }),
  };
};

const bodyOf = (fields: Fields) => ({
  kinds: fields.kinds,
  review_at_least: numbersIn(fields).reviewAtLeast,
  pause_minutes: numbersIn(fields).pause,
  webhook_url: fields.webhookUrl.trim() === '' ? null : fields.webhookUrl.trim(),
  mail: mailOf(fields),
});

/** What the gateway says about a field, by its name on the wire. */
export const faultOf = (error: unknown, name: string): string | undefined =>
  error instanceof ApiError ? error.fields[name]?.[0] : undefined;

export const useAlarmDraft = (settings: AlarmSettings, language: Language) => {
  const done = useDone();
  const change = useAct('updateAlarmSettings', { changes: ['getAlarmSettings', 'listAlarms'] });
  const [typed, setTyped] = useState<Partial<Fields>>({});
  const [tried, setTried] = useState(false);
  const fields: Fields = { ...fieldsOf(settings, language), ...typed };
  const numbers = numbersIn(fields);
  const wrong = {
    reviewAtLeast: tried && numbers.reviewAtLeast < 1,
    pause: tried && numbers.pause < 1,
    port: tried && fields.mailOn && numbers.port < 1,
  };
  return {
    fields,
    wrong,
    error: change.error,
    isSaving: change.isPending,
    isTyped: Object.keys(typed).length > 0,
    /** A new signing secret, which is shown once. */
    secret: change.data?.webhook_secret ?? null,
    type: (more: Partial<Fields>): void => setTyped((before) => ({ ...before, ...more })),
    save: (): void => {
      setTried(true);
      if (numbers.reviewAtLeast < 1 || numbers.pause < 1) return;
      if (fields.mailOn && numbers.port < 1) return;
      change.mutate(
        { body: bodyOf(fields) },
        {
          onSuccess: () => {
            setTyped({});
            setTried(false);
            done('alarms.saved');
          },
        },
      );
    },
  };
};
