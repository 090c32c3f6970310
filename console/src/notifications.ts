/** Queues the short messages that appear one at a time at the bottom of the page. */
import { useSyncExternalStore } from 'react';

export type Notification = { readonly tone: 'success' | 'error'; readonly text: string };

let queue: readonly Notification[] = [];
const listeners = new Set<() => void>();

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

const change = (next: readonly Notification[]): void => {
  queue = next;
  for (const listener of listeners) listener();
};

/** Shows a message after the earlier ones. */
export const notify = (tone: Notification['tone'], text: string): void =>
  change([...queue, { tone, text }]);

/** Makes room for the next message. Closing twice removes no other. */
export const dismiss = (shown: Notification): void => change(queue.filter((one) => one !== shown));

/** Makes room for other users. */
export const dismissAll = (): void => change([]);

/** The message to show now. */
export const notification = (): Notification | undefined => queue[0];

export const useNotification = (): Notification | undefined =>
  useSyncExternalStore(subscribe, notification);
