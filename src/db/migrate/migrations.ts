/** Reads the numbered migrations: their statements for each engine, and what they declare. */
import { readdirSync, readFileSync } from 'node:fs';
import type { EngineSql } from '../types.ts';

export type Migration = { readonly number: number; readonly name: string; readonly text: string };

const folder = new URL('../../../migrations/', import.meta.url);

const listFiles = (): string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort();

const numberOf = (file: string): number => Number(file.slice(0, 4));

export const readMigrations = (): Migration[] =>
  listFiles().map((file) => ({
    number: numberOf(file),
    name: file.replace(/\.sql$/, ''),
    text: readFileSync(new URL(file, folder), 'utf8'),
  }));

/** This program's schema version: the number of its last migration. */
export const programVersion = (): number => numberOf(listFiles().at(-1) ?? '0');

/** Whether its statements run and commit one by one, instead of in one transaction. */
export const runsOutside = ({ text }: Migration): boolean =>
  /^-- outside a transaction$/m.test(text);

/** Whether rows are converted by code before its statements run. */
export const runsByCode = ({ text }: Migration): boolean => /^-- by code$/m.test(text);

/** The version of the oldest program that can run beside it; its own by default. */
export const oldestProgram = ({ number, text }: Migration): number =>
  Number(/^-- oldest program (\d+)$/m.exec(text)?.[1] ?? number);

const concurrentIndex = /^create( unique)? index concurrently (?:if not exists )?(\w+)/i;

/** The index that a statement builds concurrently; undefined if it builds none. */
export const indexBuiltBy = (statement: string): string | undefined =>
  concurrentIndex.exec(statement)?.[2];

/** A file has one server and no concurrent writers, so its indexes are built the ordinary way. */
const onFile = (statement: string): string =>
  statement
    .replace(
      concurrentIndex,
      (_, unique = '', name) => `create${unique} index if not exists ${name}`,
    )
    .replace(/^drop index concurrently /i, 'drop index ');

/**
 * A migration's statements for one engine. Comments may contain semicolons; statements end with one at the
 * end of a line. A comment "for sqlite" or "for postgres" alone limits the next statement to that engine.
 */
export const statementsFor = (engine: EngineSql['name'], text: string): string[] =>
  text
    .replace(/^\s*--(?! for (?:sqlite|postgres)$).*$/gm, '')
    .split(/;\s*$/m)
    .map((statement) => /^(?:-- for (\w+)\n)?(.*)$/s.exec(statement.trim()) ?? [])
    .filter(([, only = engine]) => only === engine)
    .map(([, , statement = '']) => statement.trim())
    .filter((statement) => statement !== '')
    .map((statement) => (engine === 'sqlite' ? onFile(statement) : statement));
