/** Defines what the threads of the simulation are sent, and what they report. */
import { type Static, Type } from 'typebox';

export const TaskSchema = Type.Object({
  from: Type.Integer(),
  until: Type.Integer(),
  /** As many threads as there are. */
  step: Type.Integer(),
  /** Those after them. */
  also: Type.Array(Type.Integer()),
  keepTrace: Type.Boolean(),
  hashed: Type.Boolean(),
  /** The address of an empty PostgreSQL database; SQLite in memory without it. */
  postgres: Type.Optional(Type.String()),
});

export type Task = Static<typeof TaskSchema>;

/** A thread's result of one seed. */
const ReportSchema = Type.Object({
  seed: Type.Integer(),
  violation: Type.Union([
    Type.Object({ kind: Type.Enum(['invariant', 'error']), text: Type.String() }),
    Type.Null(),
  ]),
  purchases: Type.Integer(),
  requests: Type.Integer(),
  faults: Type.Record(Type.String(), Type.Integer()),
  hash: Type.Union([Type.String(), Type.Null()]),
  trace: Type.Array(Type.String()),
});

export type SeedReport = Static<typeof ReportSchema>;

export const LotSchema = Type.Array(ReportSchema);
