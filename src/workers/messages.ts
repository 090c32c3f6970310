/** Defines the messages between the primary and its workers. */

/** A worker takes requests at this address. */
export type Ready = { readonly kind: 'ready'; readonly url: string };

/** A worker is to drain and to end, because of this signal. */
export type Stop = { readonly kind: 'stop'; readonly signal: string };

/** The text under a name in a message of that kind; undefined where it is another message. */
const textIn = (message: unknown, kind: string, name: string): string | undefined => {
  if (typeof message !== 'object' || message === null) return undefined;
  if (Reflect.get(message, 'kind') !== kind) return undefined;
  const text: unknown = Reflect.get(message, name);
  return typeof text === 'string' ? text : undefined;
};

/** Where the worker listens that says so. */
export const readyUrl = (message: unknown): string | undefined => textIn(message, 'ready', 'url');

/** The signal of a message to stop. */
export const stopReason = (message: unknown): string | undefined =>
  textIn(message, 'stop', 'signal');
