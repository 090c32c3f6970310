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
