/** Contains the Persian texts for the catalogue import. */
import type { catalogueImport as english } from '../en/catalogue-import.ts';
import type { Same } from '../same.ts';

export const catalogueImport: Same<typeof english> = {
  form: 'انتخاب فایل',
  text: 'پیش از ورود، تغییرات را پیش‌نمایش کنید. فایل خروجی را می‌توان ویرایش و دوباره وارد کرد.',
  file: 'فایل',
  fileHelp: 'CSV یا JSON با UTF-8، حداکثر ۶۴ مگابایت.',
  format: 'قالب فایل',
  formats: { csv: 'CSV', json: 'JSON' },
  removeMissing: 'حذف محصولاتی که در فایل نیستند',
  removeWarning:
    'همهٔ محصولاتی که در فایل نیستند از کاتالوگ حذف می‌شوند. فقط برای فایل کامل کاتالوگ از آن استفاده کنید.',
  noFile: 'فایلی انتخاب کنید.',
  tooLarge: 'فایل از ۶۴ مگابایت بزرگ‌تر است. آن را با خط فرمان وارد کنید.',
  unreadable: 'فایل خوانده نمی‌شود. دوباره آن را انتخاب کنید.',
  show: 'پیش‌نمایش تغییرات',
  progress: 'پیشرفت',
  phases: {
    sending: 'در حال بارگذاری فایل…',
    reading: 'در حال خواندن فایل…',
    writing: 'در حال ذخیرهٔ کاتالوگ…',
  },
  far: '%{done} از %{of}',
  problems: 'مشکلات فایل',
  problemsText:
    'چیزی تغییر نکرد. مشکلات را برطرف و فایل را دوباره انتخاب کنید. تعداد مشکلات: %{count}.',
  firstProblems: '%{count} مورد اول نمایش داده شده است.',
  line: 'سطر',
  problem: 'مشکل',
  preview: 'پیش‌نمایش',
  previewText: 'هنوز چیزی تغییر نکرده است.',
  counts: 'جدید: %{created}. تغییریافته: %{updated}. حذف‌شده: %{removed}. بدون تغییر: %{unchanged}.',
  first: '%{count} محصول اول نمایش داده شده است.',
  same: 'کاتالوگ با فایل یکسان است.',
  what: 'تغییر',
  kinds: { new: 'جدید', changed: 'تغییریافته', removed: 'حذف‌شده' },
  fields: 'فیلدها',
  was: '%{field}: از %{before} به %{after}',
  is: '%{field}: %{after}',
  apply: 'ورود محصولات',
  applyTitle: 'ورود %{file}',
  applyText: 'یا همهٔ تغییرات انجام می‌شود یا هیچ‌کدام. مشتریان بلافاصله آن را می‌بینند.',
  applyRemoves: 'محصولاتی که حذف می‌شوند: %{count}. دیگر قابل خرید نخواهند بود.',
  again: 'کاتالوگ تغییر کرده است و کاری انجام نشد. پیش از ادامه، پیش‌نمایش جدید را بررسی کنید.',
  done: 'وارد شد',
  more: 'ورود فایل دیگر',
};
