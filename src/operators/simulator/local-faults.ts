/** Injects faults into an operator simulated in this process, by rate. */
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { type Clock, sleep } from '../../lib/clock.ts';
import type { Random } from '../../lib/random.ts';
import type { OrderConditions } from './book/book.ts';
import {
  type FaultPlan,
  isFaulty,
  noFaults,
  planFaults,
  type Rates,
  faults as told,
} from './faults.ts';

const rate = (description: string) =>
  Type.Number({ default: 0, minimum: 0, maximum: 1, description });
// As long as a demonstration lasts.
const time = (standard: number, description: string) =>
  Type.Integer({ default: standard, minimum: 0, maximum: 60_000, description });

/**
 * The faults of the simulator's server that make sense without a network. They apply to orders and inquiries.
 */
export const FaultsSchema = Type.Object(
  {
    loseRequests: rate(told['lose-requests']),
    loseAnswers: rate(told['lose-answers']),
    errors: rate(told.errors),
    nonsense: rate(told.nonsense),
    delays: rate('Work or answer begins later, by `delayMs`.'),
    lag: rate('Inquiries do not see the order for a while, by `lagMs`.'),
    reversals: rate('What was delivered is reversed, after `reversesAfter`.'),
    delayMs: time(1000, 'How much later, in milliseconds.'),
    lagMs: time(2000, 'For how long, in milliseconds.'),
  },
  {
    additionalProperties: false,
    description: 'How often something goes wrong with an order or an inquiry, from 0 to 1.',
  },
);

export type Faults = Static<typeof FaultsSchema>;

export const noLocalFaults: Faults = Value.Create(FaultsSchema);

const ratesOf = (faults: Faults): Rates => ({
  ...noFaults,
  'lose-requests': faults.loseRequests,
  'lose-answers': faults.loseAnswers,
  errors: faults.errors,
  nonsense: faults.nonsense,
  delays: faults.delays,
  lag: faults.lag,
  reversals: faults.reversals,
});

/** How much later than without faults an order may appear: before that, a missing order proves nothing. */
export const maxFaultDelayMs = ({ delays, delayMs, lag, lagMs }: Faults): number =>
  (delays > 0 ? delayMs : 0) + (lag > 0 ? lagMs : 0);

const never = <T>(): Promise<T> => new Promise(() => {});

const howItEnds = async <T>({ manner }: FaultPlan, answer: T): Promise<T> => {
  if (manner === 'lose-answers') return never();
  if (manner === 'errors') throw new Error('the operator answered HTTP 500');
  if (manner === 'nonsense') throw new Error('the answer is unreadable');
  return answer;
};

/** Runs a piece of work with its drawn fault. */
export type FaultInjector = <T>(work: (befalls: OrderConditions) => Promise<T>) => Promise<T>;

export const createFaultInjector = (
  faults: Faults | undefined,
  deps: { readonly clock: Clock; readonly random: Random; readonly reversesAfter: number },
): FaultInjector => {
  if (faults === undefined || !isFaulty(ratesOf(faults))) return (work) => work({});
  const rates = ratesOf(faults);
  const seed = Buffer.from(deps.random(4)).readUInt32BE();
  let count = 0;
  return async (work) => {
    const fate = planFaults(seed, rates, (count += 1));
    if (fate.isLost) return never();
    if (fate.delayed === 'before') await sleep(deps.clock, faults.delayMs);
    const answer = await work({
      ...(fate.isReversed ? { reverseAfter: deps.reversesAfter } : {}),
      ...(fate.lags ? { hiddenFor: faults.lagMs } : {}),
    });
    if (fate.delayed === 'after') await sleep(deps.clock, faults.delayMs);
    return howItEnds(fate, answer);
  };
};
