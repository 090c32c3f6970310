/** Lists what can come of asking an operator about a restore, as codes with values, and words for each. */
import { type PlainFact, readFact } from '../facts/facts.ts';
import { shownWords } from '../facts/words.ts';

/** Codes without values, in words. */
const words = {
  not_asked_yet: 'not asked yet',
  cannot_report: 'it cannot report what it delivered',
  not_configured: 'it is not configured any more',
  completeness_not_declared: 'it does not declare when its reports are complete',
  reading: 'its reports are being read',
  reading_too_long: 'its reports did not end within ten minutes of reading',
  interrupted: 'it was not asked to the end',
  complete: 'it has reported all that it delivered',
} as const;

export type AskFact =
  | { readonly code: keyof typeof words; readonly values: Readonly<Record<string, never>> }
  /** It will be asked again. */
  | { readonly code: 'no_answer'; readonly values: { readonly last: PlainFact } };

/** The columns that hold the result. */
export type AskColumns = { readonly code: string; readonly fact_values: string };

export const askColumns = ({ code, values }: AskFact): AskColumns => ({
  code,
  fact_values: JSON.stringify(values),
});

const isPlainCode = (code: string): code is keyof typeof words => Object.hasOwn(words, code);

export const askWords = ({ code, fact_values: values }: AskColumns): string => {
  if (isPlainCode(code)) return words[code];
  if (code !== 'no_answer') return shownWords(readFact(code, values));
  // The values of an operator that gave no answer about a purchase.
  const fact = readFact('now_no_answer', values);
  return fact.code === 'now_no_answer'
    ? `it gave no answer (${shownWords(fact.values.last)}); asked again`
    : shownWords(fact);
};
