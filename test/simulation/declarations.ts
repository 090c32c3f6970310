/** Defines what the simulated operators declare: each kind of promise once, and their products. */
import { Type } from 'typebox';
import { defineConnector, type Offer } from '../../src/connector/connector.ts';

type Terms = {
  readonly id: number;
  readonly name: string;
  readonly deadlineMs: number;
  readonly settlesWithin?: number;
  readonly deduplicates: boolean;
  readonly tellsSubscribers: boolean;
  readonly listsOffers: boolean;
  readonly reports: boolean;
  /** What its callbacks are, where it calls back. */
  readonly callbacks: 'none' | 'hints' | 'final';
};

/** How long one that takes no inquiries recognizes an order that is sent again; then it delivers once more. */
export const resendWithin = 20_000;

const plain = { tellsSubscribers: false, listsOffers: false } as const;

/** Sold as personal offers of operator 2. */
export const personalProduct = 510;

/** The operator that has several suppliers in some worlds. */
export const sharedOperator = 1;

/** Further suppliers of that operator, each with other promises. */
const furtherTerms: readonly Terms[] = [
  {
    ...plain,
    id: 11,
    name: 'second',
    deadlineMs: 800,
    settlesWithin: 2500,
    deduplicates: false,
    reports: true,
    callbacks: 'final',
  },
  {
    ...plain,
    id: 12,
    name: 'third',
    deadlineMs: 1000,
    settlesWithin: 1500,
    deduplicates: true,
    reports: true,
    callbacks: 'none',
  },
  {
    ...plain,
    id: 13,
    name: 'fourth',
    deadlineMs: 1200,
    deduplicates: false,
    reports: true,
    callbacks: 'hints',
  },
];

/** With and without a bound, with and without deduplication, with and without reports. */
const terms: readonly Terms[] = [
  {
    ...plain,
    id: 1,
    name: 'bounded',
    deadlineMs: 1200,
    settlesWithin: 5000,
    deduplicates: false,
    reports: true,
    callbacks: 'hints',
  },
  {
    id: 2,
    name: 'personal',
    deadlineMs: 1000,
    settlesWithin: 2000,
    deduplicates: true,
    tellsSubscribers: true,
    listsOffers: true,
    reports: true,
    callbacks: 'final',
  },
  {
    ...plain,
    id: 3,
    name: 'unbounded',
    deadlineMs: 1500,
    deduplicates: false,
    reports: false,
    callbacks: 'hints',
  },
  // Its deadline is longer than any lease, and its quiet time longer than the time until review.
  {
    ...plain,
    id: 4,
    name: 'slow',
    deadlineMs: 24_000,
    settlesWithin: 25_000,
    deduplicates: false,
    reports: true,
    callbacks: 'none',
  },
];

const connectorOf = ({ name, deduplicates, settlesWithin }: Terms) =>
  defineConnector({
    name,
    settings: Type.Object({}),
    deduplicates,
    ...(settlesWithin === undefined ? {} : { settlesWithin }),
    connect: () => {
      throw new Error('Connections are made for a process.');
    },
  });

export type Declaration = Terms & { readonly connector: ReturnType<typeof connectorOf> };

const declared = (one: Terms): Declaration => ({ ...one, connector: connectorOf(one) });

export const declarations: readonly Declaration[] = terms.map(declared);

export const furtherSuppliers: readonly Declaration[] = furtherTerms.map(declared);

const offerNames = ['a', 'b', 'c', 'd'] as const;

export const offerCode = (name: string): string => `offer-${name}`;

export const offersFor = (mobile: string): Offer[] =>
  offerNames.map((name, index) => ({
    code: offerCode(name),
    type: 'daily',
    amount: String(100 * (index + 1) + (Number(mobile.at(-1)) % 3)),
    name,
    description: '',
    descriptionLocal: '',
    validityDays: '1',
  }));

/** The price of an offer with ten percent of tax. */
export const offerPrice = (mobile: string, name: string): number => {
  const offer = offersFor(mobile).find(({ code }) => code === offerCode(name));
  return Math.round((Number(offer?.amount ?? 0) * 110) / 100 + 1e-9);
};
