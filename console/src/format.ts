/** Provides the formatting of numbers, money and times for the current language and the company's currency and time zone. */
import { company, useCompany } from './company.ts';
import { preferences, usePreferences } from './preferences.ts';
import { type Format, formatFor } from './writing.ts';

export {
  type Format,
  formatFor,
  readNumber,
  readWhole,
  type TimeStyle,
  toLatinDigits,
} from './writing.ts';

/** The format of the chosen language. */
export const useFormat = (): Format => {
  const { timeZone, currency } = useCompany();
  return formatFor(usePreferences().locale, timeZone, currency);
};

export const currentFormat = (): Format => {
  const { timeZone, currency } = company();
  return formatFor(preferences().locale, timeZone, currency);
};
