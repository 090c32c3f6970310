/** Creates a newer version of the program for tests: the same with one more migration. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { v8Flags } from '../../bin/v8-flags.js';
import { programVersion } from '../../src/db/migrate/migrations.ts';
import { briefFlags } from './brief-flags.ts';
import { cleanUpAfterTest } from './cleanup.ts';
import type { Program } from './process.ts';
import { root } from './selection.ts';

export type NewerProgram = {
  readonly program: Program;
  /** The name of its last migration. */
  readonly migration: string;
  readonly remove: () => void;
};

/** The schema version of this program. */
export const thisVersion = programVersion();

/** Runs this program on a copy of its migrations; `text` is the new one. */
export const makeNewerProgram = (text: string): NewerProgram => {
  const folder = mkdtempSync(join(tmpdir(), 'simgate-newer-'));
  cpSync(join(root, 'migrations'), folder, { recursive: true });
  const migration = `${String(thisVersion + 1).padStart(4, '0')}-newer`;
  writeFileSync(join(folder, `${migration}.sql`), `${text}\n`);
  const redirecting = new URL('./newer-migration.ts', import.meta.url);
  redirecting.searchParams.set('folder', `${pathToFileURL(folder).href}/`);
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  cleanUpAfterTest(remove);
  return {
    program: [
      process.execPath,
      ...v8Flags,
      ...briefFlags,
      `--import=${redirecting.href}`,
      join(root, 'bin', 'simgate.js'),
    ],
    migration,
    remove,
  };
};
