/** Defines the states of a purchase and the steps between them. Pure; an illegal step has no type. */
import type { Posting } from '../ledger/posting.ts';
import { type Attempt, attemptOfNone, type LeftAttempt } from './attempt.ts';
import { bookedCost, type CostEntry, type LeftCosts, noLeftCosts, reversedCost } from './cost.ts';
import { delivery } from './delivery.ts';
import { errorFact, type Fact } from './facts/facts.ts';
import type { Note } from './facts/note.ts';
import { type Charge, type Uncharged, wholePrice } from './pricing.ts';

export type { Note } from './facts/note.ts';

/** An answer as it is recorded and replayed, byte for byte. */
export type Answer = { readonly status: number; readonly body: string };

/** The product, the client and the number, which never change, and the attempt that it begins with. */
export type PurchaseRequest = Attempt & {
  readonly clientId: string;
  /** Also the reference for the operator, on every attempt. */
  readonly id: string;
  readonly key: string;
  readonly fingerprint: string;
  readonly productId: number;
  readonly operatorId: number | null;
  readonly mobile: string;
  readonly price: number;
  readonly offer: { readonly code: string; readonly type: string } | null;
  readonly profileId: string | null;
  readonly webserviceCode: string;
  /** The id of the first request; every answer about the purchase carries it. */
  readonly requestId: string;
  /** The trace of the first request (`lib/http/trace.ts`); null if it had none. */
  readonly trace: string | null;
};

/** Its progress. Times are the database's. */
type Progress = {
  /** The suppliers that were left behind, in order. Each gets a purchase once. */
  readonly left: readonly number[];
  readonly leftCosts: LeftCosts;
  /** What the supplier says that its delivery costs; null if it does not. */
  readonly toldCost: number | null;
  /** The fencing number. It grows with every claim: the holder of an old one can neither order nor settle. */
  readonly fence: number;
  readonly attempts: number;
  readonly inquiries: number;
  readonly notes: number;
  readonly beganAt: number;
  /** After this time the current attempt may no longer send. */
  readonly sendBefore: number;
  /** From this time on the operator's "no such order" is proof. */
  readonly quietAt: number;
  readonly operatorRef: string | null;
  /** Why it was refused or failed, or the last fact about one that is not settled. */
  readonly reason: Fact | null;
  /** What contradicts its recorded end. */
  readonly disputed: Fact | null;
};

type Unsettled = { readonly answer: null; readonly settledAt: null };
type Settled = { readonly answer: Answer; readonly settledAt: number; readonly dueAt: null };

/** Ordered, or about to be, with an unknown outcome; recovery handles it when it is due. */
export type Open = PurchaseRequest &
  Progress &
  Charge &
  Unsettled & { readonly state: 'submitted' | 'unknown'; readonly dueAt: number };
/** A person decides. The hold stays. */
export type InReview = PurchaseRequest &
  Progress &
  Charge &
  Unsettled & { readonly state: 'review'; readonly dueAt: null };
export type Refused = PurchaseRequest &
  Progress &
  Uncharged &
  Settled & { readonly state: 'refused' };

type Charged = PurchaseRequest & Progress & Charge & Settled;
export type Succeeded = Charged & { readonly state: 'succeeded' };
export type Failed = Charged & { readonly state: 'failed' };
export type Reversed = Charged & { readonly state: 'reversed' };

/** Ordered, and ended. */
export type Ended = Succeeded | Failed | Reversed;
export type Final = Refused | Ended;
export type Purchase = Open | InReview | Final;
export type State = Purchase['state'];

export const states = [
  'refused',
  'submitted',
  'unknown',
  'review',
  'succeeded',
  'failed',
  'reversed',
] as const satisfies readonly State[];

export const isFinal = (purchase: Purchase): purchase is Final => purchase.answer !== null;

export const isOpen = (purchase: Purchase): purchase is Open => purchase.dueAt !== null;

/** A step: the purchase after it, its posting, and a note. All or nothing. */
export type Step<After extends Purchase = Purchase> = {
  readonly after: After;
  readonly posting: Posting | null;
  readonly note: Note | null;
  /** The attempt that the step leaves behind, if any. */
  readonly left?: LeftAttempt;
  /** The supplier that has delivered what it had denied, if any. */
  readonly brokenBy?: number;
  /** What is learnt about the cost besides the posting. */
  readonly costs?: readonly CostEntry[];
  /** The version of the routes that chose its next supplier, if it has one: others void the step. */
  readonly routes?: string | null;
};

/** How long an attempt may take, by the database's clock. */
export type Timing = {
  readonly sendBefore: number;
  readonly quietAt: number;
  readonly dueAt: number;
};

const unsettled = { answer: null, settledAt: null } as const;

