/** Contains the Persian names of roles and account states. */
import type { roles as english } from '../en/roles.ts';
import type { Same } from '../same.ts';

export const roles: Same<typeof english> = {
  viewer: 'بیننده',
  support: 'پشتیبان',
  manager: 'مدیر',
  owner: 'مالک',
  viewerMay: 'همه چیز را می‌بیند، جز گزارش رویدادها.',
  supportMay: 'همچنین دربارهٔ خریدهای نیازمند بررسی تصمیم می‌گیرد.',
  managerMay:
    'همچنین فهرست محصولات، مشتریان و پول آن‌ها را تغییر می‌دهد و گزارش رویدادها را می‌خواند.',
  ownerMay: 'همچنین حساب‌ها و تنظیمات را تغییر می‌دهد.',
  active: 'فعال',
  disabled: 'غیرفعال',
};
