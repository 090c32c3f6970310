/** Contains the Persian texts of the generated parts of the documentation. */
import type { ErrorCode } from '../src/lib/errors.ts';

export const notes: Partial<Record<ErrorCode, string>> = {
  PRICE_MISMATCH:
    'بدنه `expected_price` دارد. برای پیشنهاد ویژه، `offers` را هم دارد: پیشنهادهای کنونی.',
  OFFER_NOT_FOUND: 'بدنه `offers` دارد: پیشنهادهای کنونی مشترک.',
  OFFER_EXPIRED: 'بدنه `offers` دارد: پیشنهادهای کنونی مشترک.',
  PRICE_CHANGED: 'بدنه `offers` دارد: پیشنهادهای کنونی مشترک.',
  LIKELY_DUPLICATE:
    'بدنه `purchase_id` و `began_at` خرید پیشین را دارد. [خرید مشابه](../operate/protection.md#likely-duplicates) را ببینید.',
  DAILY_LIMIT_REACHED:
    'بدنه `daily_limit` و `left_today` دارد. [سقف روزانه](../operate/protection.md#daily-limit) را ببینید.',
  VALIDATION_FAILED: 'بدنه `errors` دارد: توضیح هر فیلد.',
  TRANSACTION_PENDING:
    'برای مشتریانی که [این‌گونه تنظیم شده‌اند](../operate/protection.md#status-409-instead-of-202)، کد وضعیت 409 است.',
  OPERATOR_MISMATCH:
    'اگر درگاه به علت پیش‌شماره رد کند، `retry` برابر `new_key` است: برای [شمارهٔ ترابردشده](../operate/protection.md#ported-numbers) با `ported=1` بخرید.',
  RATE_LIMITED: '[محدودیت تعداد درخواست](guides/going-live.md#rate-limits) را ببینید.',
  OPERATOR_UNAVAILABLE: '[تفاوت خطاهای 503](#which-503-is-which) را ببینید.',
  OVERLOADED: '[تفاوت خطاهای 503](#which-503-is-which) را ببینید.',
  DRAINING: '[تفاوت خطاهای 503](#which-503-is-which) را ببینید.',
  DATABASE_UNAVAILABLE: '[تفاوت خطاهای 503](#which-503-is-which) را ببینید.',
};

/** In the order of the groups of the English page. */
export const groups = [
  {
    title: 'با همان کلید دوباره بفرستید {#retry-with-the-same-key}',
    about:
      'نتیجه نهایی نیست و این درخواست مبلغی کسر نکرده است، مگر `unknown` باشد. همان درخواست را با همان کلید دوباره بفرستید؛ اگر `Retry-After` هست، پس از آن.',
  },
  {
    title: 'علت را برطرف کنید و با کلید تازه بخرید {#fix-the-cause-and-buy-with-a-new-key}',
    about: 'خرید با این کلید برای همیشه ناموفق است و مبلغی کسر نشد.',
  },
  {
    title: 'درخواست را اصلاح کنید {#correct-the-request}',
    about: 'همین درخواست دوباره ناموفق خواهد بود. مبلغی کسر نشد.',
  },
  {
    title: 'دسترسی خود را بررسی کنید {#check-your-access}',
    about: 'توکن یا قاعده‌های آن این درخواست را مجاز نمی‌داند. مبلغی کسر نشد.',
  },
] as const;

export const statuses: Readonly<Record<number, string>> = {
  202: 'خرید تمام نشده است. مبلغ مسدود است و نتیجه هنوز روشن نیست.',
  400: 'درخواست یا کلید یکتایی آن خوانا نیست.',
  401: 'توکن دسترسی نیست، نادرست است یا اعتبار ندارد.',
  402: 'موجودی کافی نیست.',
  403: 'این کار برای شما مجاز نیست، یا به سقف روزانه رسیده‌اید.',
  404: 'چنین نشانی، محصول، خرید یا وب‌هوکی نیست.',
  405: 'این نشانی این متد را نمی‌پذیرد.',
  409: 'پیشنهاد، قیمت آن یا خرید پیشین با این درخواست سازگار نیست.',
  413: 'درخواست بیش از حد بزرگ است.',
  415: 'قالب بدنه پشتیبانی نمی‌شود.',
  422: 'درخواست خوانده شد، ولی به این شکل خریدنی نیست.',
  429: 'درخواست‌ها بیش از حد مجاز است.',
  500: 'خطای درگاه.',
  503: 'درگاه یا اپراتور اکنون نمی‌تواند این کار را انجام دهد.',
};
