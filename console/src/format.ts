/** Provides the formatting of numbers, money and times for the current language and the company's time zone. */
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
export const useFormat = (): Format => formatFor(usePreferences().locale, useCompany().timeZone);

export const currentFormat = (): Format => formatFor(preferences().locale, company().timeZone);
