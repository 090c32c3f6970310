/** Defines postings: how money moves between accounts, and the resulting balances. Pure. */
import { assertAmount } from '../lib/money.ts';

/** A client's own two accounts, and the gateway's three on the other side. */
export type AccountName = 'available' | 'held' | 'funding' | 'sales' | 'corrections';

/** A client's money: available, held for purchases in flight, and the number of postings. */
export type Account = {
  readonly available: number;
  readonly held: number;
  readonly seq: number;
};

export const emptyAccount: Account = { available: 0, held: 0, seq: 0 };

/** One amount that leaves one account and enters another: it cannot be out of balance. */
export type Movement = {
  readonly from: AccountName;
  readonly to: AccountName;
  readonly amount: number;
};

/** Why money moves. Those about a purchase name it, and occur at most once for each purchase. */
export type Posting =
  | { readonly kind: 'deposit'; readonly amount: number; readonly note?: string }
  | {
      readonly kind: 'hold' | 'capture' | 'release' | 'reverse';
      readonly amount: number;
      readonly purchaseId: string;
    }
  /** The only kind in either direction, and never without a reason. */
  | { readonly kind: 'correction'; readonly amount: number; readonly note: string };

export const movementOf = (posting: Posting): Movement => {
  const { amount } = posting;
  switch (posting.kind) {
    case 'deposit':
      return { from: 'funding', to: 'available', amount };
    case 'hold':
      return { from: 'available', to: 'held', amount };
    case 'capture':
      return { from: 'held', to: 'sales', amount };
    case 'release':
      return { from: 'held', to: 'available', amount };
    case 'reverse':
      return { from: 'sales', to: 'available', amount };
    case 'correction':
      return amount < 0
        ? { from: 'available', to: 'corrections', amount: -amount }
        : { from: 'corrections', to: 'available', amount };
  }
};

/** The effect of a movement on one account. */
export const changeOf = (account: AccountName, movement: Movement): number => {
  if (movement.to === account) return movement.amount;
  return movement.from === account ? -movement.amount : 0;
};

/** A posting that would leave an account negative, or above the largest exact integer. */
export class LedgerError extends Error {
  override readonly name = 'LedgerError';
}

const assertBalance = (name: string, balance: number): void => {
  if (!Number.isSafeInteger(balance) || balance < 0) {
    throw new LedgerError(`A posting would leave ${name} at ${balance}.`);
  }
};

/** The account after a posting; throws rather than create, lose or owe money. */
export const post = (account: Account, posting: Posting): Account => {
  const movement = movementOf(posting);
  assertAmount(movement.amount);
  const available = account.available + changeOf('available', movement);
  const held = account.held + changeOf('held', movement);
  assertBalance('available', available);
  assertBalance('held', held);
  assertBalance('available and held together', available + held);
  return { available, held, seq: account.seq + 1 };
};
