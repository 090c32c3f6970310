/** Copies rows in batches, each one transaction with the progress, so that it survives any interruption. */
import { UsageError } from '../../lib/errors.ts';
import { isUnavailable } from '../errors.ts';
import { insertRows, writeRows } from '../statement.ts';
import type { Db } from '../types.ts';
import { storableRow } from './digest.ts';
import { type MoveMark, updateMark } from './mark.ts';
import type { CarriedTable } from './plan.ts';
import { type Progress, progressText, readProgress } from './progress.ts';
import { keyOf, type RowValues, readRowsOf } from './rows.ts';

export type CopyEvents = {
  /** Receives how many more rows are copied, after the commit. */
  readonly copied: (rows: number) => void;
  /** Called for a row whose text had a NUL, which became U+FFFD. */
  readonly replaced: (table: CarriedTable['name']) => void;
};

const refusedBy = (table: CarriedTable, error: unknown): unknown => {
  if (!(error instanceof Error) || error instanceof UsageError || isUnavailable(error)) {
    return error;
  }
  const why = 'constraint' in error ? ` (${String(error.constraint)})` : '';
  return new UsageError(
    `The target refuses a row of the table ${table.name}${why}: ${error.message}. The source is unchanged, and nothing was marked as moved.`,
    { cause: error },
  );
};

type Copying = {
  readonly source: Db;
  readonly target: Db;
  readonly events: CopyEvents;
  readonly batchRows: number;
};

/** Writes a batch and moves the progress in one transaction. */
const writeBatch = async (
  { target }: Copying,
  table: CarriedTable,
  { rows, mark, progress }: { rows: readonly RowValues[]; mark: MoveMark; progress: Progress },
): Promise<MoveMark> => {
  try {
    return await target.transaction().execute(async (db) => {
      const next = await updateMark(db, mark, { progress: progressText(progress) });
      if (rows.length > 0) await writeRows(db, insertRows(table.name), rows);
      return next;
    });
  } catch (error) {
    throw refusedBy(table, error);
  }
};

const copyTable = async (
  copying: Copying,
  table: CarriedTable,
  before: MoveMark,
): Promise<MoveMark> => {
  const { finished, current } = readProgress(before.progress);
  let mark = before;
  let rows = current?.rows ?? 0;
  let batch: RowValues[] = [];
  const flush = async (isLast: boolean): Promise<void> => {
    const last = batch.at(-1);
    rows += batch.length;
    const progress: Progress =
      isLast || last === undefined
        ? { finished: [...finished, table.name], current: null }
        : { finished, current: { table: table.name, rows, after: [...keyOf(table, last)] } };
    mark = await writeBatch(copying, table, { rows: batch, mark, progress });
    copying.events.copied(batch.length);
    batch = [];
  };
  const part = current === null ? {} : { after: current.after };
  for await (const row of readRowsOf(copying.source, table, part)) {
    const stored = storableRow(row);
    if (stored !== row) copying.events.replaced(table.name);
    batch.push(stored);
    if (batch.length === copying.batchRows) await flush(false);
  }
  await flush(true);
  return mark;
};

/** Copies what the target lacks; returns its mark when all is there. */
export const copyRows = async (
  copying: Copying,
  plan: readonly CarriedTable[],
  before: MoveMark,
): Promise<MoveMark> => {
  let mark = before;
  for (const table of plan) {
    const { finished } = readProgress(mark.progress);
    if (finished.includes(table.name)) continue;
    mark = await copyTable(copying, table, mark);
  }
  return mark;
};
