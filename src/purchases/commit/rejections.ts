/** Defines why a purchase is not begun although it may be sold: with nothing written. */
import type { Rejection } from '../guard/guard.ts';

export const tooLate: Rejection = { code: 'OVERLOADED', details: {} };

export const rowsLocked: Rejection = {
  code: 'OVERLOADED',
  details: {
    message: {
      en: 'Another change has locked your account. Nothing was done. Send the request again in a moment.',
      fa: 'حساب شما به‌سبب تغییر دیگری قفل است و کاری انجام نشد. کمی بعد دوباره بفرستید.',
    },
  },
};

export const routesChanged: Rejection = {
  code: 'OVERLOADED',
  details: {
    message: {
      en: 'The routes to suppliers keep changing. Nothing was done. Send the request again in a moment.',
      fa: 'مسیرهای تأمین در حال تغییر است و کاری انجام نشد. کمی بعد دوباره بفرستید.',
    },
  },
};

export const pricesChanged: Rejection = {
  code: 'OVERLOADED',
  details: {
    message: {
      en: 'The price lists keep changing. Nothing was done. Send the request again in a moment.',
      fa: 'فهرست‌های قیمت در حال تغییر است و کاری انجام نشد. کمی بعد دوباره بفرستید.',
    },
  },
};
