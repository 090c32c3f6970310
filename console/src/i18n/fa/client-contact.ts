/** Contains the Persian texts for clients' contacts and notes. */
import type { clientContact as english } from '../en/client-contact.ts';
import type { Same } from '../same.ts';

export const clientContact: Same<typeof english> = {
  title: 'تماس',
  name: 'نام',
  email: 'ایمیل',
  phone: 'تلفن',
  about: 'توضیح',
  aboutHelp: 'مانند ساعت کاری یا شمارهٔ قرارداد.',
  none: 'هنوز اطلاعات تماسی ثبت نشده است.',
  edit: 'ویرایش تماس',
  editTitle: 'تماس %{name}',
  editText: 'با چه کسی نزد این مشتری تماس بگیرید. مشتری این را نمی‌بیند.',
  saved: 'اطلاعات تماس ذخیره شد.',
  notes: 'یادداشت‌ها',
  notesText: 'برای همکارانتان. یادداشت‌ها تاریخ دارند و تغییر نمی‌کنند.',
  note: 'یادداشت جدید',
  add: 'افزودن یادداشت',
  added: 'یادداشت افزوده شد.',
  noNotes: 'هنوز یادداشتی نیست.',
};
