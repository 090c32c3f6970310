/** Parses and formats simulator faults: rates in percent, times in milliseconds. Pure. */
import type { Operations } from '../api/types.ts';
import { readNumber, readWhole } from '../writing.ts';

export type Faults = Operations['getOperatorFaults']['answer'];

export const rates = [
  'loseRequests',
  'loseAnswers',
  'errors',
  'nonsense',
  'delays',
  'lag',
  'reversals',
] as const satisfies readonly (keyof Faults)[];

export const times = ['delayMs', 'lagMs'] as const satisfies readonly (keyof Faults)[];

export type FaultName = (typeof rates)[number] | (typeof times)[number];
export const faultNames: readonly FaultName[] = [...rates, ...times];

export const isRate = (name: FaultName): boolean => rates.some((one) => one === name);

const mostMs = 60_000;

/** The value for its field, without floating-point noise. */
export const typedOf = (name: FaultName, value: number): string =>
  String(isRate(name) ? Number((value * 100).toFixed(6)) : value);

/** The typed value; undefined if it is invalid. */
export const readFault = (name: FaultName, typed: string): number | undefined => {
  if (!isRate(name)) {
    const ms = readWhole(typed);
    return ms !== undefined && ms >= 0 && ms <= mostMs ? ms : undefined;
  }
  const percent = readNumber(typed);
  if (percent === undefined || percent < 0 || percent > 100) return undefined;
  return Number((percent / 100).toFixed(8));
};

export const anyOn = (faults: Faults): boolean => rates.some((name) => faults[name] > 0);