/** The first attempt is written with the hold: after this commit the order may be sent. */
export const begin = (
  requested: PurchaseRequest,
  now: number,
  timing: Timing,
  charge: Charge = wholePrice(requested),
): Step<Open> => ({
  after: {
    ...requested,
    ...charge,
    left: [],
    leftCosts: noLeftCosts,
    toldCost: null,
    ...unsettled,
    ...timing,
    state: 'submitted',
    fence: 1,
    attempts: 1,
    inquiries: 0,
    notes: 0,
    beganAt: now,
    operatorRef: null,
    reason: null,
    disputed: null,
  },
  posting: { kind: 'hold', amount: charge.charged, purchaseId: requested.id },
  note: null,
});

/** Nothing is held or ordered, and the key is used up. */
export const refuse = (
  requested: PurchaseRequest,
  now: number,
  answer: Answer,
  reason: string,
): Step<Refused> => ({
  after: {
    ...requested,
    ...attemptOfNone(requested.supplierId),
    charged: null,
    priceEntryId: null,
    left: [],
    leftCosts: noLeftCosts,
    toldCost: null,
    answer,
    settledAt: now,
    dueAt: null,
    state: 'refused',
    fence: 0,
    attempts: 0,
    inquiries: 0,
    notes: 0,
    beganAt: now,
    sendBefore: now,
    quietAt: now,
    operatorRef: null,
    reason: errorFact(reason),
    disputed: null,
  },
  posting: null,
  note: null,
});

export const withNote = (purchase: Purchase, note: Note | null): { readonly notes: number } => ({
  notes: purchase.notes + (note === null ? 0 : 1),
});

/** Delivered. The hold is captured. */
export const succeed = (
  purchase: Open | InReview,
  end: {
    readonly at: number;
    readonly answer: Answer;
    readonly ref: string;
    readonly note: Note | null;
    readonly cost?: number | undefined;
    /** What lay at the supplier after it. */
    readonly balance?: number | undefined;
  },
): Step<Succeeded> => ({
  after: {
    ...purchase,
    ...withNote(purchase, end.note),
    state: 'succeeded',
    dueAt: null,
    settledAt: end.at,
    answer: end.answer,
    operatorRef: end.ref,
    reason: null,
    toldCost: end.cost ?? null,
  },
  posting: delivery('capture', purchase, end.cost ?? purchase.cost, end.balance),
  note: end.note,
});

/** Proven that nothing was and nothing will be delivered. The hold is released. */
export const fail = (
  purchase: Open | InReview,
  end: {
    readonly at: number;
    readonly answer: Answer;
    /** The code of an error, and the operator's own words if it gave any. */
    readonly reason: string;
    readonly words?: string | undefined;
    readonly note: Note | null;
  },
): Step<Failed> => ({
  after: {
    ...purchase,
    ...withNote(purchase, end.note),
    state: 'failed',
    dueAt: null,
    settledAt: end.at,
    answer: end.answer,
    reason: errorFact(end.reason, end.words),
  },
  posting: { kind: 'release', amount: purchase.charged, purchaseId: purchase.id },
  note: end.note,
});

/** The outcome is unknown. The hold stays, and recovery inquires when it is due. */
export const leaveUnknown = (
  purchase: Open,
  next: { readonly dueAt: number; readonly inquired: boolean; readonly note: Note },
): Step<Open> => ({
  after: {
    ...purchase,
    ...withNote(purchase, next.note),
    state: 'unknown',
    dueAt: next.dueAt,
    reason: next.note.fact,
    inquiries: purchase.inquiries + (next.inquired ? 1 : 0),
  },
  posting: null,
  note: next.note,
});

/** Ordered once more from the same system, under the same reference; only if it deduplicates. */
export const orderAgain = (purchase: Open, timing: Timing, note: Note): Step<Open> => ({
  after: {
    ...purchase,
    ...withNote(purchase, note),
    ...timing,
    state: 'submitted',
    attempts: purchase.attempts + 1,
    inquiries: purchase.inquiries + 1,
  },
  posting: null,
  note,
});

/** The outcome stayed unknown for too long. The hold stays until a person decides. */
export const giveUp = (purchase: Open, reason: Fact, note: Note): Step<InReview> => ({
  after: {
    ...purchase,
    ...withNote(purchase, note),
    state: 'review',
    dueAt: null,
    reason,
    inquiries: purchase.inquiries + 1,
  },
  posting: null,
  note,
});

/** The operator reversed it. The money returns by a posting of its own; the answer stays. */
export const reverse = (purchase: Succeeded, note: Note): Step<Reversed> => ({
  after: { ...purchase, ...withNote(purchase, note), state: 'reversed' },
  posting: delivery('reverse', purchase, reversedCost(bookedCost(purchase))),
  note,
});
