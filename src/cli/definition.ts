/** Defines what a command is, and the helpers that commands share. */
import type { ClientDeps } from '../clients/errors.ts';
import { readConfig } from '../config/config.ts';
import { openForCommand } from '../db/open.ts';
import { systemClock } from '../lib/clock.ts';
import { readPrice } from '../lib/money.ts';
import { systemRandom, uuidV7 } from '../lib/random.ts';

export type Option = {
  readonly about: string;
  /** The name of its value in the help; without one it is a flag. */
  readonly value?: string;
  /** Whether it may be given more than once. */
  readonly many?: boolean;
};

export type Arguments = {
  readonly options: ReadonlyMap<string, unknown>;
  readonly operands: readonly string[];
};

/** A command's result, for machines and for people. `ok: false` exits with status 1. */
export type Result = { readonly data: unknown; readonly text: string; readonly ok?: boolean };

export type Streams = {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
};

export type Command = {
  readonly name: string;
  readonly summary: string;
  /** Named in the help; one in brackets may be left out, one with dots at its end stands for many. */
  readonly operands?: readonly string[];
  readonly options?: Readonly<Record<string, Option>>;
  readonly run: (args: Arguments, streams: Streams) => Promise<Result | undefined>;
};

/** The command was called in an unsupported way. */
export class InvalidUsage extends Error {
  override readonly name = 'WrongUse';
}

/** A process that the command started has failed, and has already said why. */
export class ChildFailed extends Error {
  override readonly name = 'EndedBadly';
  readonly status: number;
  constructor(status: number) {
    super(`A process ended with exit status ${status}.`);
    this.status = status;
  }
}

export const textOption = (args: Arguments, name: string): string | undefined => {
  const value = args.options.get(name);
  return typeof value === 'string' ? value : undefined;
};

/** One of some words; undefined if the option is not given. */
export const choiceOption = <Choice extends string>(
  args: Arguments,
  name: string,
  choices: readonly Choice[],
): Choice | undefined => {
  const text = textOption(args, name);
  const choice = choices.find((one) => one === text);
  if (text === undefined || choice !== undefined) return choice;
  throw new InvalidUsage(`--${name} must be one of: ${choices.join(', ')}; not "${text}".`);
};

export const textsOption = (args: Arguments, name: string): string[] | undefined => {
  const value = args.options.get(name);
  return Array.isArray(value) ? value.map(String) : undefined;
};

export const integerOption = (
  args: Arguments,
  name: string,
  { most, otherwise }: { readonly most: number; readonly otherwise: number },
): number => {
  const text = textOption(args, name);
  if (text === undefined) return otherwise;
  if (/^\d{1,16}$/.test(text) && Number(text) <= most) return Number(text);
  throw new InvalidUsage(`--${name} must be a whole number from 0 to ${most}, not "${text}".`);
};

export const operand = (args: Arguments, index: number): string => args.operands[index] ?? '';

export const readAmount = (text: string, name: string): number => {
  const amount = readPrice(text);
  if (amount === undefined || amount === 0 || /[.]/.test(text)) {
    throw new InvalidUsage(`${name} must be a positive whole amount, not "${text}".`);
  }
  return amount;
};

/** Opens the database beside a running server, or without one, for the duration of the work. */
export const withDatabase = async <T>(work: (deps: ClientDeps) => Promise<T>): Promise<T> => {
  const database = await openForCommand(readConfig(), systemClock);
  try {
    return await work({
      db: database.db,
      clock: systemClock,
      newId: uuidV7(systemClock, systemRandom),
      random: systemRandom,
    });
  } finally {
    await database.close();
  }
};

/** A time as commands print it. */
export const iso = (epochMs: number): string => new Date(epochMs).toISOString();

export const isoOrNull = (epochMs: number | null): string | null =>
  epochMs === null ? null : iso(epochMs);

/** Rows as aligned columns: for each, its title and the key of its cells. A cell of null is empty. */
export const table = <Row extends object>(
  columns: Readonly<Record<string, keyof Row>>,
  rows: readonly Row[],
): string => {
  const keys = Object.values(columns);
  const lines = [
    Object.keys(columns),
    ...rows.map((row) => keys.map((key) => String(row[key] ?? ''))),
  ];
  const widths = keys.map((_, column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  return lines
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};
