/** Defines a client's rules, and maps them to columns. Pure. */
import type { Tables } from '../../db/tables/tables.ts';
import { listIn } from '../../lib/json/list.ts';

export type ClientRules = {
  /** The allowed products and operators; null: all. */
  readonly products: readonly number[] | null;
  readonly operators: readonly number[] | null;
  /** How long a similar purchase counts as a repeat; null: never. */
  readonly repeatSeconds: number | null;
  /** The most that it may spend on a business day; null: no limit. */
  readonly dailyLimit: number | null;
  /** The answer to an unfinished purchase. */
  readonly pendingStatus: 202 | 409;
};

/** A day: a later purchase is not an accidental repeat. */
export const longestGuard = 86_400;

/** The defaults. */
export const noRules: ClientRules = {
  products: null,
  operators: null,
  repeatSeconds: null,
  dailyLimit: null,
  pendingStatus: 202,
};

/** The columns of a client's rules; all null if it has none. */
export type RulesRow = {
  readonly [Column in keyof Omit<Tables['client_rules'], 'client_id'>]:
    | Tables['client_rules'][Column]
    | null;
};

const readList = (json: string | null): readonly number[] | null =>
  json === null ? null : listIn(json).map(Number);

const printList = (list: readonly number[] | null): string | null =>
  list === null ? null : JSON.stringify(list);

const sets = (rules: ClientRules): boolean =>
  rules.pendingStatus !== noRules.pendingStatus ||
  rules.products !== null ||
  rules.operators !== null ||
  rules.repeatSeconds !== null ||
  rules.dailyLimit !== null;

/** Reads the columns of a row; undefined if they set nothing, or there is no row. */
export const rulesIn = (row: RulesRow): ClientRules | undefined => {
  const rules: ClientRules = {
    products: readList(row.products),
    operators: readList(row.operators),
    repeatSeconds: row.repeat_seconds,
    dailyLimit: row.daily_limit,
    pendingStatus: row.pending_status === 409 ? 409 : 202,
  };
  return sets(rules) ? rules : undefined;
};

/** Rules as columns; unnamed ones are left out. */
export const rowOf = (
  rules: Partial<ClientRules>,
): Partial<Omit<Tables['client_rules'], 'client_id'>> => ({
  ...(rules.products === undefined ? {} : { products: printList(rules.products) }),
  ...(rules.operators === undefined ? {} : { operators: printList(rules.operators) }),
  ...(rules.repeatSeconds === undefined ? {} : { repeat_seconds: rules.repeatSeconds }),
  ...(rules.dailyLimit === undefined ? {} : { daily_limit: rules.dailyLimit }),
  ...(rules.pendingStatus === undefined ? {} : { pending_status: rules.pendingStatus }),
});

/** Whether a client may buy a product. */
export const mayBuy = (
  rules: ClientRules | undefined,
  product: { readonly id: number; readonly operator_id: number },
): boolean =>
  rules === undefined ||
  (rules.products?.includes(product.id) !== false &&
    rules.operators?.includes(product.operator_id) !== false);
