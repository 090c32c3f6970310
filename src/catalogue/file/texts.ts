/** Defines the sentences about the problems of a catalogue file, in both languages. */
import { type Shown, showCode } from '../../lib/json/show-value.ts';
import { persianDigits, type Text } from '../../lib/text.ts';

/** The rest of a sentence that begins with the name of a field. */
export type Fault = Text;

/** The requirement for a value, as part of a sentence. */
export type Form = Text;

export const forms = {
  whole: { en: 'a whole number', fa: 'عدد صحیح' },
  amount: { en: 'in whole currency units', fa: 'مبلغی بدون اعشار' },
  days: { en: 'a whole number of days', fa: 'تعداد صحیح روز' },
} as const satisfies Record<string, Form>;

/** A sentence about a field. Codes are in backticks in Persian, where the text direction differs. */
export const aboutField = (name: string, { en, fa }: Fault): Text => ({
  en: `${name} ${en}`,
  fa: `${showCode(name)} ${fa}`,
});

const mustBe = (form: Form, { en, fa }: Shown): Fault => ({
  en: `must be ${form.en}, not ${en}.`,
  fa: `باید ${form.fa} باشد، نه ${fa}.`,
});

const same = (text: string): Text => ({ en: text, fa: showCode(text) });

export const fieldFaults = {
  missing: { en: 'is missing.', fa: 'وارد نشده است.' },
  blank: { en: 'is blank.', fa: 'خالی است.' },
  unstorable: {
    en: 'holds a character that cannot be stored (U+0000 or half of a pair).',
    fa: 'نویسه‌ای دارد که ذخیره نمی‌شود (`U+0000` یا نیمی از یک زوج).',
  },
  inexact: {
    en: 'holds a number that is too large to be kept exactly. Write it as text.',
    fa: 'عددی دارد که بزرگ‌تر از حد نگه‌داری دقیق است. آن را به صورت متن بنویسید.',
  },
  mustBe,
  notText: (value: Shown) => mustBe({ en: 'text', fa: 'متن' }, value),
  notNumber: (value: Shown) => mustBe({ en: 'a plain number', fa: 'عدد ساده' }, value),
  notObject: (value: Shown) => mustBe({ en: 'an object', fa: 'شیء' }, value),
  notModel: (model: string, value: Shown) => mustBe(same(model), value),
  notSwitch: (value: Shown) =>
    mustBe({ en: '1 or 0 (or true or false)', fa: '`1` یا `0` (یا `true` یا `false`)' }, value),
  notOneOf: (allowed: readonly string[], value: Shown) =>
    mustBe(
      { en: `one of ${allowed.join(', ')}`, fa: `یکی از ${allowed.map(showCode).join('، ')}` },
      value,
    ),
  notCode: (value: Shown) =>
    mustBe(
      {
        en: 'text or a whole number that can be kept exactly',
        fa: 'متن یا عدد صحیحی که دقیق نگه داشته می‌شود',
      },
      value,
    ),
  notTime: (value: Shown) =>
    mustBe(
      {
        en: 'a date and time such as 2026-01-31T09:30:00Z',
        fa: 'تاریخ و زمانی مانند `2026-01-31T09:30:00Z`',
      },
      value,
    ),
  notCategories: (value: Shown) =>
    mustBe({ en: 'a JSON array of categories', fa: 'آرایهٔ JSON از دسته‌بندی‌ها' }, value),
  notListText: (value: Shown) =>
    mustBe({ en: 'the text of a JSON array', fa: 'متن یک آرایهٔ JSON' }, value),
  tooLarge: (value: Shown): Fault => ({
    en: `is too large to be kept exactly: ${value.en}.`,
    fa: `بزرگ‌تر از حد نگه‌داری دقیق است: ${value.fa}.`,
  }),
  tooSmall: (least: number, number: number): Fault => ({
    en: `must be ${least} or more, not ${number}.`,
    fa: `باید ${showCode(String(least))} یا بیشتر باشد، نه ${showCode(String(number))}.`,
  }),
  tooBig: (most: number, number: number): Fault => ({
    en: `must be ${most} or less, not ${number}.`,
    fa: `باید ${showCode(String(most))} یا کمتر باشد، نه ${showCode(String(number))}.`,
  }),
  tooDeep: (levels: number): Fault => ({
    en: `is nested more than ${levels} levels deep.`,
    fa: `بیش از ${persianDigits(levels)} سطح تودرتو است.`,
  }),
  subCategory: (nth: number): Fault => ({
    en: `must list objects with id (whole number), text (text) and parent (whole number) only; number ${nth} is not one.`,
    fa: `باید فقط شیء‌هایی با \`id\` (عدد صحیح)، \`text\` (متن) و \`parent\` (عدد صحیح) داشته باشد؛ مورد ${persianDigits(nth)} چنین نیست.`,
  }),
  otherOwner: (owner: 'category' | 'product', id: number, own: number): Fault => ({
    en: `(${id}) is not the id of its ${owner} (${own}).`,
    fa: `(\`${id}\`) شناسهٔ ${owner === 'category' ? 'دسته‌بندی' : 'محصول'} خودش (\`${own}\`) نیست.`,
  }),
  repeatedCategory: (id: number): Fault => ({
    en: `is category ${id} once more.`,
    fa: `دوباره دسته‌بندی \`${id}\` است.`,
  }),
  otherOperator: (only: number, given: number): Fault => ({
    en: `td_lte_internet is for operator ${only} only, not ${given}.`,
    fa: `با مقدار \`td_lte_internet\` فقط برای اپراتور \`${only}\` است، نه \`${given}\`.`,
  }),
  unknownOperator: (id: number): Fault => ({
    en: `must be an operator that exists, not ${id}.`,
    fa: `باید اپراتوری باشد که وجود دارد، نه \`${id}\`.`,
  }),
  belowPrice: (second: number, price: number): Fault => ({
    en: `(${second}) is below price (${price}).`,
    fa: `(\`${second}\`) کمتر از \`price\` (\`${price}\`) است.`,
  }),
} as const;

