/** Formats a token's name, and defines what is shown of a new token. */
import type { Say } from '../i18n/text.ts';
import type { Token } from './client.ts';

/** A token that was just made, to be shown. */
export type Made = { readonly name: string; readonly token: string; readonly text?: string };

/** What a token is called, by people and by its ending. */
export const nameOf = (say: Say, { name, ending }: Token): string =>
  `${name === '' ? say('clientTokens.unnamed') : name} (…${ending})`;
