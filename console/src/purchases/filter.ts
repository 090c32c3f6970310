/** Owns what is looked for among purchases, as the address of the page says it. Pure. */
import type { Operations } from '../api/types.ts';

type Query = Operations['listPurchases']['query'];
type State = NonNullable<Query['state']>;

/** The fields that the address may carry; each empty where nothing is asked. */
export type Filter = {
  readonly q: string;
  readonly number: string;
  readonly client_id: string;
  readonly state: string;
  readonly needs_person: string;
  readonly from: string;
  readonly to: string;
};

export const noFilter: Filter = {
  q: '',
  number: '',
  client_id: '',
  state: '',
  needs_person: '',
  from: '',
  to: '',
};

const names = ['q', 'number', 'client_id', 'state', 'needs_person', 'from', 'to'] as const;

export const states: readonly State[] = [
  'open',
  'succeeded',
  'failed',
  'refused',
  'unknown',
  'review',
  'reversed',
  'submitted',
  'held',
];

const isState = (text: string): text is State => states.some((state) => state === text);

export const filterIn = (params: URLSearchParams): Filter => {
  const read = (name: keyof Filter): string => params.get(name)?.trim() ?? '';
  const state = read('state');
  return {
    q: read('q'),
    number: read('number'),
    client_id: read('client_id'),
    state: isState(state) ? state : '',
    needs_person: read('needs_person') === '1' ? '1' : '',
    from: read('from'),
    to: read('to'),
  };
};

/** What of it is asked for. */
const given = (filter: Filter): [keyof Filter, string][] =>
  names.flatMap((name): [keyof Filter, string][] =>
    filter[name] === '' ? [] : [[name, filter[name]]],
  );

export const paramsOf = (filter: Filter): URLSearchParams => new URLSearchParams(given(filter));

/** The same as the API takes it. */
export const queryOf = (filter: Filter): Query => {
  const { state, needs_person: needsPerson, ...texts } = filter;
  const asked = Object.fromEntries(given({ ...noFilter, ...texts }));
  return {
    ...asked,
    ...(isState(state) ? { state } : {}),
    ...(needsPerson === '1' ? { needs_person: '1' } : {}),
  };
};

export const isEmpty = (filter: Filter): boolean => given(filter).length === 0;

const two = (value: number): string => String(value).padStart(2, '0');

/** A moment as the browser's field for times takes it: in the time of this device. */
export const toField = (iso: string): string => {
  const at = new Date(iso);
  if (iso === '' || Number.isNaN(at.getTime())) return '';
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
};

export const fromField = (text: string): string => {
  const at = new Date(text);
  return text === '' || Number.isNaN(at.getTime()) ? '' : at.toISOString();
};

/** The days from so many before today on, up to so many before it; as this device counts days. */
export const daysBack = (now: number, first: number, last: number): Pick<Filter, 'from' | 'to'> => {
  const today = new Date(now);
  const begin = (back: number): string =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() - back).toISOString();
  return { from: begin(first), to: begin(last - 1) };
};
