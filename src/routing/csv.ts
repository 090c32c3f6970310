/** Reads and prints routes as text: the cells of a CSV file, and the options of a command. */
import { readCsvRows } from '../catalogue/file/csv-rows.ts';
import type { FileProblem } from '../catalogue/file/lines.ts';
import {
  asOneOf,
  asSwitch,
  asText,
  asTime,
  asWhole,
  type Fields,
  optional,
  type Reader,
  report,
  required,
} from '../catalogue/file/read-field.ts';
import { forms, rowTexts } from '../catalogue/file/texts.ts';
import { productTypes } from '../catalogue/product.ts';
import { csvLine, escapeFormula } from '../lib/csv.ts';
import { latinDigits } from '../lib/digits.ts';
import { show } from '../lib/json/show-value.ts';
import { isRecord } from '../lib/record.ts';
import {
  type CostRule,
  type Hours,
  isPercent,
  mostPriority,
  mostWeight,
  type Route,
  type RouteTerms,
  type Weekday,
  weekdays,
} from './route.ts';
import { routeFaults } from './texts.ts';

export type RouteCell = (typeof routeColumns)[number];
export const routeColumns = [
  'id',
  'operator_id',
  'product_id',
  'category_id',
  'product_type',
  'client_id',
  'supplier_id',
  'product_code',
  'cost',
  'allow_dearer',
  'priority',
  'weight',
  'hours',
  'days',
  'valid_from',
  'valid_until',
  'enabled',
] as const;

/** A route of a file; the id is null for a new one. */
export type ReadRoute = {
  readonly line: number;
  readonly id: number | null;
  readonly terms: RouteTerms;
};

const longestCode = 100;
const minutesADay = 1440;

const asId = asWhole({ form: forms.whole, least: 1 });
const asPriority = asWhole({ form: forms.whole, least: 1, most: mostPriority });
const asWeight = asWhole({ form: forms.whole, least: 1, most: mostWeight });
const asAmount = asWhole({ form: forms.amount, least: 0 });

const asCost: Reader<CostRule> = (value) => {
  const text = latinDigits(String(value).trim());
  const percent = text.endsWith('%') ? text.slice(0, -1).trim() : undefined;
  if (percent !== undefined && isPercent(percent)) return { value: { kind: 'percent', percent } };
  const amount = asAmount(text);
  return 'value' in amount
    ? { value: { kind: 'fixed', amount: amount.value } }
    : { fault: routeFaults.notCost(show(value)) };
};

const minuteOf = (text = ''): number => {
  const [, hours, minutes] = /^(\d\d):([0-5]\d)$/.exec(text) ?? [];
  return Number(hours) * 60 + Number(minutes);
};

const asHours: Reader<Hours> = (value) => {
  const [first, second] = latinDigits(String(value).trim()).split(/\s*[-–]\s*/);
  const [from, to] = [minuteOf(first), minuteOf(second)];
  const fits = from < minutesADay && to > 0 && to <= minutesADay && from !== to;
  return fits ? { value: { from, to } } : { fault: routeFaults.notHours(show(value)) };
};

/** All seven days are every day. */
const asDays: Reader<readonly Weekday[]> = (value) => {
  const named = String(value)
    .trim()
    .toLowerCase()
    .split(/[\s,]+/);
  const days = weekdays.filter((day) => named.includes(day));
  if (named.length !== days.length) return { fault: routeFaults.notDays(show(value)) };
  return { value: days.length === weekdays.length ? [] : days };
};

const asCode: Reader<string> = (value) => {
  const text = String(value).trim();
  return text === '' || text.length > longestCode
    ? { fault: routeFaults.notCode(show(value)) }
    : asText(text);
};

const asMoment: Reader<number> = (value) => {
  const time = asTime(value);
  return 'value' in time ? { value: Date.parse(time.value) } : time;
};

const readFlag = (fields: Fields, name: RouteCell, otherwise: boolean): boolean =>
  optional(fields, name, asSwitch, otherwise ? 1 : 0) === 1;

