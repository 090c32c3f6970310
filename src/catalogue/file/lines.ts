/** Defines the rows and problems of a catalogue file, and finds line numbers. */
import type { Text } from '../../lib/text.ts';
import { lowerBound } from '../changes/timestamps.ts';

/** A product as the file has it, not validated yet, and the line where it begins. */
export type FileRow = { readonly line: number; readonly value: unknown };

/** An error in a file, in a sentence for its author. */
export type FileProblem = {
  readonly line: number;
  readonly field?: string;
  readonly message: Text;
};

/** The maximum nesting: each level takes memory, and a product needs far fewer. */
export const mostDepth = 1000;

export type FileRows = { readonly rows: FileRow[]; readonly problems: FileProblem[] };

/** Returns the line of an offset, counted from 1. A line ends with CRLF, LF or a lone CR. */
export const lineFinder = (text: string): ((offset: number) => number) => {
  const starts = [0];
  for (const end of text.matchAll(/\r\n|\n|\r/g)) starts.push(end.index + end[0].length);
  return (offset) => lowerBound(starts, (start) => start, offset + 1);
};

/** Programs on Windows begin a file with a byte order mark, which is not part of its content. */
export const withoutBom = (text: string): string =>
  text.startsWith('\uFEFF') ? text.slice(1) : text;
