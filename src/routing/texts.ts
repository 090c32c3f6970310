/** Defines the sentences about routes: the faults of a file or a form, in both languages. */
import { type Fault, type Form, fieldFaults } from '../catalogue/file/texts.ts';
import { type Shown, showCode } from '../lib/json/show-value.ts';
import type { Text } from '../lib/text.ts';

const form = {
  cost: {
    en: 'an amount such as 90000, or a percentage off the price such as 2.5%',
    fa: 'مبلغی مانند `90000` یا درصدی از تخفیف مانند `2.5%`',
  },
  hours: { en: 'hours such as 08:00-22:30', fa: 'ساعاتی مانند `08:00-22:30`' },
  days: { en: 'days such as sat sun mon', fa: 'روزهایی مانند `sat sun mon`' },
  code: { en: 'text of 1 to 100 characters', fa: 'متنی با ۱ تا ۱۰۰ نویسه' },
} as const satisfies Record<string, Form>;

export const routeFaults = {
  notCost: (value: Shown): Fault => fieldFaults.mustBe(form.cost, value),
  notHours: (value: Shown): Fault => fieldFaults.mustBe(form.hours, value),
  notDays: (value: Shown): Fault => fieldFaults.mustBe(form.days, value),
  notCode: (value: Shown): Fault => fieldFaults.mustBe(form.code, value),
  notLater: {
    en: 'must be later than valid_from.',
    fa: 'باید پس از `valid_from` باشد.',
  },
  unknown: (id: number | string): Fault => ({
    en: `${id} does not exist.`,
    fa: `با مقدار ${showCode(String(id))} وجود ندارد.`,
  }),
  otherOperator: (product: number, operator: number): Fault => ({
    en: `${product} belongs to operator ${operator}.`,
    fa: `با مقدار ${showCode(String(product))} متعلق به اپراتور ${showCode(String(operator))} است.`,
  }),
} as const;

export const routeTexts = {
  unknownRoute: (id: number): Text => ({
    en: `There is no route ${id}. Leave the id empty to create one.`,
    fa: `مسیر ${showCode(String(id))} وجود ندارد. برای ایجاد مسیر، شناسه را خالی بگذارید.`,
  }),
  noRoutes: {
    en: 'The file has no routes, so all would be removed.',
    fa: 'فایل مسیری ندارد، پس همهٔ مسیرها حذف می‌شد.',
  },
} as const;
