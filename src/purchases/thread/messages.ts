/** Owns what the two threads say to each other: tasks one way, what became of them the other. */
import { atEndOfTurn } from '../../lib/clock.ts';
import type { BatchName } from '../../lib/metrics.ts';
import type { AdvanceItem, AdvanceResult } from '../advance.ts';
import { type BeginItem, type BeginResult, GateClosed } from '../begin.ts';

export type Task =
  | { readonly id: number; readonly kind: 'begin'; readonly item: BeginItem }
  | { readonly id: number; readonly kind: 'advance'; readonly item: AdvanceItem };

/** Tasks, and the times of the one who gives them: both go by one clock. `end` is the last word. */
export type Order =
  | {
      readonly kind: 'tasks';
      readonly now: number;
      readonly monotonic: number;
      readonly tasks: readonly Task[];
    }
  | { readonly kind: 'end' };

/** An error in plain data, with the code by which SQLite tells what is wrong. */
export type ToldError = {
  readonly message: string;
  readonly stack: string | undefined;
  readonly errcode: number | undefined;
  readonly gateClosed: boolean;
};

/** How a batch went: its size, how long each of its items waited for it, and how long it took. */
export type BatchMeasure = {
  readonly name: BatchName;
  readonly size: number;
  readonly waits: readonly number[];
  readonly ms: number;
};

export type Done =
  | { readonly id: number; readonly kind: 'begun'; readonly result: BeginResult }
  | { readonly id: number; readonly kind: 'advanced'; readonly result: AdvanceResult }
  | { readonly id: number; readonly kind: 'failed'; readonly error: ToldError };

export type Told = Done | { readonly kind: 'measured'; readonly batch: BatchMeasure };

export const tellError = (error: unknown): ToldError => {
  if (!(error instanceof Error)) {
    return { message: String(error), stack: undefined, errcode: undefined, gateClosed: false };
  }
  const errcode = 'errcode' in error ? Number(error.errcode) : undefined;
  const { message, stack } = error;
  return { message, stack, errcode, gateClosed: error instanceof GateClosed };
};

export const readError = ({ message, stack, errcode, gateClosed }: ToldError): Error => {
  const error = gateClosed ? new GateClosed(message) : new Error(message);
  if (stack !== undefined) error.stack = stack;
  return errcode === undefined ? error : Object.assign(error, { errcode });
};

/** Collects what is said in one turn of the event loop, so that it goes as one message. */
export const createOutbox = <Item>(send: (items: readonly Item[]) => void) => {
  let waiting: Item[] = [];
  return (item: Item): void => {
    if (waiting.length === 0) {
      atEndOfTurn(() => {
        const items = waiting;
        waiting = [];
        send(items);
      });
    }
    waiting.push(item);
  };
};
