/** Names and explains the settings of the simulator in both languages. */
import { offersTexts } from '../offers-texts.ts';

const faultTexts = {
  loseRequests: {
    label: { en: 'Lost requests', fa: 'درخواست‌های گم‌شده' },
    help: {
      en: 'The request is read and forgotten: nothing is done, no answer comes.',
      fa: 'درخواست خوانده و فراموش می‌شود: کاری انجام نمی‌شود و پاسخی نمی‌آید.',
    },
  },
  loseAnswers: {
    label: { en: 'Lost responses', fa: 'پاسخ‌های گم‌شده' },
    help: {
      en: 'The order is processed, and no answer comes.',
      fa: 'سفارش انجام می‌شود، ولی پاسخی نمی‌آید.',
    },
  },
  errors: {
    label: { en: 'Errors', fa: 'خطاها' },
    help: {
      en: 'The order is processed, and the answer is HTTP 500.',
      fa: 'سفارش انجام می‌شود، ولی پاسخ HTTP 500 است.',
    },
  },
  nonsense: {
    label: { en: 'Unreadable responses', fa: 'پاسخ‌های نامفهوم' },
    help: {
      en: 'The order is processed, and the answer is not JSON, though it says so.',
      fa: 'سفارش انجام می‌شود، ولی پاسخ برخلاف نوع اعلام‌شده JSON نیست.',
    },
  },
  delays: {
    label: { en: 'Delays', fa: 'تأخیرها' },
    help: {
      en: 'Processing or answer begins later, by `delayMs`.',
      fa: 'پردازش یا پاسخ به اندازهٔ `delayMs` دیرتر آغاز می‌شود.',
    },
  },
  lag: {
    label: { en: 'Inquiry lag', fa: 'تأخیر استعلام' },
    help: {
      en: 'Inquiries do not find the order for a while, by `lagMs`.',
      fa: 'استعلام تا مدت `lagMs` سفارش را پیدا نمی‌کند.',
    },
  },
  reversals: {
    label: { en: 'Reversals', fa: 'برگشت‌ها' },
    help: {
      en: 'A delivered order is reversed, after `reversesAfter`.',
      fa: 'سفارش تحویل‌شده پس از `reversesAfter` برگشت می‌خورد.',
    },
  },
  delayMs: {
    label: { en: 'Length of delays (ms)', fa: 'مدت تأخیر (میلی‌ثانیه)' },
    help: { en: 'How much later.', fa: 'مدت تأخیر پردازش یا پاسخ.' },
  },
  lagMs: {
    label: { en: 'Length of the lag (ms)', fa: 'مدت تأخیر استعلام (میلی‌ثانیه)' },
    help: { en: 'For how long.', fa: 'مدت پیدا نشدن سفارش.' },
  },
} as const;

export const simulatorTexts = {
  offers: offersTexts,
  deadline: {
    label: { en: 'Deadline (ms)', fa: 'مهلت (میلی‌ثانیه)' },
    help: { en: 'How long a call may take.', fa: 'مهلت هر تماس.' },
  },
  reversesAfter: {
    label: { en: 'Reverses after (ms)', fa: 'برگشت پس از (میلی‌ثانیه)' },
    help: {
      en: 'How long after the delivery a number that ends in 99 is reversed.',
      fa: 'مدتی پس از تحویل که خرید شمارهٔ مختوم به ۹۹ برگشت می‌خورد.',
    },
  },
  second: {
    label: { en: 'Second supplier', fa: 'تأمین‌کنندهٔ دوم' },
    help: {
      en: 'Whether numbers that end in 88 are delivered. Without it they are out of stock.',
      fa: 'آیا خرید شماره‌های مختوم به ۸۸ تحویل می‌شود. بدون آن، موجودی تمام شده است.',
    },
  },
  discountPercent: {
    label: { en: 'Discount (%)', fa: 'تخفیف (٪)' },
    help: {
      en: 'What the operator takes for a delivery, as a percentage off the price. It says so with each delivery; without the setting it does not.',
      fa: 'هزینهٔ هر تحویل، به صورت درصد تخفیف از قیمت. اپراتور آن را با هر تحویل اعلام می‌کند؛ بدون این تنظیم اعلام نمی‌کند.',
    },
  },
  float: {
    label: { en: 'Float', fa: 'اعتبار نزد تأمین‌کننده' },
    help: {
      en: 'The money that you have with the operator before its first delivery. It says its balance then, which falls by what deliveries cost.',
      fa: 'پولی که پیش از نخستین تحویل نزد اپراتور دارید. اپراتور موجودی را اعلام می‌کند و هر تحویل به اندازهٔ هزینه‌اش از آن کم می‌کند.',
    },
  },
  faults: {
    label: { en: 'Faults', fa: 'خطاهای شبیه‌سازی‌شده' },
    help: {
      en: 'How often something goes wrong with an order or an inquiry, from 0 to 1.',
      fa: 'سهم سفارش‌ها و استعلام‌هایی که دچار خطا می‌شوند، از ۰ تا ۱.',
    },
    fields: faultTexts,
  },
} as const;
