/** Says what a decision does to the money, and to the answer under the key. Pure. */
import type { ReviewOutcome } from './evidence.ts';
import { isDisputed, type Undecided } from './undecided.ts';

export const moneyCodes = ['unchanged', 'released', 'charged', 'charged_and_refunded'] as const;

export type MoneyEffect = {
  readonly code: (typeof moneyCodes)[number];
  /** The held amount. */
  readonly amount: number;
};

export const moneyOf = (
  purchase: Undecided,
  verdict: ReviewOutcome,
  isReversed: boolean,
): MoneyEffect => {
  const amount = purchase.charged;
  if (isDisputed(purchase)) return { code: 'unchanged', amount };
  if (verdict === 'failed') return { code: 'released', amount };
  return { code: isReversed ? 'charged_and_refunded' : 'charged', amount };
};

export const moneyWords = ({ code, amount }: MoneyEffect): string => {
  switch (code) {
    case 'unchanged':
      return 'No money moves, and the client keeps the recorded answer.';
    case 'released':
      return `The held ${amount} is released, and the key answers 422 from now on.`;
    case 'charged':
      return `The held ${amount} is charged, and the key answers 200 from now on.`;
    case 'charged_and_refunded':
      return `The held ${amount} is charged and then refunded, because the operator reversed the delivery; the key answers 200 from now on.`;
  }
};
