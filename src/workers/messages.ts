/** Defines the messages between the primary and its workers. */
import { fieldOf } from '../lib/record.ts';

/** A worker takes requests at this address. */
export type Ready = { readonly kind: 'ready'; readonly url: string };

/** A worker must drain and exit, because of this signal. */
export type Stop = { readonly kind: 'stop'; readonly signal: string };

/** The text under a name in a message of that kind; undefined for another message. */
const textIn = (message: unknown, kind: string, name: string): string | undefined => {
  const text = fieldOf(message, 'kind') === kind ? fieldOf(message, name) : undefined;
  return typeof text === 'string' ? text : undefined;
};

/** Where the reporting worker listens. */
export const readyUrl = (message: unknown): string | undefined => textIn(message, 'ready', 'url');

/** The signal of a message to stop. */
export const stopReason = (message: unknown): string | undefined =>
  textIn(message, 'stop', 'signal');
