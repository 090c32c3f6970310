/** Parses mobile numbers, and masks them. */
import { latinDigits } from './digits.ts';

export type MobileFormat = {
  /** The country's prefix, without a plus sign. */
  readonly prefix: string;
  /** How many digits follow the prefix. */
  readonly digits: number;
};

/** The number in Latin digits, or undefined if the value does not have that format. */
export const readMobile = (value: unknown, format: MobileFormat): string | undefined => {
  if (typeof value !== 'string' && !Number.isSafeInteger(value)) return undefined;
  const text = latinDigits(String(value).trim());
  const fits = text.length === format.prefix.length + format.digits && /^\d+$/.test(text);
  return fits && text.startsWith(format.prefix) ? text : undefined;
};

/**
 * The same for a number as a person types or pastes it: with a plus sign or zeros before the prefix, with a
 * zero instead of it or nothing, and with spaces, hyphens and brackets.
 */
export const readTypedMobile = (value: string, format: MobileFormat): string | undefined => {
  const text = latinDigits(value).replace(/[\s()\u200e\u200f\u202a-\u202e-]/g, '');
  const digits = text.replace(/^\+|^00/, '');
  const forms = [digits, format.prefix + digits, format.prefix + digits.replace(/^0/, '')];
  return forms.map((form) => readMobile(form, format)).find((form) => form !== undefined);
};

/** How many digits of a masked number stay. */
export const shownAtEnd = 4;

/** Keeps the prefix and the last four digits, enough to distinguish two numbers in a log. */
export const maskMobile = (mobile: string, format: MobileFormat): string => {
  const hidden = Math.max(mobile.length - format.prefix.length - shownAtEnd, 0);
  return mobile.slice(0, format.prefix.length) + '*'.repeat(hidden) + mobile.slice(-shownAtEnd);
};

/** A number without a special meaning in the simulator. */
export const exampleMobile = (format: MobileFormat): string =>
  format.prefix + '912345678912345678'.slice(0, format.digits - 2) + '00';
