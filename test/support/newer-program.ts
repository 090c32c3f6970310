/** Creates a newer version of the program for tests: a copy with one more migration. */
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programVersion } from '../../src/db/migrate/migrations.ts';
import { cleanUpAfterTest } from './cleanup.ts';
import type { Program } from './process.ts';
import { root } from './selection.ts';

/** The newer program's parts: its own files, and the shared ones. */
const [own, shared] = [
  ['bin', 'migrations', 'package.json', 'src'],
  ['console', 'node_modules'],
];

export type NewerProgram = {
  readonly command: string;
  readonly program: Program;
  /** The name of its last migration. */
  readonly migration: string;
  readonly remove: () => void;
};

/** The schema version of this program. */
export const thisVersion = programVersion();

/** Copies the program; `text` is the new migration. */
export const makeNewerProgram = (text: string): NewerProgram => {
  const folder = mkdtempSync(join(tmpdir(), 'simgate-newer-'));
  for (const name of own) cpSync(join(root, name), join(folder, name), { recursive: true });
  for (const name of shared) symlinkSync(join(root, name), join(folder, name));
  const migration = `${String(thisVersion + 1).padStart(4, '0')}-newer`;
  writeFileSync(join(folder, 'migrations', `${migration}.sql`), `${text}\n`);
  const command = join(folder, 'bin', 'simgate.js');
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  cleanUpAfterTest(remove);
  return {
    command,
    program: [process.execPath, command],
    migration,
    remove,
  };
};
