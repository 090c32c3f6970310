/** Verifies that the sums of what was sold are those of the postings, up to each cursor. Reads only. */
import { createHash } from 'node:crypto';
import type { Db } from '../../../db/types.ts';
import { daysIn } from '../../../lib/business-day.ts';
import { monthOf } from '../../../lib/calendar-day.ts';
import { byText } from '../sums.ts';
import {
  type CountedPosting,
  findCursorsTooFar,
  findUnequalSums,
  listCountedDays,
  listZones,
  streamCounted,
  streamFullSums,
} from './store.ts';

export type SalesProblem = { readonly client?: string; readonly problem: string };

export type SalesVerification = {
  /** The captures and reversals that are counted. */
  readonly sales: number;
  readonly problems: readonly SalesProblem[];
};

type Line = readonly [day: number, product: number, operator: number, ...sums: number[]];

const digestOf = (): { add: (line: Line) => void; end: () => string } => {
  const hash = createHash('sha256');
  return { add: (line) => void hash.update(`${line.join(' ')}\n`), end: () => hash.digest('hex') };
};

/** The time zone by which each posting of a client was counted. */
type ZoneOf = (seq: number) => string | undefined;

const zonesOf = async (db: Db): Promise<(clientId: string) => ZoneOf> => {
  const byClient = Map.groupBy(await listZones(db), ({ client_id }) => client_id);
  return (clientId) => {
    const zones = byClient.get(clientId) ?? [];
    return (seq) => zones.findLast(({ after_seq }) => after_seq < seq)?.time_zone;
  };
};

/** Adds up without the code that counted, so that a bug there cannot hide here. */
const createExpected = (zoneOf: ZoneOf) => {
  const lines = new Map<string, number[]>();
  return {
    add: ({ seq, at, product_id, operator_id, kind, amount }: CountedPosting): boolean => {
      const zone = zoneOf(seq);
      if (zone === undefined) return false;
      const place = [daysIn(zone)(at).date, product_id, operator_id];
      const key = place.join(' ');
      const line = lines.get(key) ?? [...place, 0, 0, 0, 0];
      lines.set(key, line);
      const first = kind === 'capture' ? 3 : 5;
      line[first] = (line[first] ?? 0) + 1;
      line[first + 1] = (line[first + 1] ?? 0) + amount;
      return true;
    },
    digest: (): string => {
      const { add, end } = digestOf();
      const sorted = [...lines.values()].sort(
        (one, other) =>
          (one[0] ?? 0) - (other[0] ?? 0) ||
          (one[1] ?? 0) - (other[1] ?? 0) ||
          (one[2] ?? 0) - (other[2] ?? 0),
      );
      for (const [day = 0, product = 0, operator = 0, ...sums] of sorted) {
        add([day, product, operator, ...sums]);
      }
      return end();
    },
  };
};

/** What the sums of each client must be, as digests: two clients' sums are never in memory together. */
const expectedDigests = async (db: Db) => {
  const zones = await zonesOf(db);
  const digests = new Map<string, string>();
  const undated = new Set<string>();
  let sales = 0;
  let current: { client: string; sums: ReturnType<typeof createExpected> } | undefined;
  const finish = (): void => {
    if (current !== undefined) digests.set(current.client, current.sums.digest());
  };
  for await (const posting of streamCounted(db)) {
    const client = posting.client_id;
    if (client !== current?.client) {
      finish();
      current = { client, sums: createExpected(zones(client)) };
    }
    sales += 1;
    if (!current.sums.add(posting)) undated.add(client);
  }
  finish();
  return { digests, undated, sales };
};

const storedDigests = async (db: Db): Promise<ReadonlyMap<string, string>> => {
  const digests = new Map<string, string>();
  let current: { client: string; digest: ReturnType<typeof digestOf> } | undefined;
  const finish = (): void => {
    if (current !== undefined) digests.set(current.client, current.digest.end());
  };
  for await (const row of streamFullSums(db)) {
    if (row.client_id !== current?.client) {
      finish();
      current = { client: row.client_id, digest: digestOf() };
    }
    const { day, product_id, operator_id, sold, sold_amount, reversed, reversed_amount } = row;
    current.digest.add([
      day,
      product_id,
      operator_id,
      sold,
      sold_amount,
      reversed,
      reversed_amount,
    ]);
  }
  finish();
  return digests;
};

/** The rows of the other kinds are the sums of the full ones. */
const unequalKinds = async (db: Db): Promise<SalesProblem[]> => {
  const problems: SalesProblem[] = [];
  const report = (kind: string, rows: number, when: string): void => {
    if (rows === 0) return;
    const problem = `${rows} sums of what was sold by ${kind}${when} do not equal the full ones`;
    problems.push({ problem });
  };
  report('client', await findUnequalSums(db, 'client'), '');
  report('product', await findUnequalSums(db, 'product'), '');
  const days = (await listCountedDays(db)).toSorted((one, other) => one - other);
  const months = new Set(days.map((day) => monthOf(day).first));
  for (const first of months) {
    const month = { from: first, to: monthOf(first).next - 1 };
    report('month', await findUnequalSums(db, 'month', month), ` from day ${first}`);
  }
  return problems;
};

const problemsKept = 1000;

/** Walks all postings and all sums in constant memory. Run it inside one transaction. */
export const verifySales = async (db: Db): Promise<SalesVerification> => {
  const { digests, undated, sales } = await expectedDigests(db);
  const stored = await storedDigests(db);
  const problems: SalesProblem[] = [];
  for (const { client_id: client, seq } of await findCursorsTooFar(db)) {
    problems.push({
      client,
      problem: `sales are counted up to posting ${seq}, which is not there`,
    });
  }
  for (const client of undated) {
    problems.push({ client, problem: 'sales are counted by an unknown time zone' });
  }
  for (const client of new Set([...digests.keys(), ...stored.keys()])) {
    if (digests.get(client) === stored.get(client)) continue;
    problems.push({ client, problem: 'the sums of what was sold are not those of its postings' });
  }
  // The engines sort clients differently; a move compares what verification finds on both.
  const byClient = (one: SalesProblem, other: SalesProblem): number =>
    byText(one.client ?? '', other.client ?? '');
  const sorted = [...problems.sort(byClient), ...(await unequalKinds(db))];
  return { sales, problems: sorted.slice(0, problemsKept) };
};
