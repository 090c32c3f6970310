/** Formats a token's name, and defines what is shown of a new token. */
import type { Say } from '../i18n/text.ts';
import type { Token } from './client.ts';

/** A new token, to be shown. */
export type Made = { readonly name: string; readonly token: string; readonly text?: string };

/** A token's name and its last characters. */
export const nameOf = (say: Say, { name, ending }: Token): string =>
  `${name === '' ? say('clientTokens.unnamed') : name} (…${ending})`;
