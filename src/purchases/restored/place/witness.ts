/** Remembers what this process saw committed: proof against a database that lacks some of it. */

import { isTestPurchase } from '../../../operators/supplier.ts';
import { type AdvanceItem, type AdvanceResult, PurchaseMissing } from '../../commit/advance.ts';
import type { BeginResult } from '../../commit/begin.ts';
import type { Posted } from '../../commit/posted.ts';
import type { Transact } from '../../commit/transact.ts';
import type { Purchase } from '../../purchase.ts';

/** A purchase recorded without a posting: a refusal. */
export type Recorded = { readonly clientId: string; readonly id: string };

/** What a database must hold. */
export type Claims = { readonly posted: readonly Posted[]; readonly recorded: readonly Recorded[] };

/** A purchase that began here, and its end if known. */
export type Held = Pick<
  Purchase,
  'clientId' | 'key' | 'id' | 'operatorId' | 'mobile' | 'price' | 'beganAt'
> & { readonly kind: 'ordered' | 'delivered' | 'refused' | 'reversed' };

/** A snapshot of all that a process knows. */
export type Known = Claims & { readonly held: readonly Held[] };

export type Witness = {
  readonly posted: (posting: Posted) => void;
  readonly recorded: (purchase: Recorded) => void;
  readonly holds: (held: Held) => void;
  /** The last of each client, the most recent clients last. */
  readonly claims: () => Claims;
  readonly known: () => Known;
  /** Grows with each claim. */
  readonly version: () => number;
  /** Forgets that, and nothing newer. */
  readonly forget: (known: Known) => void;
};

export type WitnessSize = { readonly clients: number; readonly held: number };

/** A map that keeps the most recently set entries. */
const recent = <Value>(most: number) => {
  const entries = new Map<string, Value>();
  let newest: string | undefined;
  const dropOldest = (): void => {
    const [oldest] = entries.keys();
    if (oldest !== undefined) entries.delete(oldest);
  };
  return {
    get: (key: string): Value | undefined => entries.get(key),
    set: (key: string, value: Value): void => {
      if (most === 0) return;
      // A map grows by what is deleted from it: a client that buys often stays where it is.
      if (key !== newest) entries.delete(key);
      entries.set(key, value);
      newest = key;
      if (entries.size > most) dropOldest();
    },
    values: (): Value[] => [...entries.values()],
    drop: (key: string, value: Value): void => {
      if (entries.get(key) === value) entries.delete(key);
    },
  };
};

export const createWitness = ({ clients, held }: WitnessSize): Witness => {
  const [postings, recordings] = [recent<Posted>(clients), recent<Recorded>(clients)];
  const purchases = recent<Held>(held);
  let version = 0;
  const claims = (): Claims => ({ posted: postings.values(), recorded: recordings.values() });
  return {
    posted: (posting) => {
      // Acknowledgements may arrive out of order.
      if ((postings.get(posting.clientId)?.seq ?? 0) >= posting.seq) return;
      postings.set(posting.clientId, posting);
      version += 1;
    },
    recorded: (purchase) => {
      recordings.set(purchase.clientId, purchase);
      version += 1;
    },
    holds: (one) => purchases.set(one.id, one),
    claims,
    known: () => ({ ...claims(), held: purchases.values() }),
    version: () => version,
    forget: ({ posted, recorded, held }) => {
      for (const one of posted) postings.drop(one.clientId, one);
      for (const one of recorded) recordings.drop(one.clientId, one);
      for (const one of held) purchases.drop(one.id, one);
      version += 1;
    },
  };
};

const kindOf = (purchase: Purchase): Held['kind'] => {
  switch (purchase.state) {
    case 'succeeded':
      return 'delivered';
    case 'reversed':
      return 'reversed';
    case 'failed':
      return 'refused';
    default:
      return 'ordered';
  }
};

const heldOf = (purchase: Purchase): Held => {
  const { clientId, key, id, operatorId, mobile, price, beganAt } = purchase;
  return { clientId, key, id, operatorId, mobile, price, beganAt, kind: kindOf(purchase) };
};

/** The end of an order whose purchase the database lacks. */
const endOf = ({ move }: AdvanceItem): Held['kind'] => {
  if (move.kind !== 'order' && move.kind !== 'inquiry') return 'ordered';
  const { kind } = move.outcome;
  if (kind === 'done') return 'delivered';
  return kind === 'refused' || kind === 'reversed' ? kind : 'ordered';
};

/** The same transactions, remembering what was acknowledged; calls `missing` if a purchase has vanished. */
export const witnessedTransact = (
  transact: Transact,
  witness: Witness,
  missing: () => void,
): Transact => {
  const remember = ({ purchase, posted }: BeginResult | AdvanceResult): void => {
    for (const one of posted ?? []) witness.posted(one);
    if (purchase.state === 'refused') witness.recorded(purchase);
    // What a test client lost is no sale.
    else if (!isTestPurchase(purchase)) witness.holds(heldOf(purchase));
  };
  return {
    ...transact,
    begin: async (item) => {
      const result = await transact.begin(item);
      if (result.ours) remember(result);
      return result;
    },
    advance: async (item) => {
      try {
        const result = await transact.advance(item);
        if (result.moved) remember(result);
        return result;
      } catch (error) {
        if (error instanceof PurchaseMissing && item.seen !== undefined) {
          if (!isTestPurchase(item.seen)) {
            witness.holds({ ...heldOf(item.seen), kind: endOf(item) });
          }
          missing();
        }
        throw error;
      }
    },
  };
};
