/** Reads and writes the view of the sales report in the URL, and turns it into a query. Pure. */
import type { Operations } from '../api/types.ts';
import { readWall, wallAt, writeDay } from '../zoned.ts';

type Query = NonNullable<Operations['getSales']['query']>;

export const namedSpans = ['today', 'yesterday', 'last_7_days', 'last_30_days'] as const;
export type NamedSpan = (typeof namedSpans)[number];
export type Span = NamedSpan | 'own';

export const dimensions = ['day', 'operator', 'supplier', 'product', 'client'] as const;
export type Dimension = (typeof dimensions)[number];

/** The figures of a group; the last two for those who may see costs. */
export const measures = [
  'sold',
  'reversed',
  'failed',
  'success_rate',
  'price',
  'commission',
  'amount',
  'cost',
  'margin',
] as const;
export type Measure = (typeof measures)[number];

export type Filter = {
  readonly client_id: string;
  readonly product_id: string;
  readonly operator_id: string;
  readonly supplier_id: string;
};

export type View = Filter & {
  readonly span: Span;
  /** Business days; empty unless the span is `own`. */
  readonly from: string;
  readonly to: string;
  readonly by: Dimension;
  readonly second: Dimension | '';
  readonly compare: boolean;
  /** A column, with a minus sign before it if descending. */
  readonly sort: string;
};

const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && !!readWall(text);

const dimensionIn = (text: string | null): Dimension | undefined =>
  dimensions.find((one) => one === text);

const ownDays = (params: URLSearchParams): Pick<View, 'span' | 'from' | 'to'> | undefined => {
  const [from = '', to = ''] = ['from', 'to'].map((name) => params.get(name) ?? '');
  const isRange = isDay(from) && isDay(to) && from <= to;
  return isRange ? { span: 'own', from, to } : undefined;
};

export const viewIn = (params: URLSearchParams): View => {
  const text = (name: string): string => params.get(name)?.trim() ?? '';
  const id = (name: string): string => (/^\d{1,15}$/.test(text(name)) ? text(name) : '');
  const span = namedSpans.find((one) => one === params.get('span')) ?? 'today';
  const by = dimensionIn(params.get('by')) ?? 'operator';
  const second = dimensionIn(params.get('second')) ?? '';
  return {
    ...(ownDays(params) ?? { span, from: '', to: '' }),
    by,
    second: second === by ? '' : second,
    compare: params.get('compare') === '1',
    client_id: text('client_id'),
    product_id: id('product_id'),
    operator_id: id('operator_id'),
    supplier_id: id('supplier_id'),
    sort: text('sort'),
  };
};

const given = (values: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));

const filterOf = ({ client_id, product_id, operator_id, supplier_id }: Filter) =>
  given({ client_id, product_id, operator_id, supplier_id });

/** Without what is the default. */
export const paramsOf = (view: View): URLSearchParams =>
  new URLSearchParams({
    ...(view.span === 'own' ? { from: view.from, to: view.to } : { span: view.span }),
    by: view.by,
    ...given({ second: view.second, compare: view.compare ? '1' : '', sort: view.sort }),
    ...filterOf(view),
  });

const spanDays = {
  today: [0, 0],
  yesterday: [1, 1],
  last_7_days: [6, 0],
  last_30_days: [29, 0],
} as const satisfies Record<NamedSpan, readonly [first: number, last: number]>;

const dayMs = 86_400_000;

/** The first and last business day of a span, by the clocks of the business. */
export const daysOf = (
  { span, from, to }: Pick<View, 'span' | 'from' | 'to'>,
  now: number,
  zone: string,
): { readonly from: string; readonly to: string } => {
  if (span === 'own') return { from, to };
  const { year, month, day } = wallAt(now, zone);
  const back = (days: number): string =>
    writeDay(wallAt(Date.UTC(year, month - 1, day) - days * dayMs, 'UTC'));
  const [first, last] = spanDays[span];
  return { from: back(first), to: back(last) };
};

/** The same as the API takes it. */
export const queryOf = (view: View, now: number, zone: string): Query => ({
  ...daysOf(view, now, zone),
  by: view.second === '' ? view.by : `${view.by},${view.second}`,
  ...(view.compare ? { compare: 'true' as const } : {}),
  ...filterOf(view),
});

type Sorted = { readonly key: string; readonly descending: boolean };

/** The order of the rows: by default by day, and by amount otherwise. */
export const sortOf = ({ sort, by }: View): Sorted => {
  if (sort === '')
    return by === 'day' ? { key: 'day', descending: false } : { key: 'amount', descending: true };
  return sort.startsWith('-')
    ? { key: sort.slice(1), descending: true }
    : { key: sort, descending: false };
};

export const writeSort = ({ key, descending }: Sorted): string => (descending ? `-${key}` : key);
