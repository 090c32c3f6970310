/** Contains the Persian texts for the catalogue import. */
import type { catalogueImport as english } from '../en/catalogue-import.ts';
import type { Same } from '../same.ts';

export const catalogueImport: Same<typeof english> = {
  form: 'انتخاب فایل',
  text: 'نخست می‌بینید که فایل چه چیزی را تغییر می‌دهد؛ پیش از تأیید شما چیزی تغییر نمی‌کند. فایلی را که خروجی می‌دهد می‌توان تغییر داد و بازفرستاد.',
  file: 'فایل',
  fileHelp: 'CSV یا JSON با UTF-8، حداکثر ۶۴ مگابایت.',
  format: 'قالب فایل',
  formats: { csv: 'CSV', json: 'JSON' },
  removeMissing: 'حذف آنچه در فایل نیست',
  removeWarning:
    'هر محصولی که در فایل نباشد از کاتالوگ حذف می‌شود. این را فقط وقتی انتخاب کنید که فایل همهٔ کاتالوگ را دارد.',
  noFile: 'فایلی انتخاب کنید.',
  tooLarge: 'فایل از ۶۴ مگابایت بزرگ‌تر است. آن را با خط فرمان وارد کنید.',
  unreadable: 'فایل خوانده نمی‌شود. دوباره انتخابش کنید.',
  show: 'نمایش آنچه تغییر می‌کند',
  progress: 'پیشرفت',
  phases: {
    sending: 'در حال فرستادن فایل…',
    reading: 'در حال خواندن فایل…',
    writing: 'در حال نوشتن کاتالوگ…',
  },
  far: '%{done} از %{of}',
  problems: 'مشکل‌های فایل',
  problemsText:
    'چیزی تغییر نکرد. این‌ها را درست کنید و فایل را دوباره انتخاب کنید. شمار مشکل‌ها: %{count}.',
  firstProblems: '%{count} مورد نخست نشان داده شده است.',
  line: 'سطر',
  problem: 'مشکل',
  preview: 'آنچه تغییر می‌کند',
  previewText: 'هنوز چیزی تغییر نکرده است.',
  counts: 'تازه: %{created}. تغییریافته: %{updated}. حذف‌شده: %{removed}. بدون تغییر: %{unchanged}.',
  first: '%{count} محصول نخست نشان داده شده است.',
  same: 'کاتالوگ درست همان است که در فایل آمده. کاری برای انجام نیست.',
  what: 'چه',
  kinds: { new: 'تازه', changed: 'تغییریافته', removed: 'حذف‌شده' },
  fields: 'فیلدها',
  was: '%{field}: از %{before} به %{after}',
  is: '%{field}: %{after}',
  apply: 'وارد کردن',
  applyTitle: 'وارد کردن %{file}',
  applyText: 'یا همه انجام می‌شود یا هیچ. مشتریان بی‌درنگ آن را می‌بینند.',
  applyRemoves: 'محصول‌هایی که حذف می‌شوند: %{count}. دیگر نمی‌توان آن‌ها را خرید.',
  again:
    'کاتالوگ در این میان تغییر کرده است، پس کاری انجام نشد. این پیش‌نمایش تازه است: پیش از ادامه آن را ببینید.',
  done: 'وارد شد',
  more: 'وارد کردن فایلی دیگر',
};
