/** Owns why a purchase is as it is, in plain words: the cause, and what became of the money. */
import type { Answer } from '../api/client.ts';
import type { Say } from '../i18n/text.ts';
import type { Format } from '../writing.ts';
import { isKnownReason, tell } from './told.ts';

export type Purchase = Answer<'getPurchase'>;

/** What was done with it just now, in words. */
export type Done = { readonly title: string; readonly text: string };

const messageIn = (body: string): string | undefined => {
  try {
    const read: unknown = JSON.parse(body);
    if (typeof read !== 'object' || read === null || !('message' in read)) return undefined;
    return typeof read.message === 'string' ? read.message : undefined;
  } catch {
    return undefined;
  }
};

/** The operator's own words, which stand in the answer that the client got. */
const operatorsWords = ({ answer }: Purchase): string | undefined => {
  const message = answer === null ? undefined : messageIn(answer.body);
  const [, words] = /^The mobile operator did not deliver: (.+)\. Nothing was charged\.$/s.exec(
    message ?? '',
  ) ?? [undefined, undefined];
  return words;
};

/** Why it was refused or failed. */
const causeOf = (purchase: Purchase, say: Say, format: Format): string => {
  const { reason } = purchase;
  if (reason === null) return '';
  const words = reason === 'OPERATOR_DECLINED' ? operatorsWords(purchase) : undefined;
  if (words !== undefined) {
    return `${say('purchaseWords.operatorSaid', { words: tell(words, say, format) })}.`;
  }
  if (isKnownReason(reason)) return say(`purchaseWords.reason.${reason}`);
  return say('purchaseWords.otherReason', { code: reason });
};

/** Sentences, the most telling one first. */
export const explain = (purchase: Purchase, say: Say, format: Format): readonly string[] => {
  const { state, amount, reason, disputed } = purchase;
  const charged = say(`purchaseWords.charged.${state}`, { amount: format.money(amount) });
  const means = say(`purchaseWords.means.${state}`);
  const contradiction =
    disputed === null
      ? []
      : [say('purchaseWords.disputedWord', { words: tell(disputed, say, format) })];
  switch (state) {
    case 'refused':
    case 'failed':
      return [causeOf(purchase, say, format), means, charged, ...contradiction].filter(Boolean);
    case 'unknown':
    case 'review': {
      const words = reason === null ? undefined : tell(reason, say, format);
      const last = words === undefined ? [] : [say('purchaseWords.lastWord', { words })];
      return [means, ...last, charged];
    }
    default:
      return [means, charged, ...contradiction];
  }
};
