/** Counts the promises that suppliers broke: what they denied was delivered. No purchase moves on from them. */
import { type FollowingText, insertRows, runText, type Write } from '../../db/statement.ts';
import type { Db } from '../../db/types.ts';
import type { Purchase } from '../purchase.ts';

const insertText = insertRows('broken_promises', ' on conflict do nothing');

/** A purchase counts once for each supplier, however often it is heard of. */
export const brokenToWrite = (
  broken: readonly { readonly of: Purchase; readonly by: number }[],
  at: number,
): Write<FollowingText> => ({
  text: insertText,
  rows: broken.map(({ of, by }) => [by, of.clientId, of.id, at, null]),
});

const countText = `select supplier_id as "supplierId", count(*) as broken from broken_promises
  where closed_at is null group by supplier_id`;

/** How many promises each supplier has broken since a person trusted it. */
export const countBroken = async (db: Db): Promise<ReadonlyMap<number, number>> => {
  const rows = await runText<{ supplierId: number; broken: number }>(db, countText, []);
  return new Map(rows.map(({ supplierId, broken }) => [supplierId, broken]));
};

const closeText = `update broken_promises set closed_at = ?
  where supplier_id = ? and closed_at is null returning purchase_id`;

/** A person trusts the supplier again. Returns how many promises it had broken. */
export const closeBroken = async (db: Db, supplierId: number, at: number): Promise<number> =>
  (await runText(db, closeText, [at, supplierId])).length;

export type Promises = {
  /** How many promises a supplier has broken. */
  readonly brokenBy: (supplierId: number) => number;
  readonly refresh: () => Promise<void>;
};

/** In memory: other instances learn of a broken promise within seconds. */
export const createPromises = (db: Db): Promises => {
  let broken: ReadonlyMap<number, number> = new Map();
  return {
    brokenBy: (supplierId) => broken.get(supplierId) ?? 0,
    refresh: async () => {
      broken = await countBroken(db);
    },
  };
};
