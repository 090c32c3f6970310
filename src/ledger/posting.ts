/** Defines postings: how money moves between accounts, and the resulting balances. Pure. */
import { assertAmount } from '../lib/money.ts';

/** A client's own two accounts, and the gateway's three on the other side. */
export type AccountName = 'available' | 'held' | 'funding' | 'sales' | 'corrections';

/** A client's money: available, held for purchases in flight, and the number of postings. */
export type Balance = {
  /** Below zero while credit is used. */
  readonly available: number;
  readonly held: number;
  readonly seq: number;
};

export type Account = Balance & {
  /** How far a hold may take `available` below zero now. */
  readonly credit: number;
};

export const emptyAccount: Account = { available: 0, held: 0, seq: 0, credit: 0 };

type Credit = Pick<Account, 'available' | 'credit'>;

/** What a client can spend: nothing while it owes more than a limit that was lowered. */
export const spendable = ({ available, credit }: Credit): number => Math.max(0, available + credit);

/** How much credit is used: more than the limit if that was lowered. */
export const creditUsed = ({ available }: Pick<Account, 'available'>): number =>
  Math.max(0, -available);

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
      readonly kind: 'hold' | 'release';
      readonly amount: number;
      readonly purchaseId: string;
    }
  | {
      readonly kind: 'capture' | 'reverse';
      readonly amount: number;
      readonly purchaseId: string;
      /** The supplier that delivered, or reversed its delivery; null or absent if that is not known. */
      readonly supplierId?: number | null;
      /** What the delivery costs, negative where it is reversed; null or absent if that is not known. */
      readonly cost?: number | null;
      /** What the supplier said that lay there after a delivery; null or absent if it did not. */
      readonly supplierBalance?: number | null;
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

/** A posting that would take more than there is, or leave an account above the largest exact integer. */
export class LedgerError extends Error {
  override readonly name = 'LedgerError';
}

const assertBalance = (name: string, balance: number, least = 0): void => {
  if (!Number.isSafeInteger(balance) || balance < least) {
    throw new LedgerError(`A posting would leave ${name} at ${balance}.`);
  }
};

/** How far a posting may take `available`. Only holds use credit; what adds money is never refused for it. */
const leastAfter = ({ kind }: Posting, { credit }: Account, change: number): number => {
  if (change >= 0) return -Number.MAX_SAFE_INTEGER;
  return kind === 'hold' ? -credit : 0;
};

/** Sums that are shown must be exact too. */
export const assertShowable = ({ available, held, credit }: Account): void =>
  assertBalance(
    'available, held and credit together',
    available + held + credit,
    -Number.MAX_SAFE_INTEGER,
  );

/** The account after a posting; throws rather than create, lose or lend money beyond its credit. */
export const post = (account: Account, posting: Posting): Account => {
  const movement = movementOf(posting);
  assertAmount(movement.amount);
  const change = changeOf('available', movement);
  const available = account.available + change;
  const held = account.held + changeOf('held', movement);
  assertBalance('available', available, leastAfter(posting, account, change));
  assertBalance('held', held);
  const after = { available, held, seq: account.seq + 1, credit: account.credit };
  assertShowable(after);
  return after;
};
