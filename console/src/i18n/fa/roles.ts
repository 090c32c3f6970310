/** Contains the Persian names of roles and account states. */
import type { roles as english } from '../en/roles.ts';
import type { Same } from '../same.ts';

export const roles: Same<typeof english> = {
  viewer: 'بیننده',
  support: 'پشتیبان',
  manager: 'مدیر',
  owner: 'مالک',
  viewerMay: 'خریدها، مشتریان، کاتالوگ، اپراتورها و تنظیمات را می‌بیند. شماره‌های موبایل پوشیده است.',
  supportMay:
    'همچنین دربارهٔ خریدهای نیازمند بررسی تصمیم می‌گیرد، مسیرها، فهرست‌های قیمت، هزینه‌ها و حاشیهٔ سود را می‌بیند و شمارهٔ موبایل را جست‌وجو و مشاهده می‌کند.',
  managerMay:
    'همچنین کاتالوگ، مسیرها، فهرست‌های قیمت، مشتریان و موجودی و اعتبار آن‌ها را مدیریت می‌کند، اپراتورها را معلق می‌کند و گزارش رویدادها را می‌بیند.',
  ownerMay: 'همچنین حساب‌ها و تنظیمات، از جمله تنظیمات اپراتورها، را مدیریت می‌کند.',
  active: 'فعال',
  disabled: 'غیرفعال',
};
