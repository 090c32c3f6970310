/** Adds up what suppliers took, by hour and in all, while sales are counted. */
import { addTo, insertRows, writeRows } from '../../db/statement.ts';
import type { Tables } from '../../db/tables/tables.ts';
import type { Db } from '../../db/types.ts';

export type CostRow = Readonly<Tables['supplier_costs']>;

/** The row of all hours. */
export const allHours = 0;

const hourMs = 3_600_000;

export const hourOf = (at: number): number => Math.max(1, Math.floor(at / hourMs));

type Costing = {
  readonly kind: string;
  readonly amount: number;
  /** 0 if it is not known. */
  readonly supplier_id: number;
  readonly cost: number | null;
  readonly at: number;
};

/** The sums to add, in the order in which all writers write them, which prevents deadlocks. */
export const costRowsOf = (postings: readonly Costing[]): CostRow[] => {
  const rows = new Map<string, { -readonly [Column in keyof CostRow]: CostRow[Column] }>();
  for (const { supplier_id, cost, at, kind, amount } of postings) {
    if (supplier_id <= 0 || cost === null) continue;
    for (const hour of [allHours, hourOf(at)]) {
      const key = `${supplier_id} ${hour}`;
      const row = rows.get(key) ?? { supplier_id, hour, cost: 0, losses: 0 };
      row.cost += cost;
      if (kind === 'capture' && cost > amount) row.losses += 1;
      rows.set(key, row);
    }
  }
  return [...rows.values()].sort(
    (one, other) => one.supplier_id - other.supplier_id || one.hour - other.hour,
  );
};

const addText = insertRows(
  'supplier_costs',
  addTo('supplier_costs', 'supplier_id, hour', ['cost', 'losses']),
);

/** Within the transaction that moves the cursors. */
export const addCosts = async (db: Db, rows: readonly CostRow[]): Promise<void> => {
  if (rows.length === 0) return;
  await writeRows(
    db,
    addText,
    rows.map(({ supplier_id, hour, cost, losses }) => [supplier_id, hour, cost, losses]),
  );
};
