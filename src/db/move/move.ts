/** Moves a database to the other engine: copies it, proves both sides equal, marks the source, opens the target. */
import { isDeepStrictEqual } from 'node:util';
import { UsageError } from '../../lib/errors.ts';
import { sqlOf } from '../engine.ts';
import { runText } from '../statement.ts';
import type { Db } from '../types.ts';
import { copyRows } from './copy.ts';
import { digestOf, digestOfAll, type TableDigest } from './digest.ts';
import type { Held, MoveEnd, SourceEnd } from './ends.ts';
import {
  assertInPlace,
  deleteMark,
  findMark,
  insertMark,
  type MoveMark,
  updateMark,
} from './mark.ts';
import { type CarriedTable, planMove } from './plan.ts';
import { progressText, readProgress } from './progress.ts';
import { firstMark, type Prepared, prepareTarget } from './target.ts';

export type MoveStep = 'copying' | 'comparing';

// Some megabytes at most: few commits, and little to do again.
export const usualBatchRows = 2000;

export type MoveDeps = {
  readonly now: () => number;
  /** How many rows are copied in one transaction. */
  readonly batchRows: number;
  readonly moveId: string;
  /** What can be verified of a side; both must give the same. */
  readonly verify: (db: Db) => Promise<unknown>;
  /** What else the source needs so that it sells nothing, in the transaction that marks it. */
  readonly leave: (db: Db, to: string) => Promise<void>;
  /** What the target needs to be used, in the transaction that opens it. */
  readonly arrive: (db: Db, moved: Moved) => Promise<void>;
  /** Receives the state of the target. */
  readonly prepared: (how: Prepared['how']) => void;
  /** Receives how many rows of how many are done. */
  readonly progress: (step: MoveStep, done: number, total: number) => void;
};

export type Moved = {
  readonly from: string;
  readonly to: string;
  readonly rows: number;
  /** One digest over those of all tables. */
  readonly digest: string;
  readonly tables: readonly TableDigest[];
  /** The tables with rows in whose text a NUL became U+FFFD, and how many; PostgreSQL stores none. */
  readonly replaced: ReadonlyMap<string, number>;
};

type Ends = { readonly source: SourceEnd; readonly target: MoveEnd };

const movedOf = (
  { source, target }: Ends,
  tables: readonly TableDigest[],
  replaced: Moved['replaced'],
): Moved => ({
  from: source.name,
  to: target.name,
  rows: tables.reduce((sum, { rows }) => sum + rows, 0),
  digest: digestOfAll(tables),
  tables,
  replaced,
});

const countRows = async (db: Db, plan: readonly CarriedTable[]): Promise<number> => {
  let total = 0;
  for (const { name } of plan) {
    const text = `select count(*) as total from ${name}`;
    const [row] = await runText<{ total: number }>(db, text, []);
    total += row?.total ?? 0;
  }
  return total;
};

const rowsDone = async (target: Db, plan: readonly CarriedTable[], mark: MoveMark) => {
  const { finished, current } = readProgress(mark.progress);
  const whole = plan.filter(({ name }) => finished.includes(name));
  return (await countRows(target, whole)) + (current?.rows ?? 0);
};

const unequal = (what: string): UsageError =>
  new UsageError(
    `The copy differs from the source in ${what}. The source is unchanged and can be used. Run the same command again: it copies everything again.`,
  );

/** Digests every table on both sides, and refuses the first that differs. */
const compare = async (
  { source, target }: Ends,
  plan: readonly CarriedTable[],
  counted: (rows: number) => void,
): Promise<TableDigest[]> => {
  const digests: TableDigest[] = [];
  for (const table of plan) {
    const [there, here] = [
      await digestOf(source.db, table, { counted }),
      await digestOf(target.db, table, { counted }),
    ];
    if (there.digest !== here.digest) throw unequal(`the table ${table.name}`);
    digests.push(here);
  }
  return digests;
};

const counter = (deps: MoveDeps, step: MoveStep, total: number, first = 0) => {
  let done = first;
  return (rows: number): void => {
    done += rows;
    deps.progress(step, done, total);
  };
};

/** Marks the source first: both must never be usable at the same time. */
const handOver = async (
  deps: MoveDeps,
  { target }: Ends,
  held: Held,
  { mark, moved }: { readonly mark: MoveMark; readonly moved: Moved },
): Promise<void> => {
  await held.finish(async (db) => {
    await deps.leave(db, target.name);
    const { move_id } = mark;
    const at = deps.now();
    await insertMark(db, { move_id, state: 'moved', other: target.name, progress: '', at });
  });
  await open(deps, target, moved);
};

const open = (deps: MoveDeps, { db }: MoveEnd, moved: Moved): Promise<void> =>
  db.transaction().execute(async (db) => {
    await deps.arrive(db, moved);
    await deleteMark(db);
  });

/** Opens the target of a move that was interrupted after its source was marked. */
const finishInterrupted = async (deps: MoveDeps, ends: Ends): Promise<Moved | undefined> => {
  const [left, found] = [await findMark(ends.source.db), await findMark(ends.target.db)];
  if (left === undefined) return undefined;
  if (left.state !== 'moved' || found?.state !== 'verified' || found.move_id !== left.move_id) {
    await assertInPlace(ends.source.db);
    return undefined;
  }
  const moved = movedOf(ends, readProgress(found.progress).digests ?? [], new Map());
  await open(deps, ends.target, moved);
  return moved;
};

/** Copies all that is missing; returns the mark, and where a NUL was replaced. */
const copyAll = async (deps: MoveDeps, { source, target }: Ends, plan: readonly CarriedTable[]) => {
  const replaced = new Map<string, number>();
  const ends = { source: source.db, target: target.db };
  const next = firstMark(deps.moveId, source.name, deps.now());
  const { mark, how } = await prepareTarget(ends, plan, { name: target.name, next });
  deps.prepared(how);
  const total = await countRows(source.db, plan);
  const copied = counter(deps, 'copying', total, await rowsDone(target.db, plan, mark));
  const events = {
    copied,
    replaced: (name: string): unknown => replaced.set(name, (replaced.get(name) ?? 0) + 1),
  };
  return {
    mark: await copyRows({ ...ends, events, batchRows: deps.batchRows }, plan, mark),
    total,
    replaced,
  };
};

const moveHeld = async (
  deps: MoveDeps,
  ends: Ends,
  held: Held,
  plan: readonly CarriedTable[],
): Promise<Moved> => {
  const { source, target } = ends;
  const { mark, total, replaced } = await copyAll(deps, ends, plan);
  const digests = await compare(ends, plan, counter(deps, 'comparing', 2 * total));
  const [books, copiedBooks] = [await deps.verify(source.db), await deps.verify(target.db)];
  if (!isDeepStrictEqual(books, copiedBooks)) throw unequal('what "simgate verify" finds');
  const progress = progressText({ ...readProgress(mark.progress), digests });
  const verified = await updateMark(target.db, mark, { state: 'verified', progress });
  const moved = movedOf(ends, digests, replaced);
  await handOver(deps, ends, held, { mark: verified, moved });
  return moved;
};

/** Moves everything, or continues an interrupted move from the same source. */
export const moveDatabase = async (deps: MoveDeps, ends: Ends): Promise<Moved> => {
  const { source, target } = ends;
  const finished = await finishInterrupted(deps, ends);
  if (finished !== undefined) return finished;
  const plan = await planMove(sqlOf(source.db).name === 'sqlite' ? source.db : target.db);
  const held = await source.hold(plan);
  try {
    return await moveHeld(deps, ends, held, plan);
  } finally {
    await held.release();
  }
};
