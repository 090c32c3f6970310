/** Judges a soak test: compares the final database with the operators' records, and checks the limits. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { runText } from '../src/db/statement.ts';
import type { Db } from '../src/db/types.ts';
import { at } from '../test/support/answers.ts';
import { parsed } from '../test/support/live.ts';
import { endOf, isDelivered, keyPrefix } from './soak-orders.ts';
import type { Total } from './soak-report.ts';
import type { Sample } from './soak-sampler.ts';

const limits = { slowShare: 0.001, growthShare: 0.05, growthMb: 10 } as const;

/** The operators' deliveries, by reference. */
export const deliveriesIn = async (book: string): Promise<ReadonlyMap<string, number>> => {
  const delivered = new Map<string, number>();
  for await (const line of createInterface({ input: createReadStream(book) })) {
    const ref = at(parsed(line), 'ref');
    if (typeof ref === 'string') delivered.set(ref, (delivered.get(ref) ?? 0) + 1);
  }
  return delivered;
};

type Bought = { readonly id: string; readonly mobile: string; readonly state: string };

const pageSize = 50_000;

/** All purchases, a page at a time. */
const purchasesIn = async function* (db: Db): AsyncGenerator<Bought> {
  const text = 'select id, mobile, state from purchases where id > ? order by id limit ?';
  for (let last = ''; ; ) {
    const page = await runText<Bought>(db, text, [last, pageSize]);
    yield* page;
    const end = page.at(-1);
    if (end === undefined) return;
    last = end.id;
  }
};

const keysText = `select count(*) as n, count(distinct idempotency_key) as keys,
  cast(sum(cast(substr(idempotency_key, ${keyPrefix.length + 1}) as bigint)) as bigint) as sum from purchases`;

type Keys = { readonly n: number; readonly keys: number; readonly sum: number };

/** Lost and doubled purchases, in words, and how many ended otherwise than their numbers promise. */
const findFaults = async (
  db: Db,
  total: Total,
  delivered: ReadonlyMap<string, number> | undefined,
): Promise<{ readonly faults: readonly string[]; readonly wrongEnds: number }> => {
  const faults: string[] = [];
  const expect = (what: string, is: unknown, should: unknown): void => {
    if (is !== should) faults.push(`${what}: ${String(is)} instead of ${String(should)}`);
  };
  const [keys] = await runText<Keys>(db, keysText, []);
  expect('purchases', keys?.n, total.sent);
  expect('keys', keys?.keys, total.sent);
  // Together with the count it proves that they are the numbers from 0 on, each once.
  expect('sum of the keys', keys?.sum, (total.sent * (total.sent - 1)) / 2);
  let sold = 0;
  let undelivered = 0;
  let wrongEnds = 0;
  for await (const { id, mobile, state } of purchasesIn(db)) {
    const should = isDelivered(state);
    if (should) sold += 1;
    if (delivered !== undefined && (delivered.get(id) ?? 0) !== (should ? 1 : 0)) undelivered += 1;
    if (endOf(Number(mobile.slice(-2))).state !== state) wrongEnds += 1;
  }
  expect('sales that were answered', total.sold, sold);
  expect('purchases that the operators’ book contradicts', undelivered, 0);
  if (delivered !== undefined) expect('deliveries in the operators’ book', delivered.size, sold);
  expect('keys that were never final', total.notFinal, 0);
  return { faults, wrongEnds };
};

/** Per client: deposits, less sold and held, are the balance. */
const moneyText = `select count(*) as wrong from accounts a where
  (select coalesce(sum(amount), 0) from postings where client_id = a.client_id and kind = 'deposit')
  - (select coalesce(sum(amount), 0) from purchases where client_id = a.client_id and state = 'succeeded')
  - (select coalesce(sum(amount), 0) from purchases where client_id = a.client_id
      and state in ('submitted', 'unknown', 'review')) <> a.available`;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

export type Timed = Sample & { readonly at: number };

/** The minute after the second against the last fifth; undefined if the run was too short. */
export const memoryGrowth = (
  samples: readonly Timed[],
): { readonly beforeMb: number; readonly afterMb: number } | undefined => {
  const end = samples.at(-1)?.at ?? 0;
  const between = (from: number, to: number): number[] =>
    samples.filter(({ at }) => at >= from && at < to).map(({ memoryMb }) => memoryMb);
  if (end * 0.8 < 180) return undefined;
  return { beforeMb: median(between(120, 180)), afterMb: median(between(end * 0.8, end + 1)) };
};

export type SoakResult = {
  readonly what: string;
  /** Undefined if it could not be judged. */
  readonly ok: boolean | undefined;
  readonly detail: string;
};

const memoryVerdict = (samples: readonly Timed[]): SoakResult => {
  const what = 'memory is flat after the second minute';
  const growth = memoryGrowth(samples);
  if (growth === undefined) return { what, ok: undefined, detail: 'shorter than four minutes' };
  const { beforeMb, afterMb } = growth;
  const most = beforeMb + Math.max(beforeMb * limits.growthShare, limits.growthMb);
  const detail = `${beforeMb.toFixed(0)} → ${afterMb.toFixed(0)} MB (at most ${most.toFixed(0)})`;
  return { what, ok: afterMb <= most, detail };
};

export const judge = async (end: {
  readonly db: Db;
  readonly total: Total;
  readonly samples: readonly Timed[];
  readonly delivered: ReadonlyMap<string, number> | undefined;
  readonly exitStatus: number;
  readonly verified: { readonly ok: boolean; readonly detail: string };
}): Promise<SoakResult[]> => {
  const { db, total } = end;
  const { faults, wrongEnds } = await findFaults(db, total, end.delivered);
  const [balances] = await runText<{ wrong: number }>(db, moneyText, []);
  const wrong = balances?.wrong ?? Number.NaN;
  const slowShare = total.slow / total.healthy;
  const errors = Object.entries(total.errors).map(([name, count]) => `${name}: ${count}`);
  const judged = end.delivered === undefined ? '' : ', as the operators’ book has it';
  return [
    {
      what: 'nothing is lost or doubled',
      ok: faults.length === 0,
      detail:
        faults.join('; ') || `${total.sent} keys, each with one purchase and its end${judged}`,
    },
    {
      what: 'every number ends as the simulator promises',
      ok: wrongEnds === 0,
      detail: `${wrongEnds} otherwise`,
    },
    { what: 'every balance is deposits − sold − held', ok: wrong === 0, detail: `${wrong} wrong` },
    { what: 'simgate verify', ...end.verified },
    {
      what: `at most ${limits.slowShare * 100} % of healthy purchases take longer than 250 ms`,
      ok: slowShare <= limits.slowShare,
      detail: `${total.slow} of ${total.healthy} (${(slowShare * 100).toFixed(3)} %)${errors.length === 0 ? '' : `; wrong answers: ${errors.join(', ')}`}`,
    },
    memoryVerdict(end.samples),
    {
      what: 'it stops when it is asked to',
      ok: end.exitStatus === 0,
      detail: `status ${end.exitStatus}`,
    },
  ];
};
