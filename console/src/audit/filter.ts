/** Reads and writes the filter of the audit log in the URL. Pure. */
import { dayBegins, dayIn } from '../zoned.ts';

/** Each is empty if unset. Days are those of the business time zone. */
export type Filter = {
  readonly subject: string;
  readonly actor: string;
  readonly action: string;
  readonly from: string;
  readonly to: string;
};

export const noFilter: Filter = { subject: '', actor: '', action: '', from: '', to: '' };

export const filterIn = (params: URLSearchParams): Filter => {
  const read = (name: keyof Filter): string => params.get(name)?.trim() ?? '';
  return {
    subject: read('subject'),
    actor: read('actor'),
    action: read('action'),
    from: dayIn(read('from')),
    to: dayIn(read('to')),
  };
};

/** What of it is set. */
export const paramsOf = (filter: Filter): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''));

const sorts = ['at', 'actor', 'action', 'subject'] as const;
export type Order = { readonly key: (typeof sorts)[number]; readonly descending: boolean };

/** The newest first, unless the address says otherwise. */
export const orderIn = (params: URLSearchParams): Order => ({
  key: sorts.find((one) => one === params.get('sort')) ?? 'at',
  descending: params.get('order') !== 'asc',
});

/** The address in another order, from the first page on. */
export const withOrder = (
  params: URLSearchParams,
  { key, descending }: { readonly key: string; readonly descending: boolean },
): URLSearchParams => {
  const next = new URLSearchParams(params);
  for (const name of ['page', 'before']) next.delete(name);
  next.set('sort', key);
  next.set('order', descending ? 'desc' : 'asc');
  return next;
};

/** What of the order is set. */
export const orderParams = (params: URLSearchParams): Readonly<Record<string, string>> =>
  Object.fromEntries([...params].filter(([name]) => name === 'sort' || name === 'order'));

/** The same as the API takes it: from the start of the first day to the end of the last. */
export const queryOf = ({ from, to, ...filter }: Filter, zone: string) => {
  const [begins, ends] = [dayBegins(from, zone), dayBegins(to, zone, 1)];
  const { subject, actor, action } = filter;
  return {
    ...(subject === '' ? {} : { subject }),
    ...(actor === '' ? {} : { actor }),
    ...(action === '' ? {} : { action }),
    ...(begins === undefined ? {} : { from: begins }),
    ...(ends === undefined ? {} : { to: ends }),
  };
};

/** The address of the entries about something. */
export const historyOf = (subject: string): string =>
  `/audit?${new URLSearchParams({ subject }).toString()}`;
