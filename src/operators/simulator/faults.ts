/** Draws the faults of the simulator's server, by rate and seed. Pure. */
import { createHash } from 'node:crypto';
import type { RefusalCode } from '../../connector/connector.ts';
import { keysOf, recordOf } from '../../lib/record.ts';

/** The kinds of requests to the server, to which faults can be limited. */
export const requestKinds = ['orders', 'inquiries', 'offers', 'subscribers', 'reports'] as const;
export type RequestKind = (typeof requestKinds)[number];

/** How an answer travels; all but the first are faults. The first one drawn happens. */
export const manners = {
  'lose-answers': 'The work is done, and no answer comes.',
  hangs: 'The work is done, the answer begins, and then nothing more comes.',
  resets: 'The work is done, and the connection is reset in the middle of the answer.',
  errors: 'The work is done, and the answer is HTTP 500.',
  nonsense: 'The work is done, and the answer is not JSON, though it says so.',
  'wrong-types': 'The work is done, and the answer is said to be text/html.',
  drip: 'The work is done, and the answer comes a byte at a time.',
} as const;

/** What happens to the work itself. */
const mishaps = {
  'lose-requests': 'The request is read and forgotten: nothing is done, no answer comes.',
  duplicates: 'An order arrives twice. Both are delivered, unless told to recognise it.',
  delays: 'Work or answer begins later, by --delay.',
  lag: 'Inquiries do not see the order for a while, by --lag-time.',
  reversals: 'What was delivered is reversed, after --reverse-after.',
} as const;

/** Refusals by the supplier's own fault: nothing is executed. The first one drawn happens. */
const refusals = {
  'out-of-stock': 'An order is refused: the supplier is out of stock.',
  'out-of-funds': 'An order is refused: our account with the supplier is empty.',
  throttled: 'An order is refused: the supplier takes no more orders for now.',
} as const;

/** Last, so that the faults before them keep the fates of their seeds. */
const lately = {
  'late-deliveries': 'An order is not answered, and delivered later, by --late-time.',
} as const;

export const faults = { ...mishaps, ...manners, ...refusals, ...lately } as const;

// Beyond the deadline of five seconds, and the three until an order must show.
export const defaultLateMs = 20_000;

type RefusalFault = keyof typeof refusals;

const refusalNames = keysOf(refusals);

/** The code of a refusal on the wire. */
const refusalCodes = {
  'out-of-stock': 'out_of_stock',
  'out-of-funds': 'out_of_funds',
  throttled: 'throttled',
} as const satisfies Record<RefusalFault, RefusalCode>;

export type Fault = keyof typeof faults;
export type AnswerFault = keyof typeof manners;
export type Rates = Readonly<Record<Fault, number>>;

export const faultNames = keysOf(faults);
const mannerNames = keysOf(manners);

/** What happens to one request. */
export type FaultPlan = {
  readonly isLost: boolean;
  readonly isDoubled: boolean;
  readonly delayed: 'before' | 'after' | 'never';
  readonly lags: boolean;
  readonly isReversed: boolean;
  /** How the supplier refuses an order; null if it does not. */
  readonly refusal: (typeof refusalCodes)[RefusalFault] | null;
  readonly isLate: boolean;
  readonly manner: AnswerFault | 'whole';
};

export const noFaultPlan: FaultPlan = {
  isLost: false,
  isDoubled: false,
  delayed: 'never',
  lags: false,
  isReversed: false,
  refusal: null,
  isLate: false,
  manner: 'whole',
};

/**
 * The fate of the nth request. It depends on the seed and the number alone: a seed gives the nth request the
 * same fate in any run, and a higher rate of one fault does not move the others.
 */
export const planFaults = (seed: number, rates: Rates, nth: number): FaultPlan => {
  const digest = createHash('sha512').update(`${seed} ${nth}`).digest();
  const happens = (fault: Fault): boolean =>
    digest.readUInt32BE(faultNames.indexOf(fault) * 4) < rates[fault] * 2 ** 32;
  const refusal = refusalNames.find(happens);
  const late = (digest.at(-1) ?? 0) % 2 === 0 ? 'before' : 'after';
  return {
    isLost: happens('lose-requests'),
    isDoubled: happens('duplicates'),
    delayed: happens('delays') ? late : 'never',
    lags: happens('lag'),
    isReversed: happens('reversals'),
    refusal: refusal === undefined ? null : refusalCodes[refusal],
    isLate: happens('late-deliveries'),
    manner: mannerNames.find(happens) ?? 'whole',
  };
};

/** The same rate for every fault. */
export const evenRates = (rate: number): Rates => recordOf(faultNames, () => rate);

export const noFaults = evenRates(0);

export const isFaulty = (rates: Rates): boolean => faultNames.some((name) => rates[name] > 0);
