/** Contains the Persian texts for the settings. */
import type { settings as english } from '../en/settings.ts';
import type { Same } from '../same.ts';

export const settings: Same<typeof english> = {
  console: 'کنسول',
  company: 'نام شرکت',
  companyHelp: 'در نوار بالا و عنوان همهٔ صفحه‌ها می‌آید. اگر خالی باشد: سیم‌گیت.',
  lowBelow: 'موجودی کم یعنی کمتر از',
  lowBelowHelp: 'مشتریانی که کمتر از این موجودی دارند با نشان کم‌بودن نمایش داده می‌شوند.',
  timeZone: 'منطقهٔ زمانی',
  timeZoneHelp: 'همهٔ زمان‌ها با آن نشان داده می‌شود: نامی مانند Asia/Tehran یا Europe/Berlin.',
  nowThere: 'هم‌اکنون در آنجا %{time} است.',
  noSuchZone: 'چنین منطقهٔ زمانی وجود ندارد.',
  notWhole: 'عددی صحیح از صفر به بالا بنویسید.',
  saved: 'تنظیمات ذخیره شد.',
  notYours: 'فقط مالکان می‌توانند این‌ها را تغییر دهند.',
  running: 'پیکربندی در حال اجرا',
  runningText:
    'آنچه این فرایند با آن آغاز شده است. آن را در فایل یا محیط تغییر دهید؛ هنگام راه‌اندازی خوانده می‌شود. رازها پوشیده است.',
  find: 'یافتن تنظیم',
  found: 'نمایش %{shown} از %{all}',
  noneFound: 'تنظیمی با این مشخصات نیست.',
  name: 'تنظیم',
  value: 'مقدار',
  from: 'از',
  description: 'توضیح',
  standard: 'پیش‌فرض %{value}',
  fromDefault: 'پیش‌فرض',
  fromFile: 'فایل',
  fromEnvironment: 'محیط',
  empty: 'هیچ',
  system: 'سامانه',
  version: 'سیم‌گیت',
  engine: 'پایگاه داده',
  size: 'حجم پایگاه داده',
  sizeUnknown: 'نامعلوم',
  node: 'Node.js',
};
