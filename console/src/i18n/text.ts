/** Provides components with texts by typed keys, and turns errors into sentences. */
import { createContext, useContext } from 'react';
import { ApiError } from '../api/client.ts';
import { own } from './en/index.ts';
import type { Say } from './keys.ts';
import { createSay } from './say.ts';

export type { Say, TextKey, ValuesOf } from './keys.ts';

const SayContext = createContext<Say>(createSay(own));

export const SayProvider = SayContext.Provider;

export const useText = (): Say => useContext(SayContext);

export const isErrorCode = (code: string): code is keyof typeof own.errors =>
  Object.hasOwn(own.errors, code);

/** An error's message in the user's language if we have one, else the gateway's text. */
export const sentenceOf = (say: Say, error: unknown): string => {
  if (!(error instanceof ApiError)) return say('errors.UNKNOWN');
  if (isErrorCode(error.code)) return say(`errors.${error.code}`);
  return error.message === '' ? say('errors.UNKNOWN') : error.message;
};
