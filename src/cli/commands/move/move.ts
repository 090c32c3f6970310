/** Defines the commands that move the database to the other engine, and that undo it. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { unreadableSecrets } from '../../../admin/reseal.ts';
import { type Config, readConfig } from '../../../config/config.ts';
import { createDatabaseTime } from '../../../db/engine.ts';
import { isUnavailable } from '../../../db/errors.ts';
import { openSource, openTarget } from '../../../db/move/ends.ts';
import { type MoveDeps, type Moved, moveDatabase, usualBatchRows } from '../../../db/move/move.ts';
import { openForCommand } from '../../../db/open.ts';
import { createSecrets } from '../../../db/secrets/keys.ts';
import { databaseFile } from '../../../db/sqlite/open.ts';
import type { Db } from '../../../db/types.ts';
import { systemClock } from '../../../lib/clock.ts';
import { UsageError } from '../../../lib/errors.ts';
import { systemRandom, uuidV7 } from '../../../lib/random.ts';
import type { PlaceStatement } from '../../../purchases/restored/mark.ts';
import {
  arriveFrom,
  assertMovable,
  leaveFor,
  undoMove,
} from '../../../purchases/restored/moved.ts';
import { removeWitness } from '../../../purchases/restored/place/witness-file.ts';
import { actorOf, auditOptions, reasonOf } from '../../actor.ts';
import { type Command, type Result, type Streams, table } from '../../definition.ts';
import { progressBar } from '../../progress.ts';
import { markDeps } from '../restore/place.ts';
import { verifyBooks } from '../verify.ts';
import { targetConfig, targetOptions } from './target.ts';

const newId = uuidV7(systemClock, systemRandom);

const depsFor = (db: Db) => markDeps({ db, clock: systemClock, newId, random: systemRandom });

const fileOf = ({ databaseUrl, dataDir }: Config): string | undefined =>
  databaseUrl === undefined ? databaseFile(dataDir) : undefined;

const stepText = { copying: 'Copying', comparing: 'Comparing both sides' } as const;

const preparedText = {
  fresh: undefined,
  resumed: 'An earlier move was interrupted. It goes on.',
  restarted: 'The source has changed since an earlier move was interrupted. It starts again.',
} as const;

/** Prints a line for each step, and a bar on a terminal. */
const narrate = ({ err }: Streams): Pick<MoveDeps, 'prepared' | 'progress'> => {
  let last: { readonly step: string; readonly draw: (done: number) => void } | undefined;
  return {
    prepared: (how) => {
      const text = preparedText[how];
      if (text !== undefined) err(`${text}\n`);
    },
    progress: (step, done, total) => {
      if (last?.step !== step) {
        err(`${stepText[step]}: ${total} rows.\n`);
        last = { step, draw: progressBar(total, process.stderr) };
      }
      last.draw(done);
    },
  };
};

type Checked = { readonly books: Awaited<ReturnType<typeof verifyBooks>> | undefined };

const moveDeps = (streams: Streams, word: PlaceStatement, config: Config) => {
  const found: { books: Checked['books'] } = { books: undefined };
  const databaseTime = createDatabaseTime(systemClock);
  const deps: MoveDeps = {
    now: systemClock.now,
    batchRows: usualBatchRows,
    moveId: newId(),
    verify: async (db) => {
      found.books = await verifyBooks(db);
      return found.books.data;
    },
    leave: (db, to) => leaveFor(db, { ...depsFor(db), databaseTime }, to, word),
    arrive: async (db, moved) => {
      await arriveFrom(db, depsFor(db), moved, word);
      const file = fileOf(config);
      // A file that is already there belongs to another database.
      if (file !== undefined) removeWitness(file);
    },
    ...narrate(streams),
  };
  return { deps, found };
};

