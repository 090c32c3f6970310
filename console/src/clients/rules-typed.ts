/** Parses a client's typed rules, reports what is wrong with them, and lists what changed. */
import type { Format } from '../format.ts';
import { readWhole } from '../format.ts';
import type { Say } from '../i18n/text.ts';
import { pieces, type Rules } from './client.ts';

export type TypedRules = {
  readonly products: string;
  /** Null for all. */
  readonly operators: readonly number[] | null;
  readonly repeat: string;
  readonly limit: string;
  readonly pending: '202' | '409';
};

/** The current rules, as the language writes its numbers. */
export const typedOf = (rules: Rules, { count, digits }: Format): TypedRules => ({
  products: rules.products?.join(', ') ?? '',
  operators: rules.operators,
  repeat: digits(rules.repeat_seconds ?? ''),
  limit: rules.daily_limit === null ? '' : count(rules.daily_limit),
  pending: rules.pending_status === 202 ? '202' : '409',
});

const longestGuard = 86_400;

/** The named products, and the invalid entries. */
export const productsIn = (
  typed: string,
): { readonly ids: readonly number[]; readonly wrong: string } => {
  const named = pieces(typed);
  const isId = (piece: string): boolean => /^[1-9]\d{0,14}$/.test(piece);
  return {
    ids: [...new Set(named.filter(isId).map(Number))],
    wrong: named.filter((piece) => !isId(piece)).join(', '),
  };
};

/** An optional number; undefined if it is invalid. */
const optional = (typed: string, most: number): number | null | undefined => {
  if (typed.trim() === '') return null;
  const value = readWhole(typed);
  return value !== undefined && value >= 1 && value <= most ? value : undefined;
};

export type Faults = Partial<Record<'products' | 'operators' | 'repeat' | 'limit', string>>;

/** The typed rules, or their errors in words. */
export const readRules = (say: Say, typed: TypedRules): Rules | { readonly faults: Faults } => {
  const { ids, wrong } = productsIn(typed.products);
  const repeat = optional(typed.repeat, longestGuard);
  const limit = optional(typed.limit, Number.MAX_SAFE_INTEGER);
  const faults: Faults = {
    ...(wrong === '' ? {} : { products: say('clientRules.productsWrong', { wrong }) }),
    ...(typed.operators?.length !== 0 ? {} : { operators: say('clientRules.operatorsMissing') }),
    ...(repeat === undefined ? { repeat: say('clientRules.repeatWrong') } : {}),
    ...(limit === undefined ? { limit: say('clientRules.limitWrong') } : {}),
  };
  if (repeat === undefined || limit === undefined || Object.keys(faults).length > 0) {
    return { faults };
  }
  return {
    products: ids.length === 0 ? null : ids,
    operators: typed.operators === null ? null : [...typed.operators],
    repeat_seconds: repeat,
    daily_limit: limit,
    pending_status: typed.pending === '202' ? 202 : 409,
  };
};

export type Names = (id: number) => string;

/** All rules, each by its name and in words. */
export const rulesInWords = (
  say: Say,
  { money, count }: Format,
  rules: Rules,
  nameOf: Names,
): readonly (readonly [name: string, value: string])[] => [
  [
    say('clientRules.products'),
    rules.products === null
      ? say('clientRules.all')
      : rules.products.join(say('clientRules.comma')),
  ],
  [
    say('clientRules.operators'),
    rules.operators === null
      ? say('clientRules.all')
      : rules.operators.map(nameOf).join(say('clientRules.comma')),
  ],
  [
    say('clientRules.repeat'),
    rules.repeat_seconds === null
      ? say('clientRules.never')
      : say('clientRules.seconds', { count: count(rules.repeat_seconds) }),
  ],
  [
    say('clientRules.limit'),
    rules.daily_limit === null ? say('clientRules.noLimit') : money(rules.daily_limit),
  ],
  [say('clientRules.pending'), say(`clientRules.pending${rules.pending_status}`)],
];

export type ChangedRule = {
  readonly name: string;
  readonly before: string;
  readonly after: string;
};

/** The changes, each in words. */
export const changedRules = (
  say: Say,
  format: Format,
  { before, after, nameOf }: { before: Rules; after: Rules; nameOf: Names },
): readonly ChangedRule[] => {
  const was = rulesInWords(say, format, before, nameOf);
  return rulesInWords(say, format, after, nameOf).flatMap(([name, value], index) => {
    const old = was[index]?.[1] ?? '';
    return old === value ? [] : [{ name, before: old, after: value }];
  });
};
