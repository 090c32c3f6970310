/** Stores what an account has seen or hidden, in this browser. */
import { useCallback, useMemo, useSyncExternalStore } from 'react';

/** An alert as it was when the list of alerts was last opened. */
export type SeenAlert = { readonly count: number; readonly since: string };

export type AccountPreferences = {
  readonly seenAlerts: Readonly<Record<string, SeenAlert>>;
  readonly hidesSetup: boolean;
};

const none: AccountPreferences = { seenAlerts: {}, hidesSetup: false };

const keyOf = (account: string): string => `simgate.account.${account}`;

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

const isSeen = (value: unknown): value is SeenAlert =>
  isRecord(value) && typeof value['count'] === 'number' && typeof value['since'] === 'string';

/** What a browser has stored, which may be anything. */
export const readAccountPreferences = (stored: string | null): AccountPreferences => {
  try {
    const found: unknown = JSON.parse(stored ?? 'null');
    if (!isRecord(found)) return none;
    const seen = isRecord(found['seenAlerts']) ? found['seenAlerts'] : {};
    const valid = Object.entries(seen).flatMap(([id, one]) =>
      isSeen(one) ? [[id, { count: one.count, since: one.since }] as const] : [],
    );
    return { seenAlerts: Object.fromEntries(valid), hidesSetup: found['hidesSetup'] === true };
  } catch {
    return none;
  }
};

// What this page has changed, also where the browser stores nothing.
const kept = new Map<string, string>();
const listeners = new Set<() => void>();

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

const storedAt = (key: string): string | null => {
  const own = kept.get(key);
  if (own !== undefined) return own;
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};

const store = (key: string, preferences: AccountPreferences): void => {
  const text = JSON.stringify(preferences);
  kept.set(key, text);
  try {
    localStorage.setItem(key, text);
  } catch {
    // A browser without storage forgets it with the page.
  }
  for (const listener of listeners) listener();
};

export const useAccountPreferences = (account: string) => {
  const key = keyOf(account);
  const text = useSyncExternalStore(subscribe, () => storedAt(key));
  const preferences = useMemo(() => readAccountPreferences(text), [text]);
  const change = useCallback(
    (part: Partial<AccountPreferences>) =>
      store(key, { ...readAccountPreferences(storedAt(key)), ...part }),
    [key],
  );
  return { preferences, change };
};
