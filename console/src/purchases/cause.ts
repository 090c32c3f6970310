/** Says why a purchase was refused or failed, in the language of the page. */
import type { Say } from '../i18n/keys.ts';
import { errorWords, type Fact } from './facts.ts';

/** What the cause is read from. */
export type Ended = {
  readonly reason: Fact | null;
  readonly decisions: readonly {
    readonly by: string;
    readonly before: Readonly<Record<string, unknown>>;
  }[];
};

/** Why it was refused or failed. */
export const causeOf = ({ reason, decisions }: Ended, say: Say): string => {
  const { name, reason: words } = reason?.values ?? {};
  if (typeof name !== 'string') return '';
  const who = decisions.find(({ before }) => before['state'] === 'review')?.by;
  if (who !== undefined) return say('purchaseWords.markedBy', { who });
  return typeof words === 'string'
    ? `${say('purchaseWords.operatorSaid', { words: words.replace(/\.$/, '') })}.`
    : errorWords(name, say);
};
