/** Loads a connector from a file or a package that the configuration names, and checks that it is one. */
import { existsSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Connector } from '../connector/connector.ts';
import { checkDeclarations } from '../connector/declarations.ts';
import { importFrom, resolveImportNames } from '../connector/import-names.ts';
import { scopedConnector } from '../connector/scope.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { UsageError } from '../lib/errors.ts';
import { isRecord } from '../lib/record.ts';

/** A file is named by a path; everything else is a package. */
const isPath = (source: string): boolean => /^\.{1,2}[\\/]/.test(source) || isAbsolute(source);

// Loading reads some files; anything longer waits for something that never comes.
const loadsWithinMs = 30_000;

const within = async <T>(clock: Clock, work: Promise<T>, late: () => Error): Promise<T> => {
  const { promise: timedOut, reject } = Promise.withResolvers<never>();
  const cancel = clock.after(loadsWithinMs, () => reject(late()));
  try {
    return await Promise.race([work, timedOut]);
  } finally {
    cancel();
  }
};

const isMissing = (error: unknown, name: string): boolean =>
  error instanceof Error &&
  'code' in error &&
  error.code === 'ERR_MODULE_NOT_FOUND' &&
  error.message.startsWith(`Cannot find package '${name}'`);

const wordsOf = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message.split('\n')[0]}` : 'it threw no error';

/** What looks like a connector among a module's exports; a getter may throw. */
const looksLikeOne = (value: unknown): value is object =>
  isRecord(value) && typeof value['connect'] === 'function' && 'settings' in value;

const candidatesIn = (exported: Readonly<Record<string, unknown>>): readonly unknown[] => {
  const { default: standard, ...named } = exported;
  if (standard !== undefined) return [standard];
  return Object.values(named).filter(looksLikeOne);
};

const onlyOneIn = (source: string, exported: unknown): unknown => {
  const [first, ...others] = isRecord(exported) ? candidatesIn({ ...exported }) : [];
  if (first === undefined) {
    throw new UsageError(
      `The connector "${source}" exports no connector. Export one by default, as defineConnector makes it.`,
    );
  }
  if (others.length > 0) {
    throw new UsageError(
      `The connector "${source}" exports ${others.length + 1} connectors. Export one of them by default.`,
    );
  }
  return first;
};

const importSource = async (source: string, folder: string): Promise<unknown> => {
  if (!isPath(source)) return importFrom(source, pathToFileURL(join(folder, 'simgate.json')).href);
  const file = resolve(folder, source);
  if (!existsSync(file)) {
    throw new UsageError(`The connector "${source}" does not exist: there is no file ${file}.`);
  }
  return import(pathToFileURL(file).href);
};

/** Throws a `UsageError` that says in one sentence why it cannot be used. */
export const loadConnector = async (
  source: string,
  folder: string,
  clock: Clock = systemClock,
): Promise<Connector> => {
  resolveImportNames();
  const late = () =>
    new UsageError(`The connector "${source}" did not load within ${loadsWithinMs / 1000} s.`);
  try {
    const found = onlyOneIn(source, await within(clock, importSource(source, folder), late));
    const checked = checkDeclarations(found);
    if (checked.kind === 'connector') return scopedConnector(checked.connector);
    throw new UsageError(`The connector "${source}" cannot be used: ${checked.fault}.`);
  } catch (cause) {
    if (cause instanceof UsageError) throw cause;
    if (isMissing(cause, source)) {
      throw new UsageError(
        `There is no connector "${source}". It is not built in, and no package of that name is found from ${folder}. A file's path begins with "./" or "/".`,
      );
    }
    throw new UsageError(`The connector "${source}" cannot be loaded: ${wordsOf(cause)}.`, {
      cause,
    });
  }
};
