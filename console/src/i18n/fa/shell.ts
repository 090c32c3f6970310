/** Contains the Persian texts for the sidebar, menu and error pages. */
import type { shell as english } from '../en/shell.ts';
import type { Same } from '../same.ts';

export const shell: Same<typeof english> = {
  title: 'سیم‌گیت',
  skip: 'رفتن به محتوای صفحه',
  menu: 'صفحه‌ها',
  sales: 'فروش',
  selling: 'محصولات',
  administration: 'مدیریت',
  breadcrumbs: 'مسیر این صفحه',
  openMenu: 'باز کردن منو',
  language: 'زبان',
  theme: 'ظاهر',
  themeSystem: 'مطابق سیستم',
  themeLight: 'روشن',
  themeDark: 'تیره',
  account: 'حساب: %{name}',
  ownAccount: 'حساب من',
  signOut: 'خروج',
  docs: 'مستندات',
  shortcuts: 'میان‌برهای صفحه‌کلید',
  shortcutSearch: 'جست‌وجو در همه جا',
  shortcutFilter: 'جست‌وجو در فهرست این صفحه',
  singleKeys: 'میان‌برهای تک‌کلیدی',
  singleKeysHelp:
    'اگر کلیدها ناخواسته یا با فرمان صوتی فشرده می‌شوند، آن را خاموش کنید. در همین مرورگر می‌ماند.',
  notFound: 'صفحه یافت نشد',
  notFoundText: 'این صفحه وجود ندارد، یا نقش شما اجازهٔ دیدن آن را ندارد.',
  failed: 'مشکلی پیش آمد',
  failedText:
    'این صفحه نمایش داده نشد. دوباره بارگذاری کنید؛ اگر مشکل باقی ماند، به مدیر درگاه اطلاع دهید.',
  reload: 'بارگذاری دوباره',
};
