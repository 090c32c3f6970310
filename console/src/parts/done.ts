/** Owns how somebody is told that something was done: for a moment, seen and heard. */
import { useNotify } from 'ra-core';
import { useCallback } from 'react';
import { type TextKey, useText, type Values } from '../i18n/text.ts';

export const useDone = (): ((key: TextKey, values?: Values) => void) => {
  const notify = useNotify();
  const say = useText();
  return useCallback((key, values) => notify(say(key, values), { type: 'success' }), [notify, say]);
};
