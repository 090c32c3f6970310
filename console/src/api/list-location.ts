/** Remembers a list's filters and page for the browser's tab, so that links lead back to them. */
import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { useMe } from '../session.tsx';

type Left = { readonly search: string; readonly state: unknown };

const isLeft = (value: unknown): value is Left =>
  typeof value === 'object' &&
  value !== null &&
  'search' in value &&
  typeof value.search === 'string' &&
  'state' in value;

/** In the tab's storage, so that it survives a reload; for each account, so that no other one sees it. */
const useKey = (path: string): string => `simgate.left.${useMe().account.id}.${path}`;

/** For the list itself. */
export const useRememberLocation = (path: string): void => {
  const key = useKey(path);
  const { search, ...location } = useLocation();
  const state: unknown = location.state;
  useEffect(() => {
    try {
      sessionStorage.setItem(key, JSON.stringify({ search, state: state ?? null }));
    } catch {
      // Without storage, links lead to the beginning of the list.
    }
  }, [key, search, state]);
};

const leftAt = (key: string): Left | undefined => {
  try {
    const left: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null');
    return isLeft(left) ? left : undefined;
  } catch {
    return undefined;
  }
};

/** For a link back to the list. */
export const useBackLink = (path: string): { readonly to: string; readonly state: unknown } => {
  const left = leftAt(useKey(path));
  return { to: path + (left?.search ?? ''), state: left?.state };
};
