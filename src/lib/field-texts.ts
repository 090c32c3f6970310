/** Defines the sentences about fields that several routes share, in both languages. */
import type { MobileFormat } from './mobile.ts';
import { persianDigits, type Text } from './text.ts';

export const isRequired = (name: string): Text => ({
  en: `${name} is required.`,
  fa: `${name} الزامی است.`,
});

export const isUnknown = (name: string): Text => ({
  en: `${name} is unknown.`,
  fa: `${name} ناشناخته است.`,
});

export const mustBe = (name: string, rule: Text): Text => ({
  en: `${name} must be ${rule.en}.`,
  fa: `${name} باید ${rule.fa} باشد.`,
});

export const mustBeTime = (name: string): Text =>
  mustBe(name, {
    en: 'a date such as 2026-01-31, or a time such as 2026-01-31T09:30:00Z',
    fa: 'تاریخی مانند 2026-01-31 یا زمانی مانند 2026-01-31T09:30:00Z',
  });

/** The format of numbers as a part of a sentence, for a client whose number was refused. */
export const mobileRule = ({ prefix, digits }: MobileFormat): Text => ({
  en: `${prefix} followed by exactly ${digits} digits, without plus sign, spaces or leading zeros`,
  fa: `${prefix} و پس از آن دقیقاً ${persianDigits(digits)} رقم، بدون علامت جمع، فاصله یا صفر آغازین`,
});

/** The text of the error for an invalid number. */
export const invalidMobile = (format: MobileFormat) => {
  const rule = mobileRule(format);
  return {
    message: {
      en: `The mobile number is not valid: it must be ${rule.en}.`,
      fa: `شمارهٔ موبایل معتبر نیست: باید ${rule.fa} باشد.`,
    },
    errors: { mobile: [mustBe('mobile', rule)] },
  };
};
