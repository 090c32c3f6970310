/** Contains the Persian texts for the overview of a client. */
import type { clientOverview as english } from '../en/client-overview.ts';
import type { Same } from '../same.ts';

export const clientOverview: Same<typeof english> = {
  sold: 'فروش ۳۰ روز گذشته',
  reversed: '%{amount} برگشت‌خورده',
  count: 'خریدهای موفق',
  rate: 'نرخ موفقیت',
  rateHelp: '%{failed} ناموفق، %{refused} ردشده',
  atLeast: '%{count} یا بیشتر',
  balance: 'موجودی قابل استفاده',
  heldHelp: '%{held} مسدودشده',
  spent: 'مصرف امروز',
  up: '%{percent} بیشتر از ۳۰ روز پیش از آن',
  down: '%{percent} کمتر از ۳۰ روز پیش از آن',
  same: 'برابر با ۳۰ روز پیش از آن',
  toMoney: 'صورت‌حساب و واریز',
  toPurchases: 'همهٔ خریدها',
  toRules: 'تغییر محدودیت‌ها',
  limits: 'محدودیت‌های جاری',
  webhooks: 'وب‌هوک‌ها',
  toWebhooks: 'نشانی‌ها و پیام‌ها',
  toContact: 'تماس و یادداشت‌ها',
  noPurchases: 'این مشتری هنوز خریدی نکرده است.',
};