const moveAll = async (streams: Streams, word: PlaceStatement, from: Config, to: Config) => {
  const source = await openSource(from);
  try {
    await assertMovable(source.db, { clock: systemClock, file: fileOf(from) });
    const { deps, found } = moveDeps(streams, word, to);
    const target = await openTarget(to, systemClock);
    try {
      const moved = await moveDatabase(deps, { source, target });
      const unreadable = await unreadableSecrets(target.db, createSecrets(to, systemRandom));
      return { moved, unreadable, books: found.books };
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
};

/** Which key the sealed secrets need at the new place. */
const keyLines = (from: Config, to: Config, unreadable: readonly string[]): string[] => {
  if (unreadable.length === 0) return [];
  const count = `${unreadable.length} sealed secrets cannot be read with the keys of the new place.`;
  const keyFile = resolve(join(from.dataDir, 'secrets.key'));
  if (to.databaseUrl !== undefined && existsSync(keyFile)) {
    const variable =
      to.secretsKey === undefined ? 'SIMGATE_SECRETS_KEY_FILE' : 'SIMGATE_OLD_SECRETS_KEYS_FILE';
    return [`${count} Set ${variable}=${keyFile}, or keep a copy of that file elsewhere.`];
  }
  return [`${count} Set SIMGATE_SECRETS_KEY to the key that sealed them.`];
};

const replacedLines = ({ replaced }: Moved): string[] =>
  [...replaced].map(
    ([name, rows]) =>
      `${rows} rows of ${name} had a NUL character in a text. PostgreSQL keeps none: it is U+FFFD now.`,
  );

const startLine = ({ databaseUrl, dataDir }: Config): string =>
  databaseUrl === undefined
    ? `Start the server with DATA_DIR=${resolve(dataDir)} and without DATABASE_URL.`
    : 'Start the server with DATABASE_URL set to the new database.';

type Done = Awaited<ReturnType<typeof moveAll>>;

const shown = (from: Config, to: Config, { moved, unreadable, books }: Done): Result => {
  const { rows, digest, tables } = moved;
  const filled = tables.filter((one) => one.rows > 0);
  const lines = [
    table({ TABLE: 'table', ROWS: 'rows', DIGEST: 'digest' }, filled),
    '',
    `Moved ${rows} rows from ${moved.from} to ${moved.to}. Both sides have the digest ${digest}.`,
    ...(books === undefined ? [] : [books.text]),
    ...replacedLines(moved),
    startLine(to),
    ...keyLines(from, to, unreadable),
    'The old database is kept, and no server starts on it. Purchases that it gets now would be lost.',
  ];
  return {
    data: {
      from: moved.from,
      to: moved.to,
      rows,
      digest,
      tables,
      replaced: Object.fromEntries(moved.replaced),
      unreadable_secrets: unreadable,
      books: books?.data ?? null,
    },
    text: lines.join('\n'),
  };
};

export const moveRun: Command = {
  name: 'move',
  summary:
    'Move the database to PostgreSQL, or back to a SQLite file, while no server runs. Run it again after an interruption.',
  options: { ...targetOptions, ...auditOptions },
  run: async (args, streams) => {
    const word = { actor: actorOf(args), reason: reasonOf(args) };
    const from = readConfig();
    const to = targetConfig(args, from);
    try {
      return shown(from, to, await moveAll(streams, word, from, to));
    } catch (cause) {
      if (cause instanceof UsageError || !isUnavailable(cause)) throw cause;
      throw new UsageError(
        'A database became unavailable during the move. Nothing is lost: run the same command again, and it continues.',
        { cause },
      );
    }
  },
};

export const moveUndo: Command = {
  name: 'move undo',
  summary:
    'Use a database again that was moved away. New purchases are refused until the operators have reported what it lacks.',
  options: auditOptions,
  run: async (args) => {
    const word = { actor: actorOf(args), reason: reasonOf(args) };
    const { db, close } = await openForCommand(readConfig(), systemClock, { moving: true });
    try {
      const undone = await undoMove({ db, clock: systemClock, newId }, word);
      return {
        data: { undone, selling: false },
        text: `This database can be used again. Stop the servers on ${undone} first. New purchases are refused until the operators have reported what this database lacks: "simgate restore status" shows the progress.`,
      };
    } finally {
      await close();
    }
  },
};
