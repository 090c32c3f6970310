/** Defines the HTTP connector: JSON over HTTP, as the simulator's server speaks it. */
import { type Static, Type } from 'typebox';
import type { WireAnswer } from '../../connector/answer-reader.ts';
import {
  type CallContext,
  type Connection,
  defineConnector,
  type Promises,
} from '../../connector/connector.ts';
import type { SettingTexts } from '../../connector/settings/texts.ts';
import { asked, openTransport, ordered } from '../../connector/transport.ts';
import { transportFields, transportTexts } from '../../connector/transport-settings.ts';
import { offersTexts } from '../offers-texts.ts';
import { readCallback } from './callback.ts';
import {
  orderToWire,
  paths,
  readBalance,
  readOffers,
  readOrder,
  readReports,
  readStatus,
  readSubscriber,
} from './wire.ts';

const pause = (description: string) => Type.Integer({ minimum: 1, description });

const settingsSchema = Type.Object({
  ...transportFields,
  token: Type.Optional(
    Type.String({
      secret: true,
      pattern: '^[!-~]{1,4096}$',
      description: 'Sent as "Authorization: Bearer …".',
    }),
  ),
  offers: Type.Boolean({
    default: false,
    description: 'Whether this operator can list personal offers.',
  }),
  balance: Type.Boolean({
    default: false,
    description: 'Whether this operator says how much money you have with it.',
  }),
  settlesWithin: Type.Optional(
    Type.Integer({
      minimum: 0,
      description:
        'How long after the deadline an order may still surface, in milliseconds. Without it "no such order" is never proof.',
    }),
  ),
  deduplicates: Type.Boolean({
    default: false,
    description: 'Whether a second order under the same reference is not delivered again.',
  }),
  resendWithin: Type.Optional(
    Type.Integer({
      minimum: 1,
      description:
        'For an operator that takes no inquiries: how long after an order it takes the same one again without delivering it twice, in milliseconds. The order is then sent again instead of an inquiry. It needs "settlesWithin".',
    }),
  ),
  callbackSecret: Type.Optional(
    Type.String({
      secret: true,
      minLength: 16,
      maxLength: 4096,
      description:
        'For an operator that calls back: the key of its HMAC-SHA256 over the body, sent in hexadecimal as "X-Signature". A callback brings the next inquiry forward.',
    }),
  ),
  inquiries: Type.Optional(
    Type.Object(
      {
        firstInquiryMs: pause('Pause before the first inquiry, in milliseconds.'),
        widestInquiryMs: pause('Longest pause between inquiries, in milliseconds.'),
        reviewAfterMs: pause('After this time a purchase needs review, in milliseconds.'),
      },
      { additionalProperties: false, description: 'When to ask what became of an order.' },
    ),
  ),
});

type Settings = Static<typeof settingsSchema>;

