/** Verifies what purchases charged: adds up each commission again, without the code that decided it. */
import { runText } from '../../db/statement.ts';
import type { Db } from '../../db/types.ts';

type Entry = {
  readonly percent: string | null;
  readonly amount: number | null;
  readonly from: number;
  /** When its version was surely over; undefined if no later one has begun. */
  readonly until: number | undefined;
};

export type PriceEntries = ReadonlyMap<number, Entry>;

// A purchase that was being committed with a change of the lists may go by the version before. None takes as long.
const commitMs = 60_000;

/** Every entry, with the time in which its version was in force. */
export const readPriceEntries = async (db: Db): Promise<PriceEntries> => {
  const versions = await db
    .selectFrom('price_versions')
    .select(['list_id', 'number', 'valid_from', 'created_at'])
    .where('withdrawn_at', 'is', null)
    .orderBy('valid_from')
    .execute();
  const entries = await db
    .selectFrom('price_entries')
    .select(['id', 'list_id', 'number', 'commission_percent', 'commission_amount'])
    .execute();
  const spans = new Map<string, Pick<Entry, 'from' | 'until'>>();
  for (const list of Map.groupBy(versions, ({ list_id }) => list_id).values()) {
    for (const [index, { list_id, number, valid_from: from }] of list.entries()) {
      const next = list[index + 1];
      const until =
        next === undefined ? undefined : Math.max(next.valid_from, next.created_at + commitMs);
      spans.set(`${list_id} ${number}`, { from, until });
    }
  }
  return new Map(
    entries.flatMap(({ id, list_id, number, commission_percent, commission_amount }) => {
      const span = spans.get(`${list_id} ${number}`);
      const entry = { percent: commission_percent, amount: commission_amount };
      return span === undefined ? [] : [[id, { ...entry, ...span }] as const];
    }),
  );
};

/** The percentage as a fraction of whole numbers, rounded down. */
const commissionBy = ({ percent, amount }: Entry, price: number): number => {
  if (percent === null) return amount ?? 0;
  const [units = '', decimals = ''] = percent.split('.');
  const scale = 10n ** BigInt(decimals.length);
  return Number((BigInt(price) * BigInt(units + decimals)) / (100n * scale));
};

const repeatedText = `select at as "from", earlier as "to"
  from (select at, lag(at) over (partition by client_id order by seq) as earlier from postings) as pairs
  where at < earlier - cast(? as bigint)
  order by at limit 1000`;

export type Repeated = { readonly from: number; readonly to: number };

/** The times that the clock has shown twice, because it was set back in between. */
export const readRepeated = async (db: Db): Promise<Repeated[]> => {
  const rows = await runText<Repeated>(db, repeatedText, [commitMs]);
  return rows.map(({ from, to }) => ({ from: from - commitMs, to: to + commitMs }));
};

/** What a purchase's row says about its price. */
export type Priced = {
  readonly state: string;
  readonly amount: number;
  readonly charged_amount: number | null;
  readonly price_entry_id: number | null;
  readonly began_at: number;
  readonly route_id: number | null;
  readonly left_suppliers: string | null;
};

/** By their times, its version was over before it began. So it also looks after a clock was set back. */
export const isByOldVersion = (row: Priced, entries: PriceEntries): boolean => {
  const { until = Infinity } = entries.get(row.price_entry_id ?? 0) ?? {};
  return row.charged_amount !== null && row.state !== 'refused' && row.began_at >= until;
};

export const notInForce = (id: number | null): string =>
  `it is priced by the entry ${id}, which was not in force when it began`;

/** What is wrong with what a purchase charged, and with the entry that decided it. */
export const priceProblems = (row: Priced, entries: PriceEntries): string[] => {
  const { amount, charged_amount: charged, price_entry_id: id, began_at: at } = row;
  if (charged === null || row.state === 'refused') {
    return charged === null && id === null ? [] : [`it is ${row.state} and charges ${charged}`];
  }
  if (id === null) {
    return charged === amount ? [] : [`it charges ${charged} of ${amount} without a commission`];
  }
  const entry = entries.get(id);
  if (entry === undefined) return [`it is priced by the entry ${id}, which was never in force`];
  const problems: string[] = [];
  if (at < entry.from) problems.push(notInForce(id));
  const least = Math.min(amount, Math.max(1, amount - commissionBy(entry, amount)));
  // Only the cost of a route raises it.
  const most = row.route_id === null && row.left_suppliers === null ? least : amount;
  if (charged < least || charged > most) {
    problems.push(`it charges ${charged} of ${amount}, and its commission leaves ${least}`);
  }
  return problems;
};
