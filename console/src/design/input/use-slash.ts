/** Calls what the key `/` leads to, unless the key means something else: text, a dialog, a menu or a list. */
import { useEffect, useRef } from 'react';
import { usePreferences } from '../../preferences.ts';

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input, textarea, select, [role="slider"]'));

/** Whether the key works: the user can turn it off, and a bar has one place that it leads to. */
export const useSlash = (onSlash: () => void, isWanted = true): boolean => {
  const { singleKeys } = usePreferences();
  const works = singleKeys && isWanted;
  const latest = useRef(onSlash);
  useEffect(() => {
    latest.current = onSlash;
  });
  useEffect(() => {
    if (!works) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      const { key, target, ctrlKey, metaKey, altKey } = event;
      if (key !== '/' || ctrlKey || metaKey || altKey || isTyping(target)) return;
      if (event.defaultPrevented || event.isComposing) return;
      if (document.querySelector('[role="dialog"], [role="menu"], [role="listbox"]') !== null)
        return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [works]);
  return works;
};
