/** Turns a route into the texts of its form, and the typed texts into the terms of the API. Pure. */
import { type Format, readWhole, toLatinDigits } from '../writing.ts';
import { fromField, toField } from '../zoned.ts';
import { type Route, type TermName, type Terms, termNames, type Weekday } from './route.ts';

type TextName = Exclude<TermName, 'days' | 'allow_dearer' | 'enabled'>;

export type Draft = Readonly<Record<TextName, string>> & {
  readonly days: readonly Weekday[];
  readonly allow_dearer: boolean;
  readonly enabled: boolean;
};

const types = [
  'cell_internet',
  'cell_direct_charge',
  'td_lte_internet',
] as const satisfies readonly Terms['product_type'][];

/** A new route is best tried before the implicit one, whose priority is 100. */
const newDraft: Draft = {
  operator_id: '',
  product_id: '',
  category_id: '',
  product_type: '',
  client_id: '',
  supplier_id: '',
  product_code: '',
  cost: '',
  allow_dearer: false,
  priority: '10',
  weight: '1',
  hours: '',
  days: [],
  valid_from: '',
  valid_until: '',
  enabled: true,
};

const textOf = (value: string | number | null): string => (value === null ? '' : String(value));

/** As the language writes its numbers; of a new one if there is none. */
export const draftOf = (
  route: Route | undefined,
  { digits, zone }: Pick<Format, 'digits' | 'zone'>,
): Draft => {
  if (route === undefined) {
    return { ...newDraft, priority: digits(newDraft.priority), weight: digits(newDraft.weight) };
  }
  return {
    operator_id: textOf(route.operator_id),
    product_id: textOf(route.product_id),
    category_id: textOf(route.category_id),
    product_type: textOf(route.product_type),
    client_id: textOf(route.client_id),
    supplier_id: textOf(route.supplier_id),
    product_code: textOf(route.product_code),
    cost: digits(textOf(route.cost)),
    allow_dearer: route.allow_dearer,
    priority: digits(route.priority),
    weight: digits(route.weight),
    hours: digits(textOf(route.hours)),
    days: route.days,
    valid_from: route.valid_from === null ? '' : toField(route.valid_from, zone),
    valid_until: route.valid_until === null ? '' : toField(route.valid_until, zone),
    enabled: route.enabled,
  };
};

const orNull = (typed: string): string | null => (typed.trim() === '' ? null : typed.trim());
const idOrNull = (id: string): number | null => (id === '' ? null : Number(id));

/** An amount without separators, or a percentage; anything else as it is, for the gateway to refuse. */
const costIn = (typed: string): string | null => {
  const amount = readWhole(typed);
  if (amount !== undefined) return String(amount);
  const latin = toLatinDigits(typed).replace('٪', '%').replace('٫', '.');
  return orNull(latin.replaceAll(/\s/g, ''));
};

const hoursIn = (typed: string): string | null =>
  orNull(toLatinDigits(typed).replaceAll(/\s/g, '').replace('–', '-'));

/** What the API takes. A number that is none is 0, which `faultsOf` finds. */
export const termsOf = (draft: Draft, zone: string): Terms => ({
  operator_id: Number(draft.operator_id),
  product_id: idOrNull(draft.product_id),
  category_id: idOrNull(draft.category_id),
  product_type: types.find((type) => type === draft.product_type) ?? null,
  client_id: orNull(draft.client_id),
  supplier_id: Number(draft.supplier_id),
  product_code: orNull(draft.product_code),
  cost: costIn(draft.cost),
  allow_dearer: draft.allow_dearer,
  priority: readWhole(draft.priority) ?? 0,
  weight: readWhole(draft.weight) ?? 0,
  hours: hoursIn(draft.hours),
  days: draft.days,
  valid_from: orNull(fromField(draft.valid_from, zone)),
  valid_until: orNull(fromField(draft.valid_until, zone)),
  enabled: draft.enabled,
});

type Fault = 'required' | 'notNumber';

/** What keeps it from being sent. */
export const faultsOf = (draft: Draft): Readonly<Partial<Record<TermName, Fault>>> => ({
  ...(draft.operator_id === '' ? { operator_id: 'required' } : {}),
  ...(draft.supplier_id === '' ? { supplier_id: 'required' } : {}),
  ...(readWhole(draft.priority) === undefined ? { priority: 'notNumber' } : {}),
  ...(readWhole(draft.weight) === undefined ? { weight: 'notNumber' } : {}),
});

type Changed = { -readonly [Name in TermName]?: Terms[Name] };

const copy = <Name extends TermName>(
  to: Pick<Changed, Name>,
  from: Pick<Terms, Name>,
  name: Name,
): void => {
  to[name] = from[name];
};

/** The names of the terms that differ. */
export const differing = (one: Terms, other: Terms): readonly TermName[] =>
  termNames.filter((name) => String(one[name]) !== String(other[name]));

/** The terms that differ from those before, so that nothing else is overwritten. */
export const changedTerms = (before: Terms, after: Terms): Changed => {
  const changed: Changed = {};
  for (const name of differing(before, after)) copy(changed, after, name);
  return changed;
};
