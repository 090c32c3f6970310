/** Names the currency wherever a command prints amounts. */
import type { Db } from '../db/types.ts';
import { writeAmount } from '../settings/currency.ts';
import { readSettings } from '../settings/settings.ts';

export type Amounts = {
  /** The code for machines; null if no currency is set. */
  readonly currency: string | null;
  /** An amount within a sentence. */
  readonly write: (amount: number) => string;
  /** The title of a column of amounts. */
  readonly title: (name: string) => string;
};

export const readAmounts = async (db: Db): Promise<Amounts> => {
  const { currency } = await readSettings(db);
  return {
    currency: currency?.code ?? null,
    write: (amount) => writeAmount(currency, amount),
    title: (name) => (currency === null ? name : `${name} (${currency.code})`),
  };
};
