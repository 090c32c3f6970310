/** Lints the tarball of a package with publint and "Are the types wrong?", which the tools bring. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { at, listOf } from './answers.ts';
import { ensureInstalled } from './ensure-installed.ts';
import { root } from './selection.ts';

const tools = join(root, 'tools');

export type Resolution = 'node10' | 'node16-cjs' | 'node16-esm' | 'bundler';

/** What becomes a package of its own elsewhere may have the fields of one. */
const isOfTemplate = (text: unknown): boolean => String(text).startsWith('./templates/');

/** Fails if a linter finds anything; about types, except in the resolutions that the package does not support. */
export const assertPublishable = async (
  tarball: string,
  unsupported: readonly Resolution[] = [],
): Promise<void> => {
  await ensureInstalled(tools);
  const { stdout } = await promisify(execFile)(process.execPath, [
    join(tools, 'package.js'),
    tarball,
  ]);
  const found: unknown = JSON.parse(stdout);
  const left = new Set<unknown>(unsupported);
  const types = listOf(at(found, 'types')).filter((one) => !left.has(at(one, 'resolutionKind')));
  const publint = listOf(at(found, 'publint')).filter((text) => !isOfTemplate(text));
  assert.deepEqual({ publint, types }, { publint: [], types: [] });
};
