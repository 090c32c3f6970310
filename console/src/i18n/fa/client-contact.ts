/** Contains the Persian texts for clients' contacts and notes. */
import type { clientContact as english } from '../en/client-contact.ts';
import type { Same } from '../same.ts';

export const clientContact: Same<typeof english> = {
  title: 'تماس و فاکتور',
  name: 'شخص رابط',
  email: 'ایمیل',
  phone: 'تلفن',
  about: 'توضیح',
  aboutHelp: 'مانند ساعت کاری یا شمارهٔ قرارداد.',
  legal_name: 'نام در فاکتور',
  legalNameHelp: 'خالی برای نام خود مشتری.',
  tax_number: 'شمارهٔ اقتصادی',
  address: 'نشانی',
  addressHelp: 'در فاکتورهایی که از این پس صادر می‌شوند.',
  none: 'هنوز اطلاعات تماسی ثبت نشده است.',
  edit: 'ویرایش تماس',
  editTitle: 'تماس %{name}',
  editText: 'با چه کسی نزد این مشتری تماس بگیرید و در فاکتورهایش چه نوشته شود.',
  saved: 'اطلاعات تماس ذخیره شد.',
  notes: 'یادداشت‌ها',
  notesText: 'برای همکارانتان. یادداشت‌ها تاریخ دارند و تغییر نمی‌کنند.',
  note: 'یادداشت جدید',
  add: 'افزودن یادداشت',
  added: 'یادداشت افزوده شد.',
  noNotes: 'هنوز یادداشتی نیست.',
};
