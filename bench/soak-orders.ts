/** Derives each purchase of a soak test, and its expected end, from its number alone. */
import { type Buy, buyRequest } from './raw-requests.ts';

export const price = 1000;
export const operators = [1, 2, 3, 4, 5] as const;

/** Of a thousand purchases this many have a number at which the simulated operator misbehaves. */
const faultyInThousand = 50;

export const keyPrefix = 'soak-';

/** The outcomes of the simulator's numbers, by their last two digits; all others are sold at once. */
const faultyEnds = {
  90: { state: 'failed', answer: 422 },
  91: { state: 'failed', answer: 422 },
  92: { state: 'succeeded', answer: 200 },
  93: { state: 'succeeded', answer: 200 },
  94: { state: 'failed', answer: 422 },
  95: { state: 'succeeded', answer: 200 },
  96: { state: 'failed', answer: 422 },
  97: { state: 'succeeded', answer: 200 },
  // Pending forever: only a person can end it, so that it is never final here.
  98: { state: 'review', answer: undefined },
  99: { state: 'reversed', answer: 200 },
} as const satisfies Record<number, End>;

export type End = {
  readonly state: string;
  /** The status of its final answer, if it has one. */
  readonly answer: number | undefined;
};

const soldAtOnce: End = { state: 'succeeded', answer: 200 };
const firstFaulty = 90;
/** Those below are delivered at once; 88 is out of stock at the first supplier. */
const firstOutOfStock = 88;
const faultyKinds = Object.keys(faultyEnds).length;

const ends: ReadonlyMap<number, End> = new Map(
  Object.entries(faultyEnds).map(([digits, end]) => [Number(digits), end]),
);

export const endOf = (lastDigits: number): End => ends.get(lastDigits) ?? soldAtOnce;

/** Whether the operator delivers, even if it reverses later. */
export const isDelivered = (state: string): boolean =>
  state === 'succeeded' || state === 'reversed';

/** Spreads numbers evenly and deterministically, so that faults do not synchronize with anything. */
const mixed = (index: number): number => {
  let state = Math.imul(index ^ 0x9e3779b9, 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
  return (state ^ (state >>> 16)) >>> 0;
};

export type Planned = {
  readonly healthy: boolean;
  readonly end: End;
  readonly lastDigits: number;
  readonly mobile: string;
  readonly operator: number;
  readonly product: number;
};

/** Each operator sells one product for each kind of SIM. */
export const productOf = (operator: number, lastDigits: number): number =>
  operator * 2 + (lastDigits % 2);

export const planned = (index: number): Planned => {
  const drawn = mixed(index);
  const healthy = drawn % 1000 >= faultyInThousand;
  const rest = Math.floor(drawn / 1000);
  const lastDigits = healthy ? rest % firstOutOfStock : firstFaulty + (rest % faultyKinds);
  const operator = operators[mixed(drawn) % operators.length] ?? operators[0];
  const mobile = `989${String(index % 10_000_000).padStart(7, '0')}${String(lastDigits).padStart(2, '0')}`;
  const product = productOf(operator, lastDigits);
  return { healthy, end: endOf(lastDigits), lastDigits, mobile, operator, product };
};

/** The nth purchase as it is sent, at every attempt. */
export const requestFor = (index: number, tokens: readonly string[]): string => {
  const { mobile, product } = planned(index);
  const buy: Buy = {
    token: tokens[index % tokens.length] ?? '',
    key: `${keyPrefix}${index}`,
    product,
    price,
    mobile,
    code: `order-${index}`,
  };
  return buyRequest(buy);
};