export const rowTexts = {
  notProduct: (value: Shown): Text => ({
    en: `A product must be an object, not ${value.en}.`,
    fa: `محصول باید شیء باشد، نه ${value.fa}.`,
  }),
  unknownField: (name: Shown): Text => ({
    en: `The field ${name.en} is not known. Is it misspelt?`,
    fa: `فیلد ${name.fa} ناشناخته است. املای آن درست است؟`,
  }),
  repeatedId: (id: number, first: number, again: number): Text => ({
    en: `id ${id} stands on line ${first} and again on line ${again}.`,
    fa: `شناسهٔ \`${id}\` در سطر ${persianDigits(first)} آمده و در سطر ${persianDigits(again)} تکرار شده است.`,
  }),
  otherCurrency: (code: Shown, own: string | null): Text =>
    own === null
      ? {
          en: `The prices are in ${code.en}, and no currency is set here. Set it, or remove the column currency.`,
          fa: `قیمت‌ها به ${code.fa} است و اینجا واحد پولی تنظیم نشده است. آن را تنظیم یا ستون \`currency\` را حذف کنید.`,
        }
      : {
          en: `The prices are in ${code.en}, and this gateway sells in ${own}. Convert them first.`,
          fa: `قیمت‌ها به ${code.fa} است و این درگاه به \`${own}\` می‌فروشد. ابتدا آن‌ها را تبدیل کنید.`,
        },
  otherCategory: (id: number, differs: 'data' | 'name', line: number, first: number): Text => ({
    en: `Category ${id} has another ${differs} on line ${line} than on line ${first}.`,
    fa: `\`${differs}\` دسته‌بندی \`${id}\` در سطر ${persianDigits(line)} با سطر ${persianDigits(first)} فرق دارد.`,
  }),
} as const;

