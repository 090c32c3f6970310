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
