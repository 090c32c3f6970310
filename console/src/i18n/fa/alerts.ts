/** Contains the Persian texts for alerts. */
import type { alerts as english } from '../en/alerts.ts';
import type { Same } from '../same.ts';

export const alerts: Same<typeof english> = {
  title: 'نیازمند توجه',
  bell: 'هشدارها',
  bellNew: 'هشدارها: %{count} مورد جدید',
  none: 'همه چیز روبه‌راه است.',
  reviewOne: '۱ خرید نیازمند بررسی است',
  review: '%{count} خرید نیازمند بررسی است',
  reviewBadge: '%{count} مورد نیازمند بررسی',
  operator_down: '%{name} قطع است',
  operator_suspended: '%{name} معلق است',
  failures: '%{count} خرید %{name} در پنج دقیقهٔ گذشته ناموفق بود',
  float_empty: 'اعتبار نزد %{name} تمام شده است',
  float_low: 'اعتبار نزد %{name} کم است',
  float_approaching: 'اعتبار نزد %{name} کمتر از یک روز کافی است',
  marginBelowZero: 'هزینهٔ %{count} تحویل %{name} بیشتر از مبلغ کسرشده بود',
  creditUsedOne: 'اعتبار %{name} تمام شده است',
  creditUsed: 'اعتبار %{count} مشتری تمام شده است',
  creditNearlyOne: 'اعتبار %{name} رو به اتمام است',
  creditNearly: 'اعتبار %{count} مشتری رو به اتمام است',
  lowOne: 'موجودی %{name} کم است',
  low: 'موجودی %{count} مشتری کم است',
  since: 'از %{time}',
};
