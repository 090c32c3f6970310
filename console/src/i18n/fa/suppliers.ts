/** Contains the Persian texts for suppliers that the console defines. */
import type { suppliers as english } from '../en/suppliers.ts';
import type { Same } from '../same.ts';

export const suppliers: Same<typeof english> = {
  create: 'تأمین‌کنندهٔ جدید',
  createText:
    'بی‌درنگ در همهٔ فرایندها افزوده می‌شود. سپس رابط آن را انتخاب، تنظیماتش را وارد و مسیری اضافه کنید؛ تا آن زمان سفارشی نمی‌گیرد.',
  createSubmit: 'ایجاد',
  name: 'نام کوتاه',
  nameHelp:
    'حروف انگلیسی، رقم، - و _. در نشانی دریافت پیام‌های تأمین‌کننده می‌آید و بعداً تغییر نمی‌کند.',
  notName: 'فقط حروف انگلیسی، رقم، - و _ به کار ببرید و با حرف یا رقم آغاز کنید.',
  en: 'نام انگلیسی',
  enHelp: 'نامی که کنسول انگلیسی نشان می‌دهد.',
  fa: 'نام فارسی',
  faHelp: 'نامی که کنسول نشان می‌دهد.',
  group: 'گروه',
  groupHelp: 'برای تأمین‌کنندگانی که حساب مشترک دارند یکسان است. در غیر این صورت خالی بگذارید.',
  noGroup: 'ندارد',
  definedIn: 'محل تعریف',
  edit: 'ویرایش',
  editTitle: 'ویرایش %{name}',
  saved: 'تأمین‌کننده ذخیره شد.',
  remove: 'حذف',
  removeTitle: 'حذف %{name}',
  removeText:
    'تنها زمانی ممکن است که هیچ مسیری هرگز آن را نام نبرده باشد. تنظیماتش پاک می‌شود و شماره‌اش به تأمین‌کنندهٔ دیگری نمی‌رسد. اگر مسیر داشته است، به جای حذف آن را معلق کنید.',
  removed: '%{name} حذف شد.',
};
