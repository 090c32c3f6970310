/** Holds the SQL that fills in which system older purchases were sent to. */
import { runText } from '../../db/statement.ts';
import type { Tables } from '../../db/tables/tables.ts';
import type { Db } from '../../db/types.ts';

type FileRow = Tables['operator_files'];

export const listFiles = (db: Db): Promise<Pick<FileRow, 'operator_id'>[]> =>
  db.selectFrom('operator_files').select('operator_id').orderBy('operator_id').execute();

/** Takes the record of an operator's file: of two starting servers, one gets it. */
export const takeFile = (
  db: Db,
  operatorId: number,
): Promise<Pick<FileRow, 'digest' | 'changed_at'> | undefined> =>
  db
    .deleteFrom('operator_files')
    .where('operator_id', '=', operatorId)
    .returning(['digest', 'changed_at'])
    .executeTakeFirst();

// Each condition is that of a partial index, word for word: only its few rows are read.
const unsettled = ['due_at is not null', `(state = 'review' or disputed is not null)`];
const fillTexts = unsettled.map(
  (condition) => `update purchases set sent_to = ?
    where ${condition} and operator_id = ? and sent_to is null and began_at >= ?`,
);

export const fillSystem = async (
  db: Db,
  operatorId: number,
  filled: { readonly system: string; readonly beganFrom: number },
): Promise<void> => {
  for (const text of fillTexts) {
    await runText(db, text, [filled.system, operatorId, filled.beganFrom]);
  }
};
