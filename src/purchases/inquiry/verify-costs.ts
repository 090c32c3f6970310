/** Verifies what purchases cost: each supplier's lines add up to what its deliveries cost. Pure. */
import { leftCostsIn } from '../rows.ts';
import type { CostLine } from './store.ts';

/** What a purchase's row says about its cost. */
type Costed = {
  readonly supplier_id: number | null;
  readonly operator_id: number | null;
  readonly cost: number | null;
  readonly told_cost: number | null;
  /** Whether there is more to add up than its postings. */
  readonly learnt: boolean | number;
};

type CostPosting = {
  readonly kind: string | null;
  readonly posted_cost: number | null;
  readonly posted_supplier: number | null;
};

/** Before there were suppliers, the one with the operator's own number. */
const supplierOf = ({ supplier_id, operator_id }: Pick<Costed, 'supplier_id' | 'operator_id'>) =>
  supplier_id ?? operator_id;

const currentOf = ({ current_supplier, operator_id }: CostLine): number | null =>
  current_supplier ?? operator_id;

/** What is wrong with the costs of a purchase's postings, if nothing else was learnt of them. */
export const costProblems = (row: Costed, postings: readonly CostPosting[]): string[] => {
  if (row.learnt) return [];
  const problems: string[] = [];
  const capture = postings.find(({ kind }) => kind === 'capture');
  const reverse = postings.find(({ kind }) => kind === 'reverse');
  if (capture === undefined) return problems;
  const { posted_cost: cost, posted_supplier: supplier } = capture;
  // Postings of the versions before have neither.
  const booked = supplier === null ? null : (row.told_cost ?? row.cost);
  if (cost !== booked) problems.push(`its capture costs ${cost}, not ${booked}`);
  if (supplier !== null && supplier !== supplierOf(row)) {
    problems.push(`its capture is of supplier ${supplier}, not of ${supplierOf(row)}`);
  }
  if (reverse === undefined) return problems;
  const back = cost === null ? null : 0 - cost;
  if (reverse.posted_cost !== back) {
    problems.push(`its reverse takes back ${reverse.posted_cost}, not ${back}`);
  }
  if (supplier !== null && reverse.posted_supplier !== supplier) {
    problems.push(`its reverse is of supplier ${reverse.posted_supplier}, not of ${supplier}`);
  }
  return problems;
};

/** How many deliveries each kind of line adds. */
const deliveriesOf: Readonly<Record<string, number>> = {
  capture: 1,
  reverse: -1,
  delivered: 1,
  captured: -1,
  reversed: -1,
  not_delivered: -1,
  told: 0,
};

const costAt = (row: CostLine, supplier: number | null): number => {
  const cost =
    supplier === currentOf(row)
      ? (row.told_cost ?? row.cost)
      : leftCostsIn(row.left_suppliers).get(supplier ?? 0);
  return cost ?? 0;
};

/** A supplier takes what its deliveries cost, as many as stand. */
export const learntCostProblems = (lines: readonly CostLine[]) => {
  const bySupplier = Map.groupBy(
    lines,
    (line) => `${line.client_id} ${line.purchase_id} ${line.supplier_id ?? currentOf(line)}`,
  );
  return [...bySupplier.values()].flatMap((group) => {
    const [row] = group;
    if (row === undefined) return [];
    const supplier = row.supplier_id ?? currentOf(row);
    const sum = (of: (line: CostLine) => number): number =>
      group.reduce((total, line) => total + of(line), 0);
    const deliveries = sum(({ kind }) => deliveriesOf[kind] ?? 0);
    const net = sum(({ line_cost: cost }) => cost ?? 0);
    const due = deliveries * costAt(row, supplier);
    const named = { client: row.client_id, purchase: row.purchase_id };
    const problem = `supplier ${supplier} takes ${net} for ${deliveries} deliveries that cost ${due}`;
    return net === due ? [] : [{ ...named, problem }];
  });
};
