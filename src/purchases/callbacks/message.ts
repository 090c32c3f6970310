/** Formats a callback for storage: bounded, with numbers and secrets masked. Pure. */
import { createHash } from 'node:crypto';
import type { CallbackRequest } from '../../connector/connector.ts';

// What a person needs to recognize it. Callbacks are a few hundred characters.
const mostCharacters = 4000;

// More than is stored: a number that is cut off here is not recognized, and is not shown.
const mostRead = 2 * mostCharacters;

/** The same for the same message, whenever it comes. */
export const digestOf = ({ method, query, body }: CallbackRequest): string =>
  createHash('sha256').update(`${method} ${query}\n`).update(body).digest('base64url');

/**
 * The message as text: its method, query, type and body. Of the headers only the type is stored, since they
 * carry signatures and tokens. PostgreSQL stores no zero character.
 */
export const messageText = (
  { method, query, headers, body }: CallbackRequest,
  mask: (text: string) => string,
): string => {
  const type = headers['content-type'] ?? '';
  const head = [method, ...(query === '' ? [] : [`?${query}`]), ...(type === '' ? [] : [type])];
  const text = Buffer.from(body.subarray(0, mostRead)).toString('utf8');
  const whole = `${head.join(' ')}\n${text}`.slice(0, mostRead).replaceAll('\0', '\u{fffd}');
  return mask(whole.toWellFormed()).slice(0, mostCharacters).toWellFormed();
};
