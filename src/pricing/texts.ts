/** Defines the sentences about price lists: the faults of a file or a form, in both languages. */
import { type Fault, type Form, fieldFaults } from '../catalogue/file/texts.ts';
import { type Shown, showCode } from '../lib/json/show-value.ts';
import { persianDigits, type Text } from '../lib/text.ts';

const commission = {
  en: 'a percentage of the price such as 2.5%, or an amount such as 500',
  fa: 'درصدی از قیمت مانند `2.5%` یا مبلغی مانند `500`',
} as const satisfies Form;

export const priceFaults = {
  notCommission: (value: Shown): Fault => fieldFaults.mustBe(commission, value),
  notAlone: {
    en: 'stands alone: leave category_id, operator_id and product_type empty.',
    fa: 'به‌تنهایی می‌آید: `category_id`، `operator_id` و `product_type` را خالی بگذارید.',
  },
  unknown: (id: number | string): Fault => ({
    en: `${id} does not exist.`,
    fa: `با مقدار ${showCode(String(id))} وجود ندارد.`,
  }),
  taken: (name: string): Fault => ({
    en: `"${name}" belongs to another price list.`,
    fa: `${showCode(name)} متعلق به فهرست قیمت دیگری است.`,
  }),
  circle: {
    en: 'must not be the price list itself, or one below it.',
    fa: 'نباید خود فهرست قیمت یا یکی از زیرمجموعه‌های آن باشد.',
  },
  past: {
    en: 'must not be in the past. Leave it empty for now.',
    fa: 'نباید در گذشته باشد. برای همین حالا آن را خالی بگذارید.',
  },
} as const satisfies Record<string, Fault | ((...values: never[]) => Fault)>;

export const priceTexts = {
  unknownList: (id: number): Text => ({
    en: `There is no price list ${id}.`,
    fa: `فهرست قیمت ${showCode(String(id))} وجود ندارد.`,
  }),
  repeatedScope: (first: number): Text => ({
    en: `Line ${first} is for the same products.`,
    fa: `سطر ${persianDigits(String(first))} برای همین محصولات است.`,
  }),
  noEntries: {
    en: 'The file has no entries, so all would be removed.',
    fa: 'فایل ردیفی ندارد، پس همهٔ ردیف‌ها حذف می‌شد.',
  },
  isDefault: {
    en: 'The default price list cannot be removed.',
    fa: 'فهرست قیمت پیش‌فرض حذف نمی‌شود.',
  },
  hasClients: (count: number): Text => ({
    en: `The price list has ${count} clients. Assign them to another one first.`,
    fa: `این فهرست قیمت ${persianDigits(String(count))} مشتری دارد. ابتدا آن‌ها را به فهرست دیگری منتقل کنید.`,
  }),
  isParent: (id: number): Text => ({
    en: `It is the parent of price list ${id}.`,
    fa: `این فهرست مادر فهرست قیمت ${showCode(String(id))} است.`,
  }),
  hasBegun: {
    en: 'Only a version that has not begun can be removed.',
    fa: 'فقط نسخه‌ای حذف می‌شود که هنوز آغاز نشده است.',
  },
} as const;
