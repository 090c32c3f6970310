/** Stores a book on disk: append-only JSON lines, written before they are answered. */
import { createHash } from 'node:crypto';
import { fdatasyncSync, writeSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Report } from '../../../connector/connector.ts';
import { createBatch } from '../../../lib/batch.ts';
import { nextTurn } from '../../../lib/clock.ts';
import { UsageError } from '../../../lib/errors.ts';
import { isEvent, type Journal, type Line, positionIn, reportOf } from './journal.ts';

export type OperatorLine = { readonly operator: number; readonly line: Line };

export type BookFile = {
  /** Reads the existing lines, and cuts off a last one that a crash left unfinished. */
  readonly load: (loaded: (line: OperatorLine) => void) => Promise<void>;
  /** The journal of one operator; all share the file. */
  readonly journalOf: (operator: number) => Journal;
  readonly close: () => Promise<void>;
};

const goods = {
  mobile: Type.String(),
  amount: Type.Number(),
  cost: Type.Optional(Type.Number()),
};
const always = { at: Type.Number(), operator: Type.Integer() };

/** To count deliveries, count the lines that have a `ref`. */
const isDelivered = Compile(
  Type.Object({
    ref: Type.String(),
    ...goods,
    ...always,
    reverse_at: Type.Optional(Type.Number()),
    waited: Type.Optional(Type.Literal(true)),
    copy: Type.Optional(Type.Literal(true)),
  }),
);
const isAccepted = Compile(
  Type.Object({
    accepted: Type.String(),
    ...goods,
    ...always,
    until_inquiry: Type.Optional(Type.Number()),
  }),
);
const isReversed = Compile(
  Type.Object({ reversed: Type.String(), cost: Type.Optional(Type.Number()), ...always }),
);

