/** Holds the SQL of the database's place: where it is, which instances sell from it, and what they vouch for. */
import { sqlOf } from '../../../db/engine.ts';
import { type RowsText, readRows, runText, tableOf } from '../../../db/statement.ts';
import type { Tables } from '../../../db/tables/tables.ts';
import type { Db } from '../../../db/types.ts';
import type { Posted } from '../../commit/posted.ts';
import {
  changedPart,
  type Instance,
  type Place,
  replacedBy,
  type Vouch,
  type VouchAnswer,
} from './place.ts';
import type { Claims, Held, Recorded } from './witness.ts';

/** The current place, with its signature: what each transaction of a purchase sees of it. */
export type SeenPlace = Place & { readonly signature: string; readonly now: number };

/** Reads the database's place; undefined for a file. Fails on a standby. */
export const readPlace = async (db: Db): Promise<SeenPlace | undefined> => {
  const { place } = sqlOf(db);
  if (place === undefined) return undefined;
  const [row] = await runText<SeenPlace>(db, place, []);
  return row;
};

/** The file of a database; undefined for PostgreSQL, and in memory. */
export const fileOfDatabase = async (db: Db): Promise<string | undefined> => {
  if (sqlOf(db).name !== 'sqlite') return undefined;
  const text = `select file from pragma_database_list where name = 'main'`;
  const [row] = await runText<{ file: string }>(db, text, []);
  return row === undefined || row.file === '' ? undefined : row.file;
};

/** Whether there is any account: a new database has none. */
export const hasAccounts = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('accounts').select('client_id').limit(1).executeTakeFirst()) !== undefined;

export const findPlace = async (db: Db): Promise<Omit<SeenPlace, 'now'> | undefined> =>
  db
    .selectFrom('place')
    .select(['system_id', 'database_oid', 'accounts_oid', 'timeline', 'signature'])
    .executeTakeFirst();

/** Whether the database is in another place than the recorded one. */
export const isElsewhere = async (db: Db): Promise<boolean> => {
  const [seen, recorded] = [await readPlace(db), await findPlace(db)];
  if (seen === undefined || recorded === undefined) return false;
  return changedPart(recorded, seen) !== undefined;
};

