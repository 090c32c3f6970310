/** Contains the Persian texts for one product: its page, its form and its price history. */
import type { catalogueProduct as english } from '../en/catalogue-product.ts';
import type { Same } from '../same.ts';

export const catalogueProduct: Same<typeof english> = {
  facts: 'مشخصات',
  moreFacts: 'فیلدهای دیگر',
  edit: 'ویرایش',
  createTitle: 'محصول جدید',
  editTitle: 'ویرایش %{name}',
  about: 'محصول',
  pricing: 'قیمت‌ها',
  more: 'فیلدهای دیگر',
  idHelp: 'برای شناسهٔ آزاد بعدی، خالی بگذارید.',
  secondHelp: 'با آن، مشتری هر مبلغ صحیحی از قیمت تا این مقدار را انتخاب می‌کند.',
  categoriesHelp: 'دستهٔ جدید با ورود از فایل ساخته می‌شود.',
  jsonHelp: 'متن یا مقدار JSON.',
  liveText: 'مشتریان تغییر را بی‌درنگ می‌بینند.',
  save: 'ذخیرهٔ تغییرات',
  create: 'ساخت محصول',
  unchanged: 'هنوز چیزی تغییر نکرده است.',
  saved: '%{name} ذخیره شد.',
  created: '%{name} ساخته شد.',
  reload: 'بارگذاری دوباره',
  history: 'تاریخچهٔ قیمت',
  noHistory: 'تغییری در قیمت ثبت نشده است.',
  at: 'زمان',
  before: 'از',
  after: 'به',
  via: 'روش',
  vias: {
    edit: 'ویرایش',
    import: 'ورود از فایل',
    bulk: 'تغییر گروهی',
    revert: 'برگشت',
  },
  actor: 'کاربر',
};