const toText = ({ operator, line }: OperatorLine): string => {
  switch (line.kind) {
    case 'delivered': {
      const { kind: _, reverseAt: reverse_at, waited, copy, ...rest } = line;
      return JSON.stringify({ ...rest, operator, reverse_at, waited, copy });
    }
    case 'accepted': {
      const { kind: _, ref: accepted, untilInquiry: until_inquiry, ...rest } = line;
      return JSON.stringify({ accepted, ...rest, operator, until_inquiry });
    }
    case 'reversed':
      return JSON.stringify({ reversed: line.ref, cost: line.cost, at: line.at, operator });
  }
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const fromText = (text: string): OperatorLine | undefined => {
  const found = parse(text);
  if (isDelivered.Check(found)) {
    const { operator, reverse_at: reverseAt, ...rest } = found;
    const line = { kind: 'delivered', ...rest } as const;
    return { operator, line: reverseAt === undefined ? line : { ...line, reverseAt } };
  }
  if (isAccepted.Check(found)) {
    const { operator, accepted: ref, until_inquiry: untilInquiry, ...rest } = found;
    const line = { kind: 'accepted', ref, ...rest } as const;
    return { operator, line: untilInquiry === undefined ? line : { ...line, untilInquiry } };
  }
  if (!isReversed.Check(found)) return undefined;
  return {
    operator: found.operator,
    line: {
      kind: 'reversed',
      ref: found.reversed,
      at: found.at,
      ...(found.cost === undefined ? {} : { cost: found.cost }),
    },
  };
};

const chunkBytes = 262_144;
const newline = 0x0a;

type Chunk = { readonly bytes: Buffer; readonly end: number };

/** The whole lines between two positions, some at a time; the part after the last newline is left out. */
async function* wholeLines(file: FileHandle, from: number, to: number): AsyncGenerator<Chunk> {
  let size = chunkBytes;
  for (let position = from; position < to; ) {
    const { buffer, bytesRead } = await file.read(
      Buffer.allocUnsafe(Math.min(size, to - position)),
      0,
      Math.min(size, to - position),
      position,
    );
    if (bytesRead === 0) return;
    const length = buffer.lastIndexOf(newline, bytesRead - 1) + 1;
    if (length === 0 && position + bytesRead >= to) return;
    // A line longer than a chunk is read again with a larger one.
    if (length === 0) size *= 2;
    else yield { bytes: buffer.subarray(0, length), end: (position += length) };
  }
}

const linesIn = (bytes: Buffer): readonly string[] =>
  bytes.toString('utf8').split('\n').slice(0, -1);

type State = {
  readonly file: FileHandle;
  readonly path: string;
  /** The end of what is written and synced; anything after it in the file is not. */
  size: number;
  torn: boolean;
  /** From the first line: a cursor of another book means nothing in this one. */
  id: string;
};

const idOf = (firstLine: string): string =>
  createHash('sha256').update(firstLine).digest('hex').slice(0, 12);

const fault = (path: string, number: number): UsageError =>
  new UsageError(
    `Line ${number} of the book ${path} cannot be read. Mend it, or name another book.`,
  );

const load = async (state: State, loaded: (line: OperatorLine) => void): Promise<void> => {
  let number = 0;
  const { size } = await state.file.stat();
  for await (const { bytes, end } of wholeLines(state.file, 0, size)) {
    for (const text of linesIn(bytes)) {
      number += 1;
      const line = fromText(text);
      if (line === undefined) throw fault(state.path, number);
      if (number === 1) state.id = idOf(text);
      loaded(line);
    }
    state.size = end;
  }
  if (state.size < size) await state.file.truncate(state.size);
};

const cutWhatIsTorn = async (state: State): Promise<void> => {
  if (state.torn) await state.file.truncate(state.size);
  state.torn = false;
};

/** Writes lines and syncs once for all of them; if that fails, none of them counts. */
const appendAll = async (
  state: State,
  lines: readonly OperatorLine[],
): Promise<readonly undefined[]> => {
  await cutWhatIsTorn(state);
  const texts = lines.map(toText);
  const bytes = Buffer.from(`${texts.join('\n')}\n`);
  state.torn = true;
  try {
    // In this thread: a disk is faster than two switches to another thread.
    for (let from = 0; from < bytes.length; ) from += writeSync(state.file.fd, bytes, from);
    fdatasyncSync(state.file.fd);
  } catch (error) {
    // Now or, on a disk that takes no writes at all, before the next line.
    await cutWhatIsTorn(state).catch(() => {});
    throw error;
  }
  state.torn = false;
  if (state.size === 0) state.id = idOf(texts[0] ?? '');
  state.size += bytes.length;
  return lines.map(() => undefined);
};

// As many as fit into the megabyte that the connector reads at most.
const mostReports = 10_000;

const eventsFrom = async (state: State, operator: number, cursor: string) => {
  const given = positionIn(state.id, cursor);
  const reports: Report[] = [];
  // Most lines belong to other operators, and parsing is most of the work.
  const isOurs = new RegExp(`"operator"\\s*:\\s*${operator}\\b`);
  let position = given <= state.size ? given : 0;
  for await (const { bytes } of wholeLines(state.file, position, state.size)) {
    for (const text of linesIn(bytes)) {
      const found = isOurs.test(text) ? fromText(text) : undefined;
      if (found?.operator === operator && isEvent(found.line)) reports.push(reportOf(found.line));
      position += Buffer.byteLength(text) + 1;
      if (reports.length >= mostReports) return { reports, cursor: `${state.id}:${position}` };
    }
  }
  return { reports, cursor: state.id === '' ? '' : `${state.id}:${position}` };
};

const linesOf = async (state: State, operator: number, ref: string): Promise<readonly Line[]> => {
  const needle = JSON.stringify(ref);
  const found: Line[] = [];
  for await (const { bytes } of wholeLines(state.file, 0, state.size)) {
    // Nearly every chunk ends here, without being read line by line.
    if (!bytes.includes(needle)) continue;
    for (const text of linesIn(bytes)) {
      const one = text.includes(needle) ? fromText(text) : undefined;
      if (one?.operator === operator && one.line.ref === ref) found.push(one.line);
    }
  }
  return found;
};

// Bounds one write; a working disk never reaches it.
const mostAtOnce = 10_000;

/** Opens or creates a book. It is loaded before it is written to. */
export const openBookFile = async (path: string): Promise<BookFile> => {
  const file = await open(path, 'a+').catch((cause: unknown) => {
    throw new UsageError(`The book ${path} cannot be written. Name a file that can be.`, { cause });
  });
  const state: State = { file, path, size: 0, torn: false, id: '' };
  const append = createBatch({
    run: (lines: readonly OperatorLine[]) => appendAll(state, lines),
    most: mostAtOnce,
    gather: nextTurn,
  });
  return {
    load: (loaded) => load(state, loaded),
    journalOf: (operator) => ({
      append: async (line) => {
        await append({ operator, line });
      },
      eventsFrom: (cursor) => eventsFrom(state, operator, cursor),
      linesOf: (ref) => linesOf(state, operator, ref),
    }),
    close: () => file.close(),
  };
};
