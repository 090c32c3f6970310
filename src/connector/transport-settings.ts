/** Defines the settings of the HTTP transport, and their texts. */
import { type Static, Type } from 'typebox';
import type { SettingTexts } from './settings/texts.ts';

const atLeastOne = { minimum: 1 } as const;

/** The settings of every connector that uses this; spread them into its own schema. */
export const transportFields = {
  // No user, query or fragment: a secret in an address would be shown with it.
  baseUrl: Type.String({
    pattern: '^https?://[^\\s/?#@]+(/[^\\s?#@]*)?$',
    description: "Where the operator's interface begins, as https://operator.example/v1.",
  }),
  connectMs: Type.Integer({
    ...atLeastOne,
    default: 2_000,
    description:
      'How long a request may wait for a free connection, and how long making one may take.',
  }),
  headersMs: Type.Integer({
    ...atLeastOne,
    default: 8_000,
    description: 'How long after the request was written its answer may take to begin.',
  }),
  answerMs: Type.Integer({
    ...atLeastOne,
    default: 10_000,
    description: 'How long everything may take, waiting included.',
  }),
  connections: Type.Integer({
    ...atLeastOne,
    default: 500,
    description: 'The most connections at once; each carries one request at a time.',
  }),
  pending: Type.Integer({
    minimum: 0,
    default: 1_000,
    description: 'The most requests that wait for a connection; more are not sent.',
  }),
  answerBytes: Type.Integer({
    ...atLeastOne,
    default: 1_048_576,
    description: 'The longest answer that is read.',
  }),
} as const;

const transportSchema = Type.Object(transportFields);
export type TransportSettings = Readonly<Static<typeof transportSchema>>;

/** How the console names and explains them; spread it into the connector's own texts. */
export const transportTexts = {
  baseUrl: {
    label: { en: 'Base address', fa: 'نشانی پایه' },
    help: {
      en: 'Where the operator’s interface begins, such as `https://operator.example/v1`.',
      fa: 'نشانی پایهٔ وب‌سرویس اپراتور، مانند `https://operator.example/v1`.',
    },
  },
  connectMs: {
    label: { en: 'Connect timeout (ms)', fa: 'مهلت اتصال (میلی‌ثانیه)' },
    help: {
      en: 'How long a request may wait for a free connection, and how long opening one may take.',
      fa: 'حداکثر انتظار درخواست برای اتصال آزاد و حداکثر زمان برقراری اتصال.',
    },
  },
  headersMs: {
    label: { en: 'First response timeout (ms)', fa: 'مهلت آغاز پاسخ (میلی‌ثانیه)' },
    help: {
      en: 'How long the response may take to begin after the request was sent.',
      fa: 'حداکثر زمان از ارسال درخواست تا آغاز پاسخ.',
    },
  },
  answerMs: {
    label: { en: 'Total timeout (ms)', fa: 'مهلت کل (میلی‌ثانیه)' },
    help: {
      en: 'How long a call may take in all, including waiting.',
      fa: 'حداکثر زمان کل تماس با احتساب انتظار.',
    },
  },
  connections: {
    label: { en: 'Connections', fa: 'اتصال‌ها' },
    help: {
      en: 'The most connections at once. Each carries one request at a time.',
      fa: 'حداکثر اتصال‌های هم‌زمان. هر اتصال در هر لحظه یک درخواست دارد.',
    },
  },
  pending: {
    label: { en: 'Waiting requests', fa: 'درخواست‌های منتظر' },
    help: {
      en: 'The most requests that wait for a connection. Further ones are not sent.',
      fa: 'حداکثر درخواست‌های منتظر اتصال. بیش از آن فرستاده نمی‌شود.',
    },
  },
  answerBytes: {
    label: { en: 'Largest response (bytes)', fa: 'بزرگ‌ترین پاسخ (بایت)' },
    help: { en: 'A larger response is not read.', fa: 'پاسخ بزرگ‌تر خوانده نمی‌شود.' },
  },
} as const satisfies SettingTexts<typeof transportSchema>;
