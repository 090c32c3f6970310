/** Writes numbers, amounts and times of alarms as a language does. Pure. */
import { type Locale, persianDigits } from '../../../lib/text.ts';
import type { Currency } from '../../../settings/currency.ts';
import { alarmKind, type Facts, type Written } from '../kinds.ts';
import type { Change } from '../store.ts';

export type Writing = {
  readonly locale: Locale;
  readonly currency: Currency | null;
  readonly timeZone: string;
};

const tags = { en: 'en-GB', fa: 'fa-IR' } as const;

/** Names of any script stay apart from the sentence around them, in plain text too. */
const isolated = (text: string): string => `\u2068${text}\u2069`;

const writeAmount = ({ locale, currency }: Writing, amount: number): string => {
  const text = new Intl.NumberFormat(tags[locale]).format(amount);
  if (currency === null) return text;
  const { symbol, position } = currency.written[locale];
  return position === 'before' ? `${symbol}\u00a0${text}` : `${text}\u00a0${symbol}`;
};

export const writeCount = (locale: Locale, count: number): string =>
  locale === 'fa' ? persianDigits(count) : String(count);

/** The date and the time in the business time zone, in the calendar of the language. */
export const writeTime = ({ locale, timeZone }: Writing, at: number): string =>
  new Intl.DateTimeFormat(tags[locale], {
    timeZone,
    dateStyle: 'medium',
    timeStyle: 'short',
  }).format(at);

const writeFacts = (writing: Writing, facts: Facts): Written => {
  const { name, count, available, below } = facts;
  const amount = (value: number | undefined): string =>
    value === undefined ? '' : isolated(writeAmount(writing, value));
  return {
    name: name === undefined ? '' : isolated(name[writing.locale]),
    count: count === undefined ? '' : writeCount(writing.locale, count),
    available: amount(available),
    below: amount(below),
  };
};

/** A change in one sentence. */
export const writeChange = (
  writing: Writing,
  { kind, state, facts }: Pick<Change, 'kind' | 'state' | 'facts'>,
): string => alarmKind(kind)[state][writing.locale](writeFacts(writing, facts));
