/** Finds a purchase by its idempotency key, the first step of every request. */
import { sqlOf } from '../../db/engine.ts';
import { isUnavailable } from '../../db/errors.ts';
import type { Db } from '../../db/types.ts';
import { createBatch } from '../../lib/batch.ts';
import { createThrottle, systemClock } from '../../lib/clock.ts';
import type { Purchase, PurchaseRequest } from '../purchase.ts';
import { findByKey, findByKeys } from '../store.ts';

type Key = Pick<PurchaseRequest, 'clientId' | 'key'>;

/** The purchase of a key, synchronously if possible; undefined if there is none. */
export type KeyLookup = (key: Key) => Purchase | undefined | Promise<Purchase | undefined>;

const findAll = async (db: Db, keys: readonly Key[]): Promise<(Purchase | undefined)[]> => {
  const nameOf = ({ clientId, key }: Key): string => `${clientId} ${key}`;
  const found = new Map((await findByKeys(db, keys)).map((one) => [nameOf(one), one]));
  return keys.map((key) => found.get(nameOf(key)));
};

// As many as begin together.
const mostAtOnce = 64;

// Less than a busy lookup takes; without it most lookups would be for one key. It saves work and decides
// nothing, so it uses the system's time.
const pauseMs = 3;

/**
 * Over a network a round trip costs more than the lookup: keys requested during a lookup share the next one.
 * A database in this process is asked at once.
 */
export const createKeyLookup = (db: Db): KeyLookup =>
  sqlOf(db).name === 'postgres'
    ? createBatch({
        run: (keys: readonly Key[]) => findAll(db, keys),
        most: mostAtOnce,
        gather: createThrottle(systemClock, pauseMs),
        meetsAll: isUnavailable,
      })
    : (key) => findByKey(db, key);