/** The terms that cells describe; undefined if something is wrong, which is reported. */
export const readTerms = (fields: Fields): RouteTerms | undefined => {
  const before = fields.problems.length;
  const operatorId = required(fields, 'operator_id', asId);
  const supplierId = required(fields, 'supplier_id', asId);
  const priority = required(fields, 'priority', asPriority);
  const terms = {
    productId: optional(fields, 'product_id', asId, null),
    categoryId: optional(fields, 'category_id', asId, null),
    productType: optional(fields, 'product_type', asOneOf(productTypes), null),
    clientId: optional(fields, 'client_id', asText, null),
    productCode: optional(fields, 'product_code', asCode, null),
    cost: optional(fields, 'cost', asCost, { kind: 'none' } as const),
    allowDearer: readFlag(fields, 'allow_dearer', false),
    weight: optional(fields, 'weight', asWeight, 1),
    hours: optional(fields, 'hours', asHours, null),
    days: optional(fields, 'days', asDays, []),
    validFrom: optional(fields, 'valid_from', asMoment, null),
    validUntil: optional(fields, 'valid_until', asMoment, null),
    enabled: readFlag(fields, 'enabled', true),
  };
  const { validFrom, validUntil } = terms;
  if (validFrom !== null && validUntil !== null && validUntil <= validFrom) {
    report(fields, 'valid_until', routeFaults.notLater);
  }
  if (fields.problems.length > before) return undefined;
  if (operatorId === undefined || supplierId === undefined || priority === undefined) return;
  return { ...terms, operatorId, supplierId, priority };
};

/** Reads a whole file. All problems are reported, by line; `rows` counts only if there are none. */
export const readRoutesFile = (
  text: string,
): { readonly rows: readonly ReadRoute[]; readonly problems: readonly FileProblem[] } => {
  const split = readCsvRows(text, routeColumns);
  const problems = [...split.problems];
  const rows: ReadRoute[] = [];
  const lineOf = new Map<number, number>();
  for (const { line, value } of split.rows) {
    const values = new Map(Object.entries(isRecord(value) ? value : {}));
    const fields = { line, path: '', values, problems };
    const id = optional(fields, 'id', asId, null);
    const terms = readTerms(fields);
    const first = id === null ? undefined : lineOf.get(id);
    if (id !== null && first !== undefined) {
      problems.push({ line, field: 'id', message: rowTexts.repeatedId(id, first, line) });
    } else if (id !== null) lineOf.set(id, line);
    if (terms !== undefined) rows.push({ line, id, terms });
  }
  return { rows, problems: problems.sort((one, other) => one.line - other.line) };
};

const clockOf = (minute: number): string =>
  [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':');

const printCost = (cost: CostRule): string => {
  if (cost.kind === 'none') return '';
  return cost.kind === 'fixed' ? String(cost.amount) : `${cost.percent}%`;
};

const printTime = (time: number | null): string =>
  time === null ? '' : new Date(time).toISOString();

/** The terms as text; `readTerms` reads the same. */
export const printTerms = (terms: RouteTerms): Record<Exclude<RouteCell, 'id'>, string> => ({
  operator_id: String(terms.operatorId),
  product_id: String(terms.productId ?? ''),
  category_id: String(terms.categoryId ?? ''),
  product_type: terms.productType ?? '',
  client_id: terms.clientId ?? '',
  supplier_id: String(terms.supplierId),
  product_code: terms.productCode ?? '',
  cost: printCost(terms.cost),
  allow_dearer: terms.allowDearer ? '1' : '0',
  priority: String(terms.priority),
  weight: String(terms.weight),
  hours: terms.hours === null ? '' : `${clockOf(terms.hours.from)}-${clockOf(terms.hours.to)}`,
  days: terms.days.join(' '),
  valid_from: printTime(terms.validFrom),
  valid_until: printTime(terms.validUntil),
  enabled: terms.enabled ? '1' : '0',
});

/** Prints routes piece by piece, a route a line, so that `readRoutesFile` reads the same. */
export function* printRoutes(routes: Iterable<Route>): Generator<string> {
  yield csvLine(routeColumns);
  for (const route of routes) {
    const cells = { id: String(route.id), ...printTerms(route) };
    yield csvLine(routeColumns.map((column) => escapeFormula(cells[column])));
  }
}
