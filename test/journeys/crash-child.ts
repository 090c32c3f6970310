/** Buys or recovers on a data folder, copies the folder at each point, and kills itself at the named one. */
import { appendFileSync, cpSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as rest } from 'node:timers/promises';
import { Kysely } from 'kysely';
import { lockAsServer, sqliteDialect } from '../../src/db/sqlite/sqlite.ts';
import type { Tables } from '../../src/db/tables/tables.ts';
import { takeOver } from '../../src/purchases/recover.ts';
import {
  type Core,
  copyAt,
  createCore,
  type Manner,
  type Passing,
  requestOf,
  watchedDialect,
} from '../support/crash-core.ts';

const [, , folder = '', story = '', clientId = '', copies = '', fatal = ''] = process.argv;

/** The step that the next statement belongs to. */
const transactionAfter: Readonly<Record<string, string>> = {
  'look up': 'begin',
  order: 'settle',
  inquiry: 'settle the inquiry',
};

/**
 * Names a point by its step, records it, copies what a kill would leave, and dies there if it is the chosen
 * one.
 */
const createPassing = (): Passing => {
  let step = 'look up';
  let outside = 'look up';
  const seen = new Map<string, number>();
  return (point) => {
    const [, named] = /^(order|inquiry): /.exec(point) ?? [];
    if (named !== undefined) [step, outside] = [named, named];
    if (point === 'before begin') step = transactionAfter[outside] ?? outside;
    if (/^before the (claim|bringing forward|taking over)$/.test(point)) step = 'take';
    const text = named === undefined ? `${step}: ${point}` : point;
    const times = (seen.get(text) ?? 0) + 1;
    seen.set(text, times);
    const full = times === 1 ? text : `${text}, time ${times}`;
    appendFileSync(join(folder, 'points.txt'), `${full}\n`);
    if (copies !== '') cpSync(folder, copyAt(copies, full), { recursive: true });
    if (full === fatal) process.kill(process.pid, 'SIGKILL');
  };
};

/** When open purchases are due, read outside the watched connection. */
const nextDue = (): number | undefined => {
  const reader = new DatabaseSync(join(folder, 'simgate.db'), { readOnly: true });
  const row = reader.prepare('select max(due_at) as at from purchases').get();
  reader.close();
  return typeof row?.['at'] === 'number' ? row['at'] : undefined;
};

/** Claims when it is due until nothing is open any more, or it clearly never ends. */
const recover = async ({ deps, recovery }: Core): Promise<void> => {
  for (let rounds = 0; rounds < 100; rounds += 1) {
    const due = nextDue();
    if (due === undefined) return;
    await rest(Math.max(due - (await deps.databaseTime(deps.db)), 0) + 5);
    await recovery.claim();
    await recovery.whenIdle();
  }
  throw new Error('It never ends.');
};

const buy = async ({ buying }: Core): Promise<void> => {
  await buying.buy(requestOf(clientId));
  await buying.whenIdle();
};

/** What the process does until it dies, and how the operator behaves. */
const stories: Readonly<
  Record<string, { readonly manner: Manner; readonly run: (core: Core) => Promise<void> }>
> = {
  'a sale': { manner: 'answers', run: buy },
  'a sale whose order arrives late': { manner: 'late', run: buy },
  'a sale whose answer is lost': {
    manner: 'silent',
    run: async (core) => {
      await buy(core);
      await recover(core);
    },
  },
  'a recovery': {
    manner: 'answers',
    run: async (core) => {
      await takeOver(core.deps);
      await recover(core);
    },
  },
};

const told = stories[story];
if (told === undefined) throw new Error(`There is no story of ${story}.`);
const passing = createPassing();
const file = join(folder, 'simgate.db');
const unlock = lockAsServer(file);
const db = new Kysely<Tables>({ dialect: watchedDialect(sqliteDialect(file), passing) });
await told.run(
  createCore(db, {
    folder,
    passing,
    manner: told.manner,
    // Orders are repeated only if the operator deduplicates.
    deduplicates: story === 'a recovery',
    // Before the quiet time one inquiry, then the next at its end: this fixes the number of points.
    inquiryMs: story === 'a recovery' ? 60_000 : 30,
    // Without waiting requests: a poll would be a statement at a random time.
    pendingAfterMs: told.manner === 'silent' ? 0 : 20_000,
  }),
);
await db.destroy();
unlock();
