/** Owns how a component writes numbers, money and times: as the language that is chosen does. */
import { preferences, usePreferences } from './preferences.ts';
import { type Format, formatFor } from './writing.ts';

export { type Format, formatFor, readWhole, type TimeStyle, toLatinDigits } from './writing.ts';

/** The format of the language that is chosen. */
export const useFormat = (): Format => formatFor(usePreferences().locale);

export const currentFormat = (): Format => formatFor(preferences().locale);
