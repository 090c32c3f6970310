/** Contains the Persian texts for the settings. */
import type { settings as english } from '../en/settings.ts';
import type { Same } from '../same.ts';

export const settings: Same<typeof english> = {
  console: 'کنسول',
  company: 'نام شرکت',
  companyHelp: 'در نوار بالا و عنوان همهٔ صفحه‌ها می‌آید. اگر خالی باشد: سیم‌گیت.',
  lowBelow: 'مرز موجودی کم',
  lowBelowHelp: 'مشتریانی که موجودی قابل استفادهٔ کمتری دارند نشان‌دار می‌شوند.',
  timeZone: 'منطقهٔ زمانی',
  timeZoneHelp: 'همهٔ زمان‌ها با آن نمایش داده می‌شود: نامی مانند Asia/Tehran یا Europe/Berlin.',
  nowThere: 'ساعت محلی: %{time}.',
  noSuchZone: 'چنین منطقهٔ زمانی وجود ندارد.',
  notWhole: 'عددی صحیح از صفر به بالا وارد کنید.',
  saved: 'تنظیمات ذخیره شد.',
  notYours: 'فقط مالکان می‌توانند این‌ها را تغییر دهند.',
  running: 'پیکربندی در حال اجرا',
  runningText:
    'پیکربندی آغازین این فرایند. آن را در فایل پیکربندی یا محیط تغییر دهید و سرور را دوباره راه‌اندازی کنید. مقادیر محرمانه پوشیده است.',
  find: 'یافتن تنظیم',
  found: 'نمایش %{shown} از %{all}',
  noneFound: 'موردی یافت نشد.',
  name: 'تنظیم',
  value: 'مقدار',
  from: 'منبع',
  description: 'توضیح',
  standard: 'پیش‌فرض %{value}',
  fromDefault: 'پیش‌فرض',
  fromFile: 'فایل پیکربندی',
  fromEnvironment: 'محیط',
  empty: 'بدون مقدار',
  system: 'سامانه',
  version: 'سیم‌گیت',
  engine: 'پایگاه داده',
  size: 'حجم پایگاه داده',
  sizeUnknown: 'نامعلوم',
  node: 'Node.js',
};
