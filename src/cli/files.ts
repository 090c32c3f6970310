/** Reads and writes the files that commands name, and prints what is wrong with one. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { FileProblem } from '../catalogue/file/lines.ts';
import { UsageError } from '../lib/errors.ts';
import type { Arguments, Result, Streams } from './definition.ts';

export const readText = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new UsageError(`The file ${file} cannot be read.`, { cause });
  }
};

/** To a temporary file first: a reader never sees half a file. */
export const writeText = (file: string, pieces: Iterable<string>): void => {
  const draft = `${file}.part`;
  try {
    writeFileSync(draft, [...pieces].join(''));
    renameSync(draft, file);
  } catch (cause) {
    throw new UsageError(`The file ${file} cannot be written.`, { cause });
  }
};

/** For programs as for people: commands speak English. */
const inEnglish = ({ message, ...problem }: FileProblem) => ({ ...problem, message: message.en });

const problemLine = ({ line, message }: FileProblem): string => `line ${line}: ${message.en}`;

// A file in the wrong format has a problem in every line, too many to read.
const problemsShown = 50;

const problemText = (file: string, problems: readonly FileProblem[]): string => {
  const more = problems.length - problemsShown;
  return [
    `Nothing was imported: ${file} has ${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}.`,
    ...problems.slice(0, problemsShown).map(problemLine),
    ...(more > 0 ? [`and ${more} more`] : []),
  ].join('\n');
};

/** The result of an import that changed nothing because of its file. */
export const notImported = (
  args: Arguments,
  { err }: Streams,
  file: string,
  problems: readonly FileProblem[],
): Result => {
  if (args.options.get('json') !== true) err(`${problemText(file, problems)}\n`);
  return { ok: false, data: { ok: false, problems: problems.map(inEnglish) }, text: '' };
};