const texts = {
  ...transportTexts,
  token: {
    label: { en: 'Access token', fa: 'توکن دسترسی' },
    help: {
      en: 'Sent as `Authorization: Bearer …`.',
      fa: 'به صورت `Authorization: Bearer …` فرستاده می‌شود.',
    },
  },
  offers: offersTexts,
  balance: {
    label: { en: 'Says its balance', fa: 'اعلام موجودی' },
    help: {
      en: 'Whether this operator says how much money you have with it.',
      fa: 'آیا این اپراتور موجودی شما نزد خود را اعلام می‌کند.',
    },
  },
  settlesWithin: {
    label: { en: 'Orders settle within (ms)', fa: 'مهلت ثبت سفارش (میلی‌ثانیه)' },
    help: {
      en: 'How long after the deadline an order may still surface. Without it, “no such order” is never proof.',
      fa: 'مدتی پس از پایان مهلت که سفارش ممکن است هنوز ثبت شود. بدون آن، پاسخ «چنین سفارشی نیست» هرگز قطعی نیست.',
    },
  },
  deduplicates: {
    label: { en: 'Recognizes repeated orders', fa: 'تشخیص سفارش تکراری' },
    help: {
      en: 'Whether a second order under the same reference is not delivered again.',
      fa: 'آیا سفارش دوم با همان شمارهٔ مرجع دوباره تحویل نمی‌شود.',
    },
  },
  resendWithin: {
    label: { en: 'Orders may be repeated within (ms)', fa: 'مهلت تکرار سفارش (میلی‌ثانیه)' },
    help: {
      en: 'For an operator that takes no inquiries: how long after an order it takes the same one again without delivering it twice. The order is then sent again instead of an inquiry.',
      fa: 'برای اپراتوری که استعلام ندارد: مدتی پس از سفارش که همان سفارش را دوباره می‌پذیرد و دو بار تحویل نمی‌دهد. آنگاه به جای استعلام، سفارش دوباره فرستاده می‌شود.',
    },
  },
  callbackSecret: {
    label: { en: 'Callback key', fa: 'کلید پیام‌های اپراتور' },
    help: {
      en: 'For an operator that calls back: the key of its `HMAC-SHA256` over the body, sent in hexadecimal as `X-Signature`. A callback brings the next inquiry forward.',
      fa: 'برای اپراتوری که خود پیام می‌فرستد: کلید `HMAC-SHA256` روی متن پیام، که به صورت هگزادسیمال در `X-Signature` می‌آید. هر پیام، استعلام بعدی را جلو می‌اندازد.',
    },
  },
  inquiries: {
    label: { en: 'Inquiries', fa: 'استعلام‌ها' },
    help: { en: 'When to ask what became of an order.', fa: 'زمان‌بندی استعلام سفارش.' },
    fields: {
      firstInquiryMs: {
        label: { en: 'First inquiry after (ms)', fa: 'نخستین استعلام پس از (میلی‌ثانیه)' },
        help: { en: 'Pause before the first inquiry.', fa: 'مکث پیش از نخستین استعلام.' },
      },
      widestInquiryMs: {
        label: { en: 'Longest pause (ms)', fa: 'طولانی‌ترین مکث (میلی‌ثانیه)' },
        help: {
          en: 'Longest pause between inquiries.',
          fa: 'طولانی‌ترین مکث میان استعلام‌ها.',
        },
      },
      reviewAfterMs: {
        label: { en: 'Review after (ms)', fa: 'بررسی پس از (میلی‌ثانیه)' },
        help: {
          en: 'After this time a purchase needs review.',
          fa: 'پس از این مدت، خرید نیازمند بررسی می‌شود.',
        },
      },
    },
  },
} as const satisfies SettingTexts<typeof settingsSchema>;

const promisesOf = ({ settlesWithin, deduplicates, inquiries }: Settings): Promises => ({
  deduplicates,
  ...(settlesWithin === undefined ? {} : { settlesWithin }),
  ...(inquiries === undefined ? {} : { inquiries }),
});

export const http = defineConnector({
  name: 'http',
  settings: settingsSchema,
  texts,
  identifiedBy: ['baseUrl'],
  // The wire has both refusals, and an order carries the kind of SIM.
  ordersTellSubscriber: true,
  connect: (settings, { clock }): Connection => {
    const transport = openTransport(settings, clock);
    const headers = {
      accept: 'application/json',
      ...(settings.token === undefined ? {} : { authorization: `Bearer ${settings.token}` }),
    };
    const ask = async <T>(path: string, read: (answer: WireAnswer) => T, context?: CallContext) =>
      asked(await transport.send({ method: 'GET', path, headers, context }), read);
    const { callbackSecret } = settings;
    return {
      ...promisesOf(settings),
      ...(callbackSecret === undefined
        ? {}
        : { callbacks: { read: (request) => readCallback(request, callbackSecret) } }),
      ...(settings.offers
        ? {
            offers: (mobile: string, context?: CallContext) =>
              ask(paths.offers(mobile), readOffers, context),
          }
        : {}),
      subscriber: (mobile, context) => ask(paths.subscriber(mobile), readSubscriber, context),
      buy: async (order, context) => {
        const reply = await transport.send({
          method: 'POST',
          path: paths.orders,
          headers: { ...headers, 'content-type': 'application/json' },
          body: orderToWire(order),
          context,
        });
        return ordered(reply, (answer) => readOrder(answer, order.ref));
      },
      status:
        settings.resendWithin === undefined
          ? (ref, context) => ask(paths.order(ref), (answer) => readStatus(answer, ref), context)
          : { resendWithin: settings.resendWithin },
      reports: (cursor) => ask(paths.reports(cursor), readReports),
      ...(settings.balance
        ? { balance: (context?: CallContext) => ask(paths.balance, readBalance, context) }
        : {}),
      deadlineMs: settings.answerMs,
      atOnce: settings.connections,
      close: transport.close,
    };
  },
});
