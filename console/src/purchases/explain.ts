/** Explains a purchase's state: its cause, and what happened to the money. */
import type { Answer } from '../api/client.ts';
import type { Say } from '../i18n/text.ts';
import type { Format } from '../writing.ts';
import { causeOf } from './cause.ts';
import { factWords } from './facts.ts';

export type Purchase = Answer<'getPurchase'>;

/** What just happened to it, in words. */
export type Done = { readonly title: string; readonly text: string };

/** Sentences, the most important one first. */
export const explain = (purchase: Purchase, say: Say, format: Format): readonly string[] => {
  const { state, amount, reason, disputed } = purchase;
  const charged = say(`purchaseWords.charged.${state}`, { amount: format.money(amount) });
  const means = say(`purchaseWords.means.${state}`);
  const contradiction =
    disputed === null
      ? []
      : [say('purchaseWords.disputedWord', { words: factWords(disputed, say, format) })];
  switch (state) {
    case 'refused':
    case 'failed':
      return [causeOf(purchase, say), means, charged, ...contradiction].filter(Boolean);
    case 'unknown':
    case 'review': {
      const words = reason === null ? undefined : factWords(reason, say, format);
      const last = words === undefined ? [] : [say('purchaseWords.lastWord', { words })];
      return [means, ...last, charged];
    }
    default:
      return [means, charged, ...contradiction];
  }
};
