/** Defines the command that backs up the database while the server runs, and verifies the copy. */
import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { readConfig } from '../../config/config.ts';
import { assertFile } from '../../db/open.ts';
import {
  checkIntegrity,
  copyDatabase,
  makeOneFile,
  removeDatabase,
  renameDurably,
} from '../../db/sqlite/backup.ts';
import { databaseFile, openFileReadOnly, schemaStateOfFile } from '../../db/sqlite/open.ts';
import { systemClock } from '../../lib/clock.ts';
import { UsageError } from '../../lib/errors.ts';
import { countPurchases } from '../../purchases/inquiry/store.ts';
import { type Command, operand } from '../definition.ts';
import { progressBar } from '../progress.ts';
import { verifyBooks } from './verify.ts';

/** How far a copy was verified, and how many purchases it holds if known. */
export type Proof = {
  readonly checked: 'books' | 'pages' | 'nothing';
  readonly purchases: number | null;
};

/** Verifies a copy: its pages, then its ledger. Throws if something is wrong with it. */
export const verifyCopy = async (file: string): Promise<Proof> => {
  const broken = checkIntegrity(file);
  if (broken.length > 0) {
    throw new UsageError(`The copy is damaged: ${broken.slice(0, 3).join('; ')}.`);
  }
  // An older version's ledger is verified by that version, or after a restore.
  if ((await schemaStateOfFile(file)) !== 'current') return { checked: 'pages', purchases: null };
  const { db, close } = await openFileReadOnly(file);
  try {
    const { ok, data, text } = await verifyBooks(db);
    if (!ok) throw new UsageError(text);
    return { checked: 'books', purchases: data.purchases };
  } finally {
    await close();
  }
};

const countOnly = async (file: string): Promise<Proof> => {
  if ((await schemaStateOfFile(file)) !== 'current') return { checked: 'nothing', purchases: null };
  const { db, close } = await openFileReadOnly(file);
  try {
    return { checked: 'nothing', purchases: await countPurchases(db, { clientId: null }) };
  } finally {
    await close();
  }
};

const assertPlace = (file: string, force: boolean): void => {
  if (!existsSync(dirname(file)))
    throw new UsageError(`The directory ${dirname(file)} does not exist.`);
  if (existsSync(file) && !force) {
    throw new UsageError(`The file ${file} already exists. Use --force to replace it.`);
  }
};

const proofText = {
  books: 'The pages and the ledger were verified.',
  pages: 'The pages were verified. The ledger was not: an older version of Simgate wrote it.',
  nothing: 'It was not verified.',
} as const satisfies Record<Proof['checked'], string>;

export const backupRun: Command = {
  name: 'backup',
  summary: 'Copy the database to a file while the server runs, and verify the copy.',
  operands: ['FILE'],
  options: {
    force: { about: 'Replace FILE if it exists.' },
    'no-check': { about: 'Do not verify the copy.' },
  },
  run: async (args) => {
    const file = operand(args, 0);
    assertFile(readConfig(), 'use pg_dump or pg_basebackup');
    assertPlace(file, args.options.get('force') === true);
    const started = systemClock.monotonic();
    const partial = `${file}.${process.pid}.partial`;
    const percent = progressBar(100, process.stderr);
    try {
      await copyDatabase(databaseFile(readConfig().dataDir), partial, ({ done, total }) =>
        percent(Math.floor((done / total) * 100)),
      );
      makeOneFile(partial);
      const check = args.options.get('no-check') !== true;
      const { checked, purchases } = await (check ? verifyCopy(partial) : countOnly(partial));
      const bytes = statSync(partial).size;
      renameDurably(partial, file);
      const ms = Math.round(systemClock.monotonic() - started);
      const held = purchases === null ? '' : `${purchases} purchases, `;
      return {
        data: { file, bytes, ms, purchases, checked },
        text: `${file} holds ${held}${bytes} bytes, written in ${ms} ms. ${proofText[checked]}`,
      };
    } catch (error) {
      removeDatabase(partial);
      throw error;
    }
  },
};
