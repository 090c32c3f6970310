/** Loads gateways of different sizes in turns. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { residentMegabytes } from '../test/support/memory.ts';
import type { Place } from './growth-fill.ts';
import { type Served, serve } from './serve.ts';

export type Plan = {
  readonly products: readonly number[];
  readonly purchases: readonly number[];
  readonly seconds: number;
  readonly rounds: number;
  readonly starts: number;
};

export type Size = {
  readonly size: number;
  readonly perSecond: number;
  readonly rounds: readonly number[];
  readonly startMs: number;
  readonly memoryAtStartMb: number;
  readonly memoryMb: number;
};

export const rounded = (value: number, digits = 0): number => Number(value.toFixed(digits));

export const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;

const run = promisify(execFile);

/** Requests a second by `wrk`; anything but good answers is an error. */
export const wrk = async (
  seconds: number,
  connections: number,
  ...args: string[]
): Promise<number> => {
  const how = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '30s'];
  const { stdout } = await run('wrk', [...how, ...args]);
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(stdout);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
};

export type Running = {
  readonly size: number;
  readonly served: Served;
  readonly startMs: number;
  readonly memoryAtStartMb: number;
  /** Runs the load for this many seconds; returns the throughput per second. */
  readonly load: (seconds: number) => Promise<number>;
};

/** Starts a server several times, and leaves the last one running. */
export const startOn = async ({ data, env }: Place, starts: number) => {
  const times: number[] = [];
  for (;;) {
    const served = await serve(data, env);
    times.push(served.startMs);
    if (times.length < starts) {
      await served.stop();
      continue;
    }
    const memoryAtStartMb = rounded(residentMegabytes(served.pid));
    return { served, startMs: rounded(median(times)), memoryAtStartMb };
  }
};

/** Measures all sizes in turn, so that a busy moment affects all of them. */
export const measure = async (
  all: readonly Running[],
  { seconds, rounds }: Plan,
  choose: (rounds: readonly number[]) => number,
): Promise<Size[]> => {
  // A warm-up: the JIT has to see the load first.
  for (const { load } of all) await load(seconds);
  const rates: number[][] = all.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    const turns = [...all.entries()];
    for (const [index, { load }] of round % 2 === 0 ? turns : turns.toReversed()) {
      rates[index]?.push(rounded(await load(seconds)));
    }
  }
  return all.map(({ size, served, startMs, memoryAtStartMb }, index) => {
    const own = rates[index] ?? [];
    const memoryMb = rounded(residentMegabytes(served.pid));
    return { size, perSecond: choose(own), rounds: own, startMs, memoryAtStartMb, memoryMb };
  });
};

export const stopAll = async (all: readonly Running[]): Promise<void> => {
  for (const { served } of all) await served.stop();
};