export const savePlace = async (db: Db, { now, ...place }: SeenPlace): Promise<void> => {
  const row = { ...place, recorded_at: now };
  await db
    .insertInto('place')
    .values({ id: 1, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute();
};

export const listInstances = (db: Db): Promise<Instance[]> =>
  runText<Instance>(db, 'select id, beat from instances order by id', []);

const beatText = `insert into instances (id, started_at, beat, seen_at) values (?, ?, ?, ?)
  on conflict (id) do update set beat = instances.beat + 1, seen_at = excluded.seen_at
  returning beat`;

/** Writes a heartbeat: registers an instance, or renews it. Returns the heartbeat. */
export const beatInstance = async (
  db: Db,
  { id, beat }: Instance,
  seen_at: number,
): Promise<number> => {
  const [row] = await runText<Pick<Instance, 'beat'>>(db, beatText, [id, seen_at, beat, seen_at]);
  return row?.beat ?? beat;
};

/** Records that the server was restarted: from now on only instances that examine it and beat are seen. */
export const forgetSeen = async (db: Db): Promise<void> => {
  await db.updateTable('instances').set({ seen_at: 0 }).execute();
};

/** Whether an instance has not examined the server since its restart. */
export const hasUnseen = async (db: Db): Promise<boolean> =>
  (await runText(db, 'select id from instances where seen_at = ? limit 1', [0])).length > 0;

/** Deletes an instance; with a heartbeat, only if there was none since. */
export const deleteInstance = async (db: Db, id: string, beat?: number): Promise<void> => {
  const all = db.deleteFrom('instances').where('id', '=', id);
  await (beat === undefined ? all : all.where('beat', '=', beat)).execute();
};

/** Expects each instance to vouch; earlier statements stand. */
export const expectVouches = async (
  db: Db,
  restoreId: string,
  vouches: readonly Vouch[],
): Promise<void> => {
  if (vouches.length === 0) return;
  await db
    .insertInto('vouches')
    .values(vouches.map((vouch) => ({ restore_id: restoreId, ...vouch, at: null })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
};

/** Saves an instance's statement, unless it has made a worse one: an examination may come twice. */
export const saveVouch = async (
  db: Db,
  { restoreId, instanceId }: { readonly restoreId: string; readonly instanceId: string },
  said: { readonly result: VouchAnswer; readonly at: number },
): Promise<void> => {
  await db
    .insertInto('vouches')
    .values({ restore_id: restoreId, instance_id: instanceId, ...said })
    .onConflict((conflict) =>
      conflict
        .columns(['restore_id', 'instance_id'])
        .doUpdateSet(said)
        .where('vouches.result', 'in', replacedBy[said.result]),
    )
    .execute();
};

const vouchesText =
  'select instance_id, result from vouches where restore_id = ? order by instance_id';

export const listVouches = (db: Db, restoreId: string): Promise<Vouch[]> =>
  runText<Vouch>(db, vouchesText, [restoreId]);

/** Records that the awaited instances did not answer. */
export const endWaiting = async (db: Db, restoreId: string, at: number): Promise<void> => {
  await db
    .updateTable('vouches')
    .set({ result: 'absent', at })
    .where('restore_id', '=', restoreId)
    .where('result', '=', 'waiting')
    .execute();
};

const postingText: RowsText = {
  one: 'select client_id, seq, kind, purchase_id from postings where client_id = ? and seq = ?',
  many: `select client_id, seq, kind, purchase_id from postings where (client_id, seq) in (
    select client_id, seq from ${tableOf({ client_id: 'text', seq: 'bigint' })})`,
};

const nameText: RowsText = {
  one: 'select client_id, id from purchases where client_id = ? and id = ?',
  many: `select client_id, id from purchases where (client_id, id) in (
    select client_id, id from ${tableOf({ client_id: 'text', id: 'text' })})`,
};

// As many as one statement handles easily.
const atATime = 500;

const inParts = async <Item, Row>(
  items: readonly Item[],
  read: (some: readonly Item[]) => Promise<readonly Row[]>,
): Promise<Row[]> => {
  const all: Row[] = [];
  for (let from = 0; from < items.length; from += atATime) {
    all.push(...(await read(items.slice(from, from + atATime))));
  }
  return all;
};

const missingPostings = async (db: Db, posted: readonly Posted[]): Promise<Posted[]> => {
  type Row = Pick<Tables['postings'], 'client_id' | 'seq' | 'kind' | 'purchase_id'>;
  const nameOf = (...parts: readonly unknown[]): string => parts.join(' ');
  const rows = await inParts(posted, (some) =>
    readRows<Row>(
      db,
      postingText,
      some.map(({ clientId, seq }) => [clientId, seq]),
    ),
  );
  const there = new Set(
    rows.map(({ client_id, seq, kind, purchase_id }) => nameOf(client_id, seq, kind, purchase_id)),
  );
  return posted.filter(
    ({ clientId, seq, kind, purchaseId }) => !there.has(nameOf(clientId, seq, kind, purchaseId)),
  );
};

/** The purchases that the database does not know. */
export const missingPurchases = async <Named extends Recorded | Held>(
  db: Db,
  purchases: readonly Named[],
): Promise<Named[]> => {
  const rows = await inParts(purchases, (some) =>
    readRows<{ client_id: string; id: string }>(
      db,
      nameText,
      some.map(({ clientId, id }) => [clientId, id]),
    ),
  );
  const there = new Set(rows.map(({ id }) => id));
  return purchases.filter(({ id }) => !there.has(id));
};

/** How many of the claims the database contradicts. */
export const countContradictions = async (db: Db, claims: Claims): Promise<number> => {
  const postings = await missingPostings(db, claims.posted);
  const purchases = await missingPurchases(db, claims.recorded);
  return postings.length + purchases.length;
};

const restartText = `update purchases set
    quiet_at = cast(? as bigint) + quiet_at - send_before,
    send_before = cast(? as bigint), due_at = cast(? as bigint)
  where due_at is not null`;

/**
 * Restarts the quiet time of all open purchases by the database's current clock: an order sent by another
 * clock may still arrive. Its length was written with the attempt. A claimed purchase stays claimed for a
 * lease.
 */
export const restartQuietTimes = async (
  db: Db,
  { sendBefore, dueAt }: { readonly sendBefore: number; readonly dueAt: number },
): Promise<void> => {
  await runText(db, restartText, [sendBefore, sendBefore, dueAt]);
};

const forgottenText = `select ref from forgotten where client_id = ? and idempotency_key = ?
  and restore_id in (select id from restores where opened_at is null) limit 1`;

/** The purchase that was lost under a key, until its restore is opened. */
export const findForgotten = async (
  db: Db,
  { clientId, key }: { readonly clientId: string; readonly key: string },
): Promise<string | undefined> => {
  const [row] = await runText<{ ref: string }>(db, forgottenText, [clientId, key]);
  return row?.ref;
};
