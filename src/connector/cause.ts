/** Lists why an operator's answer can be unknown, as codes with values, and words for each. */
import { type Static, Type } from 'typebox';
import { Check } from 'typebox/value';
import { showCode } from '../lib/json/show-value.ts';
import { persianDigits, type Text } from '../lib/text.ts';

const exact = { additionalProperties: false };

/** The values of each code. A connector describes any other cause in its own words. */
export const causeValues = {
  no_answer_within: Type.Object({ ms: Type.Number() }, exact),
  connection_failed: Type.Object({ name: Type.String({ maxLength: 100 }) }, exact),
  /** An answer that the operator's interface does not define. */
  answer_unlisted: Type.Object(
    { status: Type.Integer(), contentType: Type.String({ maxLength: 200 }) },
    exact,
  ),
  /** The operator accepted the order and has not finished it. */
  order_pending: Type.Object({}, exact),
  settings_unusable: Type.Object({}, exact),
};

type Values = typeof causeValues;

/** A code without values has none. */
type ValuesOf<Code extends keyof Values> = keyof Static<Values[Code]> extends never
  ? Readonly<Record<string, never>>
  : Readonly<Static<Values[Code]>>;

export type UnknownCause = {
  [Code in keyof Values]: { readonly code: Code; readonly values: ValuesOf<Code> };
}[keyof Values];

/** Nothing is known: a timeout, a reset, nonsense. */
export type Unknown = {
  readonly kind: 'unknown';
  /** In words, for the log and for people. */
  readonly detail: string;
  /** The same as a code, if there is one, so that people read it in their own language. */
  readonly cause?: UnknownCause;
};

const schema = Type.Union(
  Object.entries(causeValues).map(([code, values]) =>
    Type.Object({ code: Type.Literal(code), values }, exact),
  ),
);

export const isCause = (value: unknown): value is UnknownCause => Check(schema, value);

/** Each as a part of a sentence. */
export const causeText = (cause: UnknownCause): Text => {
  switch (cause.code) {
    case 'no_answer_within':
      return {
        en: `no answer within ${cause.values.ms} ms`,
        fa: `تا ${persianDigits(cause.values.ms)} میلی‌ثانیه پاسخی دریافت نشد`,
      };
    case 'connection_failed':
      return {
        en: `the connection failed: ${cause.values.name}`,
        fa: `ارتباط با اپراتور قطع شد: ${showCode(cause.values.name)}`,
      };
    case 'answer_unlisted':
      return {
        en: `the operator answered HTTP ${cause.values.status}, ${cause.values.contentType || 'no type'}, which is not on the list`,
        fa: `پاسخ اپراتور ناشناخته بود: HTTP ${cause.values.status}`,
      };
    case 'order_pending':
      return {
        en: 'the operator took the order: pending',
        fa: 'اپراتور سفارش را پذیرفت و هنوز نهایی نکرده است',
      };
    case 'settings_unusable':
      return {
        en: 'it has no settings that can be used',
        fa: 'تنظیمات اپراتور قابل استفاده نیست',
      };
  }
};

export const causeWords = (cause: UnknownCause): string => causeText(cause).en;

export const unknownBecause = (cause: UnknownCause): Unknown => ({
  kind: 'unknown',
  detail: causeWords(cause),
  cause,
});
