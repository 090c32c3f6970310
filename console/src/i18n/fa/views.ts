/** Contains the Persian texts for the saved views of lists. */
import type { views as english } from '../en/views.ts';
import type { Same } from '../same.ts';

export const views: Same<typeof english> = {
  label: 'نماها',
  all: 'همه',
  save: 'ذخیرهٔ نما',
  saveText: 'این فیلترها و ستون‌ها با یک نام، در همین مرورگر و فقط برای شما نگه داشته می‌شود.',
  saveChanges: 'ذخیرهٔ فیلترهای تغییرکرده',
  saveAs: 'ذخیره به‌عنوان نمای جدید',
  name: 'نام نما',
  rename: 'تغییر نام نما',
  remove: 'حذف نما',
  removeText: 'نمای «%{name}» حذف می‌شود. آنچه نشان می‌دهد همان‌طور می‌ماند.',
  options: 'گزینه‌های نما',
  edited: '%{name} · تغییرکرده',
  full: '۳۰ نما دارید. برای ذخیرهٔ نمای تازه یکی را حذف کنید.',
};
