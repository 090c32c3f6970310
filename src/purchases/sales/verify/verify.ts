/** Verifies that the sums of what was sold are those of the postings, up to each cursor. Reads only. */
import { createHash } from 'node:crypto';
import type { Tables } from '../../../db/tables/tables.ts';
import type { Db } from '../../../db/types.ts';
import { daysIn } from '../../../lib/business-day.ts';
import { monthOf } from '../../../lib/calendar-day.ts';
import { perKey } from '../../../lib/memo.ts';
import { byText } from '../sums.ts';
import { knownRules, readDatedBy } from '../zone.ts';
import {
  findCursorsTooFar,
  findUnequalSums,
  listCountedDays,
  listZones,
  streamCounted,
  streamFullSums,
  sumColumns,
} from './store.ts';

export type SalesProblem = { readonly client?: string; readonly problem: string };

export type SalesVerification = {
  /** The captures, reversals and releases that are counted. */
  readonly sales: number;
  readonly problems: readonly SalesProblem[];
};

/** By what each posting of a client was dated. */
type Dating = {
  /** Whether the rules known today dated all of them. Other rules may give other days. */
  readonly isKnown: boolean;
  readonly zoneOf: (seq: number) => string | undefined;
};

const datingsOf = async (db: Db, rules: string): Promise<(clientId: string) => Dating> => {
  const rows = (await listZones(db)).map((row) => ({ ...row, ...readDatedBy(row.time_zone) }));
  const byClient = Map.groupBy(rows, ({ client_id }) => client_id);
  return perKey((clientId) => {
    const zones = byClient.get(clientId) ?? [];
    return {
      isKnown: zones.every((one) => one.rules === rules),
      zoneOf: (seq) => zones.findLast(({ after_seq }) => after_seq < seq)?.zone,
    };
  });
};

type Place = readonly [day: number, product: number, operator: number, supplier: number];

/** Adds up without the code that counted, so that a bug there cannot hide here. */
const createLines = () => {
  const lines = new Map<string, number[]>();
  return {
    add: (place: Place, sums: readonly number[]): void => {
      const key = place.join(' ');
      const line = lines.get(key) ?? sums.map(() => 0);
      lines.set(
        key,
        line.map((sum, index) => sum + (sums[index] ?? 0)),
      );
    },
    digest: (): string => {
      const hash = createHash('sha256');
      const sorted = [...lines].sort(([one], [other]) => byText(one, other));
      for (const [place, sums] of sorted) hash.update(`${place} ${sums.join(' ')}\n`);
      return hash.digest('hex');
    },
  };
};

/** A digest for each client, whose rows come together: two clients' sums are never in memory at once. */
const createDigests = () => {
  const digests = new Map<string, string>();
  let current: { client: string; lines: ReturnType<typeof createLines> } | undefined;
  const finish = (): void => {
    if (current !== undefined) digests.set(current.client, current.lines.digest());
  };
  return {
    linesOf: (client: string): ReturnType<typeof createLines> => {
      if (client !== current?.client) {
        finish();
        current = { client, lines: createLines() };
      }
      return current.lines;
    },
    end: (): ReadonlyMap<string, string> => {
      finish();
      return digests;
    },
  };
};

type Counted = Pick<Tables['postings'], 'kind' | 'amount' | 'cost'> & {
  readonly price: number | null;
};

/** What one posting adds, in the order of the table's columns. */
const sumsOf = ({ kind, price, amount, cost }: Counted): number[] => {
  const one = [1, price ?? amount, amount, Math.abs(cost ?? 0)];
  const whole = cost === null ? [...one, 1, amount] : [...one, 0, 0];
  const none = whole.map(() => 0);
  if (kind === 'capture') return [...whole, ...none, 0];
  return kind === 'reverse' ? [...none, ...whole, 0] : [...none, ...none, 1];
};

type Datings = Awaited<ReturnType<typeof datingsOf>>;

/** What the sums of each client must be: by day, or of all days where other rules dated a part. */
const expectedDigests = async (db: Db, datings: Datings) => {
  const digests = createDigests();
  const undated = new Set<string>();
  let sales = 0;
  for await (const posting of streamCounted(db)) {
    const { client_id: client, seq, at, product_id, operator_id, supplier_id } = posting;
    const lines = digests.linesOf(client);
    sales += 1;
    const { isKnown, zoneOf } = datings(client);
    const zone = zoneOf(seq);
    if (zone === undefined) {
      undated.add(client);
      continue;
    }
    const day = isKnown ? daysIn(zone)(at).date : 0;
    lines.add([day, product_id, operator_id, supplier_id], sumsOf(posting));
  }
  return { digests: digests.end(), undated, sales };
};

const storedDigests = async (db: Db, datings: Datings): Promise<ReadonlyMap<string, string>> => {
  const digests = createDigests();
  for await (const row of streamFullSums(db)) {
    const { client_id: client, product_id, operator_id, supplier_id } = row;
    const day = datings(client).isKnown ? row.day : 0;
    const sums = sumColumns.map((name) => row[name]);
    digests.linesOf(client).add([day, product_id, operator_id, supplier_id], sums);
  }
  return digests.end();
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
export const verifySales = async (db: Db, rules = knownRules): Promise<SalesVerification> => {
  const datings = await datingsOf(db, rules);
  const { digests, undated, sales } = await expectedDigests(db, datings);
  const stored = await storedDigests(db, datings);
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