export const fileTexts = {
  empty: { en: 'The file is empty.', fa: 'فایل خالی است.' },
  notUtf8: {
    en: 'The file is not UTF-8. Save it as UTF-8.',
    fa: 'کدگذاری فایل UTF-8 نیست. آن را با UTF-8 ذخیره کنید.',
  },
  noProducts: {
    en: 'The file has no products, so all would be removed.',
    fa: 'فایل محصولی ندارد، پس همهٔ محصولات حذف می‌شد.',
  },
} as const;

export const csvTexts = {
  quoteNotClosed: {
    en: 'The cell that begins on this line opens with a quote that is never closed.',
    fa: 'خانه‌ای که در این سطر آغاز می‌شود گیومه‌ای دارد که بسته نشده است.',
  },
  closingQuote: {
    en: 'In the cell that begins on this line a quote is not doubled, or text follows the closing one.',
    fa: 'در خانه‌ای که در این سطر آغاز می‌شود گیومه‌ای دوتایی نشده، یا پس از گیومهٔ پایانی متنی آمده است.',
  },
  openingQuote: {
    en: 'The cell that begins on this line holds a quote but is not quoted. Quote it, and double the quotes inside.',
    fa: 'خانه‌ای که در این سطر آغاز می‌شود گیومه دارد ولی خودش در گیومه نیست. آن را در گیومه بگذارید و گیومه‌های درونش را دوتایی کنید.',
  },
  unreadable: {
    en: 'The row of this line could not be read.',
    fa: 'این سطر خوانده نمی‌شود.',
  },
  namelessColumn: (nth: number): Text => ({
    en: `Column ${nth} has no name.`,
    fa: `ستون ${persianDigits(nth)} نام ندارد.`,
  }),
  unknownColumn: (name: Shown): Text => ({
    en: `The column ${name.en} is not known. Is it misspelt?`,
    fa: `ستون ${name.fa} ناشناخته است. املای آن درست است؟`,
  }),
  repeatedColumn: (name: string): Text => ({
    en: `The column ${name} stands more than once.`,
    fa: `ستون ${showCode(name)} بیش از یک بار آمده است.`,
  }),
  otherLength: (cells: number, columns: number): Text => ({
    en: `This row has ${cells} cells, and the header has ${columns}.`,
    fa: `این سطر ${persianDigits(cells)} خانه دارد و سطر عنوان ${persianDigits(columns)} خانه.`,
  }),
} as const;

export const jsonTexts = {
  notArray: {
    en: 'The file must be one JSON array: "[", the products with commas between, "]".',
    fa: 'فایل باید یک آرایهٔ JSON باشد: `[`، محصولات با ویرگول انگلیسی میانشان، `]`.',
  },
  notJson: { en: 'This element is not JSON.', fa: 'این عضو JSON نیست.' },
  lastComma: {
    en: 'A comma stands after the last element. Remove it.',
    fa: 'پس از آخرین عضو ویرگول آمده است. آن را حذف کنید.',
  },
  strayComma: {
    en: 'A comma stands here without an element before it.',
    fa: 'پیش از این ویرگول عضوی نیست.',
  },
  missingComma: {
    en: 'A comma is missing between this element and the one before it.',
    fa: 'میان این عضو و عضو پیشین ویرگول نیست.',
  },
  notClosed: {
    en: 'The array is not closed: its last "]" is missing.',
    fa: 'آرایه بسته نشده است: `]` پایانی نیست.',
  },
  afterEnd: {
    en: 'Nothing may follow the "]" that closes the array.',
    fa: 'پس از `]` پایانی آرایه چیزی نباید بیاید.',
  },
  tooDeep: (depth: number): Text => ({
    en: `Lists and objects are nested more than ${depth} deep here. What follows was not read.`,
    fa: `اینجا فهرست‌ها و شیء‌ها بیش از ${persianDigits(depth)} سطح تودرتو هستند. ادامه خوانده نشد.`,
  }),
  tooMany: (problems: number): Text => ({
    en: `There are more than ${problems} problems. What follows was not read.`,
    fa: `بیش از ${persianDigits(problems)} مشکل وجود دارد. ادامه خوانده نشد.`,
  }),
} as const;
