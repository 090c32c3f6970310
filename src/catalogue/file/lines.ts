/** Defines the rows and problems of a catalogue file, and finds line numbers. */
import type { Text } from '../../lib/text.ts';
import { lowerBound } from '../changes/timestamps.ts';

/** A product as the file has it, not checked yet, and the line where it begins. */
export type FileRow = { readonly line: number; readonly value: unknown };

/** What is wrong with a file, in a sentence for the person who made it. */
export type FileProblem = {
  readonly line: number;
  readonly field?: string;
  readonly message: Text;
};

/** How deeply a file is read: each level takes memory, and a product may have far fewer. */
export const mostDepth = 1000;

export type FileRows = { readonly rows: FileRow[]; readonly problems: FileProblem[] };

/** Tells on which line, counted from 1, an offset stands. A line ends with CRLF, LF or a lone CR. */
export const lineFinder = (text: string): ((offset: number) => number) => {
  const starts = [0];
  for (const end of text.matchAll(/\r\n|\n|\r/g)) starts.push(end.index + end[0].length);
  return (offset) => lowerBound(starts, (start) => start, offset + 1);
};

/** Programs on Windows open a file with a byte order mark, which is no part of its content. */
export const withoutBom = (text: string): string =>
  text.startsWith('\uFEFF') ? text.slice(1) : text;
