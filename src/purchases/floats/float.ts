/** Computes a supplier's float: what lies there, for how long it lasts, and how far its own book is from ours. Pure. */

/** What our books say of a supplier. */
export type FloatBooks = {
  readonly supplierId: number;
  /** What people recorded; null if they have recorded nothing: then there is no float to watch. */
  readonly entries: number | null;
  /** The cost of captures and reversals. */
  readonly captured: number;
  /** What was learnt besides. */
  readonly learnt: number;
  /** The cost of orders without an end. */
  readonly inFlight: number;
  /** The cost of the last hours. */
  readonly recent: number;
  /** How many deliveries of this hour and the last cost more than was charged. */
  readonly losses: number;
};

/** What the supplier said last. */
export type SaidBalance = {
  readonly balance: number;
  readonly at: number;
  readonly drift: number;
};

export type Float = {
  readonly supplierId: number;
  readonly held: number;
  readonly inFlight: number;
  /** What new orders may cost. */
  readonly free: number;
  /** The cost of an hour at the present rate. */
  readonly perHour: number;
  /** For how many hours it lasts; null while nothing is sold. */
  readonly coverHours: number | null;
};

/** How many hours the present rate looks back. */
export const recentHours = 6;

export const heldIn = ({ entries, captured, learnt }: FloatBooks): number =>
  (entries ?? 0) - captured - learnt;

/** Undefined for a supplier whose float is not watched. */
export const floatOf = (books: FloatBooks): Float | undefined => {
  if (books.entries === null) return undefined;
  const held = heldIn(books);
  const perHour = Math.max(0, Math.round(books.recent / recentHours));
  return {
    supplierId: books.supplierId,
    held,
    inFlight: books.inFlight,
    free: held - books.inFlight,
    perHour,
    coverHours: perHour === 0 ? null : Math.max(0, held / perHour),
  };
};

/** Whether an order of this cost may go there. One whose cost is not known needs any float at all. */
export const coversCost = (float: Float | undefined, cost: number | undefined): boolean =>
  float === undefined || float.free >= Math.max(1, cost ?? 1);

export const floatLevels = ['enough', 'approaching', 'low', 'empty'] as const;
export type FloatLevel = (typeof floatLevels)[number];

/** Below so many hours a level is reached; above a quarter more it ends. */
export const hoursOf = { approaching: 24, low: 6 } as const;

export const levelOf = ({ free, coverHours }: Float): FloatLevel => {
  if (free <= 0) return 'empty';
  if (coverHours === null || coverHours >= hoursOf.approaching) return 'enough';
  return coverHours < hoursOf.low ? 'low' : 'approaching';
};

/**
 * How far a supplier's own balance is from our books, which were read before and after it was asked. Orders in
 * flight may be delivered or not: a balance in between is no drift.
 */
export const driftOf = (balance: number, before: FloatBooks, after: FloatBooks): number => {
  const most = Math.max(heldIn(before), heldIn(after));
  const least = Math.min(heldIn(before), heldIn(after)) - Math.max(before.inFlight, after.inFlight);
  if (balance > most) return balance - most;
  return balance < least ? balance - least : 0;
};
