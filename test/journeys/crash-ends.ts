/** Lists the points of a purchase, and how it ends after a crash at each. */

/** The outcome of the dead process's purchase. */
export type End =
  /** It had left nothing behind, and the repeat bought. */
  | 'begun again'
  /** It had ordered nothing, which is proven, and the money is released. */
  | 'failed'
  /** It was delivered, and is paid for. */
  | 'sold';

/** Every point between the first statement and the last, and the end after a death there. */
export const sale: Readonly<Record<string, End>> = {
  'look up: before the look for the key': 'begun again',
  'look up: after the look for the key': 'begun again',
  'begin: before begin': 'begun again',
  'begin: after begin': 'begun again',
  'begin: after the lock on the account': 'begun again',
  'begin: after the insert of the purchase': 'begun again',
  'begin: after the insert of the posting': 'begun again',
  'begin: after the update of the account': 'begun again',
  'begin: after commit': 'failed',
  'order: before it is sent': 'failed',
  'order: after the delivery, before the answer': 'sold',
  'settle: before begin': 'sold',
  'settle: after begin': 'sold',
  'settle: after the lock on the account': 'sold',
  'settle: after the update of the purchase': 'sold',
  'settle: after the insert of the posting': 'sold',
  'settle: after the update of the account': 'sold',
  'settle: after commit': 'sold',
};

/** The path of a purchase whose answer is lost, from the order on. */
export const lost: Readonly<Record<string, End>> = {
  'settle: before begin': 'sold',
  'settle: after begin': 'sold',
  'settle: after the lock on the account': 'sold',
  'settle: after the update of the purchase': 'sold',
  'settle: after the insert of the note': 'sold',
  'settle: after commit': 'sold',
  'settle: before the look for the key': 'sold',
  'settle: after the look for the key': 'sold',
  'take: before the bringing forward': 'sold',
  'take: after the bringing forward': 'sold',
  'take: before the claim': 'sold',
  'take: after the claim': 'sold',
  'inquiry: before it is sent': 'sold',
  'inquiry: after the answer': 'sold',
  'settle the inquiry: before begin': 'sold',
  'settle the inquiry: after begin': 'sold',
  'settle the inquiry: after the lock on the account': 'sold',
  'settle the inquiry: after the look for the purchase': 'sold',
  'settle the inquiry: after the update of the purchase': 'sold',
  'settle the inquiry: after the insert of the note': 'sold',
  'settle the inquiry: after the insert of the posting': 'sold',
  'settle the inquiry: after the update of the account': 'sold',
  'settle the inquiry: after commit': 'sold',
};

/** The path of a server that takes over what was never sent, from an operator that deduplicates. */
export const recovery: Readonly<Record<string, End>> = {
  'take: before the taking over': 'sold',
  'take: after the taking over': 'sold',
  'take: before the bringing forward': 'sold',
  'take: after the bringing forward': 'sold',
  'take: before the claim': 'sold',
  'take: after the claim': 'sold',
  'inquiry: before it is sent': 'sold',
  'inquiry: after the answer': 'sold',
  'settle the inquiry: before begin': 'sold',
  'settle the inquiry: after begin': 'sold',
  'settle the inquiry: after the lock on the account': 'sold',
  'settle the inquiry: after the look for the purchase': 'sold',
  'settle the inquiry: after the update of the purchase': 'sold',
  'settle the inquiry: after the insert of the note': 'sold',
  'settle the inquiry: after commit': 'sold',
  'take: before the claim, time 2': 'sold',
  'take: after the claim, time 2': 'sold',
  'inquiry: before it is sent, time 2': 'sold',
  'inquiry: after the answer, time 2': 'sold',
  'settle the inquiry: before begin, time 2': 'sold',
  'settle the inquiry: after begin, time 2': 'sold',
  'settle the inquiry: after the lock on the account, time 2': 'sold',
  'settle the inquiry: after the look for the purchase, time 2': 'sold',
  'settle the inquiry: after the update of the purchase, time 2': 'sold',
  'settle the inquiry: after the insert of the note, time 2': 'sold',
  'settle the inquiry: after commit, time 2': 'sold',
  'order: before it is sent': 'sold',
  'order: after the delivery, before the answer': 'sold',
  'settle: before begin': 'sold',
  'settle: after begin': 'sold',
  'settle: after the lock on the account': 'sold',
  'settle: after the update of the purchase': 'sold',
  'settle: after the insert of the posting': 'sold',
  'settle: after the update of the account': 'sold',
  'settle: after commit': 'sold',
};
