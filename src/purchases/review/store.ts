/** Holds the SQL of recorded decisions: who decided what and why. Rows are added and never changed. */
import { columnsOf } from '../../db/tables/tables.ts';
import type { Db } from '../../db/types.ts';
import type { Fact } from '../facts/facts.ts';

export type Decision = {
  readonly id: string;
  readonly at: number;
  readonly actor: string;
  readonly action:
    | 'purchase resolve'
    | 'restore'
    | 'restore accept'
    | 'restore open'
    | 'restore moved'
    | 'move'
    | 'move undo';
  /** The purchase or the restore that it is about. */
  readonly subject: string;
  readonly before: Readonly<Record<string, unknown>>;
  readonly after: Readonly<Record<string, unknown>>;
  /** The basis of a purchase's decision; for the others a word or two. */
  readonly evidence: string | readonly Fact[];
  readonly forced: boolean;
  readonly reason: string;
};

/** Belongs in the transaction of the decision. */
export const insertDecision = async (db: Db, decision: Decision): Promise<void> => {
  const { before, after, forced, evidence, ...plain } = decision;
  const [text, facts] =
    typeof evidence === 'string' ? [evidence, null] : ['', JSON.stringify(evidence)];
  await db
    .insertInto('audit')
    .values({
      ...plain,
      evidence: text,
      facts,
      before_it: JSON.stringify(before),
      after_it: JSON.stringify(after),
      forced: forced ? 1 : 0,
    })
    .execute();
};

const auditColumns = columnsOf('audit');

export const readDecisions = async (db: Db, subject: string) =>
  db
    .selectFrom('audit')
    .select(auditColumns)
    .where('subject', '=', subject)
    .orderBy('id')
    .execute();
