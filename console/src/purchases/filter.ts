/** Reads and writes the purchase filter in the URL, and keeps mobile numbers out of it. Pure. */
import type { Operations } from '../api/types.ts';

type Body = Operations['searchPurchases']['body'];
export type State = NonNullable<Body['state']>;

/** Each is empty if unset. */
export type Filter = {
  readonly q: string;
  readonly number: string;
  readonly client_id: string;
  readonly state: string;
  readonly needs_person: string;
  readonly from: string;
  readonly to: string;
};

/** The part of a filter that must not appear in a URL. */
export type PrivateSearch = Partial<Pick<Filter, 'q' | 'number'>>;

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

const isState = (text: string): text is State =>
  text === 'open' || states.some((state) => state === text);

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
  const read = (name: keyof Filter): string => params.get(name)?.trim() ?? '';
  const state = read('state');
  const q = read('q');
  return {
    q: (privateSearch.q ?? '') === '' && !mayHoldNumber(q) ? q : (privateSearch.q ?? ''),
    number: privateSearch.number ?? '',
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

/** The part that may be in an address. */
export const paramsOf = (filter: Filter): URLSearchParams => {
  const q = mayHoldNumber(filter.q) ? '' : filter.q;
  return new URLSearchParams(given({ ...filter, q, number: '' }));
};

/** The same as the API takes it. */
export const bodyOf = (filter: Filter): Body => {
  const { state, needs_person: needsPerson, ...texts } = filter;
  const asked = Object.fromEntries(given({ ...noFilter, ...texts }));
  return {
    ...asked,
    ...(isState(state) ? { state } : {}),
    ...(needsPerson === '1' ? { needs_person: '1' } : {}),
  };
};

export const isEmpty = (filter: Filter): boolean => given(filter).length === 0;
