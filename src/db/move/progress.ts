/** Reads and writes a move's progress, which the target stores. */
import { type Static, Type } from 'typebox';
import { Check } from 'typebox/value';

const ProgressSchema = Type.Object({
  /** The tables that are whole. */
  finished: Type.Array(Type.String()),
  /** The table that is being copied, how many of its rows are there, and the key of the last. */
  current: Type.Union([
    Type.Null(),
    Type.Object({
      table: Type.String(),
      rows: Type.Integer(),
      after: Type.Array(Type.Union([Type.String(), Type.Integer()])),
    }),
  ]),
  /** What both sides contained when they were compared. */
  digests: Type.Optional(
    Type.Array(Type.Object({ table: Type.String(), rows: Type.Integer(), digest: Type.String() })),
  ),
});

export type Progress = Static<typeof ProgressSchema>;

export const atStart: Progress = { finished: [], current: null };

export const progressText = (progress: Progress): string => JSON.stringify(progress);

export const readProgress = (text: string): Progress => {
  const read: unknown = JSON.parse(text);
  if (Check(ProgressSchema, read)) return read;
  throw new Error('The progress of the move cannot be read.');
};
