/** Owns how a component gets its words: by keys that the compiler knows. */
import { useTranslate } from 'ra-core';
import { useCallback } from 'react';
import { ApiError } from '../api/client.ts';
import { own } from './en/index.ts';
import type { Say } from './keys.ts';

export type { Say, TextKey, Values } from './keys.ts';

export const useText = (): Say => {
  const translate = useTranslate();
  return useCallback((key, values) => translate(key, values), [translate]);
};

export const isErrorCode = (code: string): code is keyof typeof own.errors =>
  Object.hasOwn(own.errors, code);

/** What an error says to who sees it, in their language where we have words for it, else as the gateway put it. */
export const sentenceOf = (say: Say, error: unknown): string => {
  if (!(error instanceof ApiError)) return say('errors.UNKNOWN');
  if (isErrorCode(error.code)) return say(`errors.${error.code}`);
  return error.message === '' ? say('errors.UNKNOWN') : error.message;
};
