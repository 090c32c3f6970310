/** Provides the connector suites with a connection under test and its helpers. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Clock } from '../../lib/clock.ts';
import type {
  Blame,
  Connection,
  Connector,
  Order,
  OrderOutcome,
  Report,
  StatusOutcome,
} from '../connector.ts';
import { inquireAt } from './inquire-at.ts';

/** One connection under test, and ways to provoke its operator and read its book. */
export type TestBed = {
  readonly connector: Pick<
    Connector,
    'settings' | 'identifiedBy' | 'settlesWithin' | 'deduplicates'
  >;
  readonly connection: Connection;
  /** The longest that a call of this connection may take, in milliseconds. */
  readonly deadline: number;
  /** What a busy machine may add to a deadline in real time. */
  readonly slack?: number;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Lets time pass, and lets pending work run. */
  readonly wait: (ms: number) => Promise<void>;
  /** How often the operator delivered under a reference, by its own book. */
  readonly deliveries: (ref: string) => number | Promise<number>;
  readonly mobiles: {
    readonly success: string;
    readonly declined: string;
    readonly notSubscriber: string;
    /** The order is delivered, and the answer never comes. */
    readonly answerLost: string;
    /** The order never reaches the operator. */
    readonly requestLost: string;
    /** The operator's answer is unreadable. */
    readonly nonsense: string;
    /** Delivered, and reversed by the operator `after` milliseconds later. */
    readonly reversed?: { readonly mobile: string; readonly after: number };
  };
  /** Ends the operator's side, if there is one. */
  readonly end?: () => Promise<void>;
};

/** How the tests of a suite run: each mostly waits, and has its own operator. */
export const mostlyWaiting = { concurrency: 8 } as const;

// Short beside any deadline, so that a call's end is noticed soon after it.
export const step = 20;

// With a test clock, a call ends at most a few steps after its deadline.
const slack = 500;

/** The outcome of a call, which must come as a value and within the deadline. */
export const outcomeOf = async <T>(bed: TestBed, call: () => Promise<T>): Promise<T> => {
  const begun = bed.clock.monotonic();
  const result = { ended: false };
  const ended = call().finally(() => {
    result.ended = true;
  });
  // Awaited below; without this an early rejection would end the process, not the test.
  ended.catch(() => {});
  await bed.wait(0);
  while (!result.ended) {
    const taken = bed.clock.monotonic() - begun;
    assert.ok(taken <= bed.deadline + (bed.slack ?? slack), `a call still runs after ${taken} ms`);
    await bed.wait(step);
  }
  return ended;
};

export const orderFor = (mobile: string, offer?: Order['offer']): Order => ({
  ref: randomUUID(),
  mobile,
  amount: 20_000,
  productId: 510,
  ...(offer === undefined ? {} : { offer }),
});

const blames: ReadonlySet<unknown> = new Set<Blame>(['supplier', 'subscriber', 'request']);

/** Another supplier is tried only where this one is to blame, so every refusal must say who is. */
const blamed = <Outcome extends StatusOutcome>(outcome: Outcome): Outcome => {
  if (outcome.kind !== 'refused') return outcome;
  const { code, blame } = outcome;
  assert.ok(blames.has(blame), `the refusal "${code}" has the blame "${blame}"`);
  if (code === 'unreachable') assert.equal(blame, 'supplier', 'nothing was sent');
  return outcome;
};

export const buy = async (bed: TestBed, order: Order): Promise<OrderOutcome> =>
  blamed(await outcomeOf(bed, () => bed.connection.buy(order)));

export const takesInquiries = ({ connection }: TestBed): boolean =>
  typeof connection.status === 'function';

export const statusOf = async (bed: TestBed, ref: string): Promise<StatusOutcome> =>
  blamed(await outcomeOf(bed, () => inquireAt(bed.connection, ref)));

/** What the gateway learns of an order later: by an inquiry, or by sending it again. */
export const learnOf = (bed: TestBed, order: Order): Promise<StatusOutcome> =>
  takesInquiries(bed) ? statusOf(bed, order.ref) : buy(bed, order);

/** Waits until "no such order" is proof. */
export const quietTime = (bed: TestBed): Promise<void> =>
  bed.wait(bed.deadline + (bed.connector.settlesWithin ?? 0));

// Far more than a test's few orders fill; a connector that ignores its cursor would never stop.
const mostPages = 100;

/** Everything reported after a cursor, page by page, with the next cursor. */
export const reportsAfter = async (
  bed: TestBed,
  ask: NonNullable<Connection['reports']>,
  from: string,
): Promise<{ reports: readonly Report[]; cursor: string }> => {
  const reports: Report[] = [];
  let cursor = from;
  for (let page = 0; page < mostPages; page += 1) {
    const outcome = await outcomeOf(bed, () => ask(cursor));
    assert.equal(outcome.kind, 'reports');
    cursor = outcome.cursor;
    if (outcome.reports.length === 0) return { reports, cursor };
    reports.push(...outcome.reports);
  }
  return assert.fail('the reports never end, though nothing happens any more');
};
