/** Converts what earlier versions recorded in words into codes and values, a batch at a time. */
import { sql } from 'kysely';
import type { Db } from '../../types.ts';
import {
  factOfDispute,
  factOfNote,
  factOfReason,
  factOfRestore,
  type OldFact,
} from './old-facts.ts';

// As many as one statement handles easily.
const atATime = 500;

const valuesOf = ({ values }: OldFact): string => JSON.stringify(values);

type OldNote = {
  readonly client_id: string;
  readonly purchase_id: string;
  readonly seq: number;
  readonly kind: string;
  readonly detail: string;
  readonly at: number;
};

/** Moves notes from the old table to the new one: the rest of the old one is not converted yet. */
const convertNotes = async (db: Db): Promise<number> => {
  const { rows } = await sql<OldNote>`
    select client_id, purchase_id, seq, kind, detail, at from purchase_notes_in_words
    order by client_id, purchase_id, seq limit ${sql.lit(atATime)}`.execute(db);
  const last = rows.at(-1);
  if (last === undefined) return 0;
  const converted = rows.map(({ client_id, purchase_id, seq, kind, detail, at }) => {
    const fact = factOfNote(kind, detail);
    return sql`(${sql.join([client_id, purchase_id, seq, kind, fact.code, valuesOf(fact), at])})`;
  });
  await sql`insert into purchase_notes (client_id, purchase_id, seq, kind, code, fact_values, at)
    values ${sql.join(converted)}`.execute(db);
  await sql`delete from purchase_notes_in_words where (client_id, purchase_id, seq)
    <= (${last.client_id}, ${last.purchase_id}, ${last.seq})`.execute(db);
  return rows.length;
};

type Worded = {
  readonly client_id: string;
  readonly id: string;
  readonly reason: string | null;
  readonly disputed: string | null;
};

// Each condition begins with that of a partial index, word for word: only its few rows are read.
const unsettled = {
  open: sql`due_at is not null and reason is not null and reason_values is null`,
  review: sql`(state = 'review' or disputed is not null) and
    (state = 'review' and reason is not null and reason_values is null or
      disputed is not null and disputed_values is null)`,
};

/** Converts the reasons and disputes of open purchases; settled ones have codes already. */
const convertReasons = async (db: Db, which: keyof typeof unsettled): Promise<number> => {
  const { rows } = await sql<Worded>`select client_id, id, disputed,
    case when answer_status is null then reason end as reason
    from purchases where ${unsettled[which]} limit ${sql.lit(atATime)}`.execute(db);
  for (const { client_id, id, reason, disputed } of rows) {
    const byId = sql`where client_id = ${client_id} and id = ${id}`;
    if (reason !== null) {
      const fact = factOfReason(reason);
      await sql`update purchases set reason = ${fact.code}, reason_values = ${valuesOf(fact)}
        ${byId} and reason_values is null`.execute(db);
    }
    if (disputed !== null) {
      const fact = factOfDispute(disputed);
      await sql`update purchases set disputed = ${fact.code}, disputed_values = ${valuesOf(fact)}
        ${byId} and disputed_values is null`.execute(db);
    }
  }
  return rows.length;
};

type Asked = { readonly restore_id: string; readonly operator_id: number; readonly detail: string };

const convertRestores = async (db: Db): Promise<number> => {
  const { rows } = await sql<Asked>`select restore_id, operator_id, detail from restore_operators
    where detail <> '' limit ${sql.lit(atATime)}`.execute(db);
  for (const { restore_id, operator_id, detail } of rows) {
    const fact = factOfRestore(detail);
    await sql`update restore_operators set detail = '', code = ${fact.code},
      fact_values = ${valuesOf(fact)}
      where restore_id = ${restore_id} and operator_id = ${operator_id}`.execute(db);
  }
  return rows.length;
};

/** Converts the next batch in the caller's transaction; false if nothing is left. */
export const convertFacts = async (db: Db): Promise<boolean> =>
  (await convertNotes(db)) > 0 ||
  (await convertReasons(db, 'open')) > 0 ||
  (await convertReasons(db, 'review')) > 0 ||
  (await convertRestores(db)) > 0;
