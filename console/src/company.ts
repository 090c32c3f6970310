/** Stores the company's name and time zone from the console's settings. */
import { useSyncExternalStore } from 'react';

export type Company = { readonly name: string; readonly timeZone: string | undefined };

// Until it is known: no name, and the browser's time zone.
let current: Company = { name: '', timeZone: undefined };
const listeners = new Set<() => void>();

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const company = (): Company => current;

export const setCompany = (known: Company): void => {
  if (known.name === current.name && known.timeZone === current.timeZone) return;
  current = known;
  for (const listener of listeners) listener();
};

export const useCompany = (): Company => useSyncExternalStore(subscribe, company);
