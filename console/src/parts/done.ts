/** Owns how somebody is told that something was done: for a moment, seen and heard. */
import { useNotify } from 'ra-core';
import { useCallback } from 'react';
import { type TextKey, useText } from '../i18n/text.ts';

export const useDone = (): ((key: TextKey) => void) => {
  const notify = useNotify();
  const say = useText();
  return useCallback((key) => notify(say(key), { type: 'success' }), [notify, say]);
};
