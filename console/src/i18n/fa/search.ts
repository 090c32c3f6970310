/** Contains the Persian texts for the search over all pages. */
import type { search as english } from '../en/search.ts';
import type { Same } from '../same.ts';

export const search: Same<typeof english> = {
  open: 'جست‌وجوی سراسری',
  title: 'جست‌وجو در همه جا',
  placeholder: 'صفحه‌ها، مشتریان، محصولات، خریدها…',
  help: 'خرید را با شماره، کلید، کد پیگیری یا شناسه پیدا کنید.',
  pages: 'صفحه‌ها',
  actions: 'کارها',
  clients: 'مشتریان',
  products: 'محصولات',
  purchases: 'خریدها',
  searching: 'در حال جست‌وجو…',
  found: '%{count} نتیجه.',
  none: 'موردی یافت نشد.',
  newClient: 'ساختن مشتری',
  importCatalogue: 'وارد کردن کاتالوگ',
  changePrices: 'تغییر قیمت‌ها',
  yesterdaySales: 'فروش دیروز به تفکیک اپراتور',
  reviewPurchases: 'بررسی خریدها',
};
