/** Reads and writes the purchase filter in the URL, and keeps mobile numbers out of it. Pure. */
import type { Operations } from '../api/types.ts';
import { daysBack } from '../zoned.ts';

type Body = Operations['searchPurchases']['body'];
export type State = NonNullable<Body['state']>;
export type ProductType = NonNullable<Body['type']>;

const names = [
  'q',
  'number',
  'client_id',
  'state',
  'needs_person',
  'disputed',
  'operator_id',
  'product_id',
  'type',
  'reason',
  'min_amount',
  'max_amount',
  'test',
  'days',
  'from',
  'to',
  'order',
] as const;

/** Each is empty if unset. */
export type Filter = Readonly<Record<(typeof names)[number], string>>;

/** The part of a filter that must not appear in a URL. */
export type PrivateSearch = Partial<Pick<Filter, 'q' | 'number'>>;

export const noFilter: Filter = {
  q: '',
  number: '',
  client_id: '',
  state: '',
  needs_person: '',
  disputed: '',
  operator_id: '',
  product_id: '',
  type: '',
  reason: '',
  min_amount: '',
  max_amount: '',
  test: '',
  days: '',
  from: '',
  to: '',
  order: '',
};

/** The states that one purchase may have. */
export const states: readonly Exclude<State, 'open'>[] = [
  'succeeded',
  'failed',
  'refused',
  'unknown',
  'review',
  'reversed',
  'submitted',
];

export const types: readonly ProductType[] = [
  'cell_internet',
  'cell_direct_charge',
  'td_lte_internet',
];

/** Days that move with the calendar, from the first to the last of them, counted back from today. */
export const days = {
  today: [0, 0],
  yesterday: [1, 1],
  week: [6, 0],
  month: [29, 0],
} as const;
export type Days = keyof typeof days;

export const isDays = (text: string): text is Days => Object.hasOwn(days, text);
const isState = (text: string): text is State =>
  text === 'open' || states.some((state) => state === text);
const isType = (text: string): text is ProductType => types.some((type) => type === text);
const isWhole = (text: string): boolean => /^[1-9]\d{0,14}$/.test(text);
const isTest = (text: string): text is NonNullable<Body['test']> =>
  text === 'show' || text === 'only';
const isOne = (text: string): boolean => text === '1';

/** Values that mean something; others in an address count as unset. */
const checks: Readonly<Partial<Record<keyof Filter, (text: string) => boolean>>> = {
  state: isState,
  needs_person: isOne,
  disputed: isOne,
  operator_id: isWhole,
  product_id: isWhole,
  type: isType,
  reason: (text) => /^\w{1,64}$/.test(text),
  min_amount: isWhole,
  max_amount: isWhole,
  test: isTest,
  days: isDays,
  order: (text) => text === 'oldest',
};

const id = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
// No country has shorter mobile numbers.
const digitsOfNumber = /[0-9\u0660-\u0669\u06f0-\u06f9]{7}/;

/** Whether a text may contain a number, in any notation. Ids are ours, and contain none. */
const mayHoldNumber = (text: string): boolean =>
  !id.test(text) && digitsOfNumber.test(text.replaceAll(/[^\p{L}\p{N}]/gu, ''));

/** The part of a filter that must not be in an address: browsers store those, and proxies log them. */
export const privateSearchOf = ({ q, number }: Filter): Required<PrivateSearch> => ({
  q: mayHoldNumber(q) ? q : '',
  number,
});

/** The filter from the address, and what this page knows besides. */
export const filterIn = (params: URLSearchParams, privateSearch: PrivateSearch = {}): Filter => {
  const read = (name: keyof Filter): string => {
    const text = params.get(name)?.trim() ?? '';
    return checks[name]?.(text) === false ? '' : text;
  };
  const found = Object.fromEntries(names.map((name) => [name, read(name)]));
  const q = read('q');
  const filter = { ...noFilter, ...found };
  return {
    ...filter,
    q: (privateSearch.q ?? '') === '' && !mayHoldNumber(q) ? q : (privateSearch.q ?? ''),
    number: privateSearch.number ?? '',
    // Days that move replace fixed ones.
    ...(filter.days === '' ? {} : { from: '', to: '' }),
  };
};

/** What of it is asked for. */
const given = (filter: Filter): [keyof Filter, string][] =>
  names.flatMap((name): [keyof Filter, string][] =>
    filter[name] === '' ? [] : [[name, filter[name]]],
  );

/** The part that may be in an address. */
export const paramsOf = (filter: Filter): URLSearchParams => {
  const q = mayHoldNumber(filter.q) ? '' : filter.q;
  return new URLSearchParams(given({ ...filter, q, number: '' }));
};

/** The first and the last moment that a filter asks for; empty if there is none. */
export const spanOf = (
  { days: moving, from, to }: Filter,
  now: number,
  zone: string,
): { readonly from: string; readonly to: string } => {
  if (!isDays(moving)) return { from, to };
  const [first, last] = days[moving];
  return daysBack(now, zone, first, last);
};

/** The same as the API takes it, at a time in a time zone. */
export const bodyOf = (filter: Filter, now: number, zone: string): Omit<Body, 'order'> => {
  const { state, type, needs_person: needsPerson, disputed, test } = filter;
  const span = spanOf(filter, now, zone);
  const apart = {
    state: '',
    type: '',
    needs_person: '',
    disputed: '',
    test: '',
    days: '',
    order: '',
  };
  const asked = Object.fromEntries(given({ ...filter, ...span, ...apart }));
  return {
    ...asked,
    ...(isState(state) ? { state } : {}),
    ...(isType(type) ? { type } : {}),
    ...(isTest(test) ? { test } : {}),
    ...(needsPerson === '1' ? { needs_person: '1' } : {}),
    ...(disputed === '1' ? { disputed: '1' } : {}),
  };
};

/** What can be done with several purchases of a list at once: those that it shows wait for it. */
export const bulkActionOf = ({
  state,
  needs_person: needsPerson,
  disputed,
}: Filter): 'decide' | 'inquire' | undefined => {
  if (needsPerson === '1' || disputed === '1' || state === 'review') return 'decide';
  return state === 'open' || state === 'unknown' || state === 'submitted' ? 'inquire' : undefined;
};
