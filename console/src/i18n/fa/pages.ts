/** Contains the Persian page names that the menu shows. */
import type { pages as english } from '../en/pages.ts';
import type { Same } from '../same.ts';

export const pages: Same<typeof english> = {
  overview: 'نمای کلی',
  sales: 'گزارش فروش',
  purchases: 'خریدها',
  accounts: 'حساب‌ها',
  audit: 'گزارش رویدادها',
  catalogue: 'کاتالوگ',
  operators: 'اپراتورها',
  routes: 'مسیرها',
  priceLists: 'فهرست‌های قیمت',
  settings: 'تنظیمات',
  clients: 'مشتریان',
  invoices: 'فاکتورها',
  ownAccount: 'حساب من',
};
