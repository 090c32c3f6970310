/** Says why a purchase was refused or failed, in the language of the page. */
import type { Say } from '../i18n/keys.ts';
import type { Format } from '../writing.ts';
import { isKnownReason, translate } from './purchase-words.ts';

/** What the cause is read from. */
export type Ended = {
  readonly reason: string | null;
  readonly answer: { readonly body: string } | null;
  readonly decisions: readonly {
    readonly by: string;
    readonly before: Readonly<Record<string, unknown>>;
  }[];
};

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
const operatorsWords = ({ answer }: Ended): string | undefined => {
  const message = answer === null ? undefined : messageIn(answer.body);
  const [, words] = /^The mobile operator did not deliver: (.+)\. Nothing was charged\.$/s.exec(
    message ?? '',
  ) ?? [undefined, undefined];
  return words;
};

/** What earlier versions recorded as if the operator had refused, by the words in the recorded answer. */
const formerWords: ReadonlyMap<string | undefined, string> = new Map([
  ['that was found out by hand', 'NOT_DELIVERED'],
  ['it knows of no such order', 'ORDER_NOT_RECEIVED'],
]);

/** Why it was refused or failed. */
export const causeOf = (purchase: Ended, say: Say, format: Format): string => {
  if (purchase.reason === null) return '';
  const words = purchase.reason === 'OPERATOR_DECLINED' ? operatorsWords(purchase) : undefined;
  const reason = formerWords.get(words) ?? purchase.reason;
  if (reason === 'NOT_DELIVERED') {
    const who = purchase.decisions.find(({ before }) => before['state'] === 'review')?.by;
    if (who !== undefined) return say('purchaseWords.markedBy', { who });
  }
  if (words !== undefined && reason === 'OPERATOR_DECLINED') {
    return `${say('purchaseWords.operatorSaid', { words: translate(words, say, format) })}.`;
  }
  if (isKnownReason(reason)) return say(`purchaseWords.reason.${reason}`);
  return say('purchaseWords.otherReason', { code: reason });
};
