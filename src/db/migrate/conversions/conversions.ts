/** Lists the migrations that convert rows by code: each by its number, a batch at a time. */
import type { Db } from '../../types.ts';
import { convertFacts } from './facts.ts';

/** Converts the next batch in the caller's transaction; false if nothing is left. */
export type Conversion = (db: Db) => Promise<boolean>;

export const conversions: ReadonlyMap<number, Conversion> = new Map([[26, convertFacts]]);
