/** Confirms a completed action with a short message. */
import { useCallback } from 'react';
import { type TextKey, useText, type ValuesOf } from '../i18n/text.ts';
import { notify } from '../notifications.ts';

type Done = <Key extends TextKey>(key: Key, ...values: ValuesOf<Key>) => void;

export const useDone = (): Done => {
  const say = useText();
  return useCallback<Done>((key, ...values) => notify('success', say(key, ...values)), [say]);
};
