/** Owns the Persian words that all pages share. */
import type { common as english } from '../en/common.ts';
import type { Same } from '../same.ts';

export const common: Same<typeof english> = {
  cancel: 'انصراف',
  close: 'بستن',
  confirm: 'تأیید',
  copy: 'کپی',
  copied: 'کپی شد',
  copyOnce: 'این فقط همین یک بار نشان داده می‌شود. پیش از بستن، آن را کپی کنید.',
  reason: 'دلیل',
  reasonHelp: 'در گزارش رویدادها نگه داشته می‌شود.',
  save: 'ذخیره',
  saved: 'ذخیره شد.',
  retry: 'تلاش دوباره',
  more: 'نمایش بیشتر',
  loading: 'در حال بارگذاری…',
  empty: 'هنوز چیزی اینجا نیست.',
  none: '—',
  yes: 'بله',
  no: 'خیر',
  search: 'جست‌وجو',
  apply: 'اعمال',
  clear: 'پاک کردن',
  actions: 'عملیات',
  status: 'وضعیت',
  hiddenNumber: 'شمارهٔ پنهان، پایان آن %{end}',
  requestId: 'شناسهٔ درخواست: %{id}',
  notNumber: 'یک عدد صحیح بنویسید.',
  required: 'این را پر کنید.',
  previous: 'جدیدتر',
  next: 'قدیمی‌تر',
};
