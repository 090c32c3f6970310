/** Provides the package to check: the named file, or the checkout packed as for a release. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { root } from '../support/selection.ts';
import { run } from './process.ts';

/** Writes the tarball into an empty folder, if the command line names none; npm builds everything first. */
export const pack = async (into: string): Promise<string> => {
  const [, , given] = process.argv;
  if (given !== undefined) return resolve(given);
  await run('npm', ['pack', '--pack-destination', into, '--loglevel=error'], { cwd: root });
  const [name, ...more] = readdirSync(into).filter((file) => file.endsWith('.tgz'));
  assert.ok(name !== undefined && more.length === 0);
  return join(into, name);
};

export const inMegabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(2)} MB`;
