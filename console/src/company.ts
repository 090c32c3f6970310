/** Stores the company's name, currency and time zone, and loads them from the gateway. */
import { useEffect, useSyncExternalStore } from 'react';
import { useRead } from './api/hooks.ts';
import type { Currency } from './currency.ts';

export type Company = {
  readonly name: string;
  readonly currency: Currency | null;
  readonly timeZone: string | undefined;
};

// Until it is known: no name, no currency, and the browser's time zone.
let current: Company = { name: '', currency: null, timeZone: undefined };
const listeners = new Set<() => void>();

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const company = (): Company => current;

const setCompany = (known: Company): void => {
  if (JSON.stringify(known) === JSON.stringify(current)) return;
  current = known;
  for (const listener of listeners) listener();
};

export const useCompany = (): Company => useSyncExternalStore(subscribe, company);

/** Loads the company; pages are shown before it is known. */
export const useLoadCompany = (): void => {
  const { data } = useRead('getCompany', {}, { staleTime: 60_000 });
  useEffect(() => {
    if (!data) return;
    const { name, currency, time_zone: timeZone } = data;
    setCompany({ name, currency, timeZone });
  }, [data]);
};
