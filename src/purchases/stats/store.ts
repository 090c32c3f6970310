/** Holds the SQL of the rollups: adds to them, reads them for a chart, and deletes old rows. */
import { addTo, insertRows, runText, writeRows } from '../../db/statement.ts';
import { columnsOf } from '../../db/tables/tables.ts';
import type { Db } from '../../db/types.ts';
import type { CountsRow, Span, StatsRows } from './rows.ts';
import { countKinds } from './tally.ts';

const countColumns = columnsOf('stats');
const timesColumns = columnsOf('stats_times');

const countsText = insertRows('stats', addTo('stats', 'span, at, operator_id', countKinds));

const timesText = insertRows(
  'stats_times',
  addTo('stats_times', 'span, at, operator_id, bucket', ['calls']),
);

/** Within a transaction: adds to the stored counts. */
export const addStats = async (db: Db, { counts, times }: StatsRows): Promise<void> => {
  const countRows = counts.map((row) => countColumns.map((column) => row[column]));
  if (countRows.length > 0) await writeRows(db, countsText, countRows);
  const timesRows = times.map((row) => timesColumns.map((column) => row[column]));
  if (timesRows.length > 0) await writeRows(db, timesText, timesRows);
};

// Later than every moment.
const end = Number.MAX_SAFE_INTEGER;

/** All counts of spans that began at a moment or later, and before another. */
export const readCounts = (
  db: Db,
  span: Span,
  from: number,
  until: number = end,
): Promise<CountsRow[]> =>
  runText<CountsRow>(
    db,
    `select ${countColumns.join(', ')} from stats where span = ? and at >= ? and at < ?`,
    [span, from, until],
  );

export type TimesOf = { readonly of: number; readonly bucket: number; readonly calls: number };

const timesBy = (column: 'at' | 'operator_id'): string =>
  `select ${column} as of_it, bucket, cast(sum(calls) as bigint) as calls from stats_times
    where span = ? and at >= ? and at < ? group by ${column}, bucket`;

const textBy = { at: timesBy('at'), operator_id: timesBy('operator_id') } as const;

/** The durations of the same, for each span or for each operator. */
export const readTimes = async (
  db: Db,
  by: keyof typeof textBy,
  {
    span,
    from,
    until = end,
  }: { readonly span: Span; readonly from: number; readonly until?: number },
): Promise<TimesOf[]> => {
  const rows = await runText<{ of_it: number; bucket: number; calls: number }>(db, textBy[by], [
    span,
    from,
    until,
  ]);
  return rows.map(({ of_it: of, bucket, calls }) => ({ of, bucket, calls }));
};

export const deleteStats = async (db: Db, span: Span, before: number): Promise<void> => {
  for (const table of ['stats', 'stats_times'] as const) {
    await db.deleteFrom(table).where('span', '=', span).where('at', '<', before).execute();
  }
};
