/** Confirms for a moment that something was done. */
import { useCallback } from 'react';
import { type TextKey, useText, type Values } from '../i18n/text.ts';
import { notify } from '../notifications.ts';

export const useDone = (): ((key: TextKey, values?: Values) => void) => {
  const say = useText();
  return useCallback((key, values) => notify('success', say(key, values)), [say]);
};
