/** Lets the key `/` focus an element, unless it means something else: text, a dialog, a menu or a list. */
import { useEffect, useRef } from 'react';
import { usePreferences } from '../../preferences.ts';

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input, textarea, select, [role="slider"]'));

/** Whether the key works: the user can turn it off, and a bar has one place that it leads to. */
export const useSlash = <Place extends HTMLElement>(isWanted = true) => {
  const place = useRef<Place>(null);
  const { singleKeys } = usePreferences();
  const works = singleKeys && isWanted;
  useEffect(() => {
    if (!works) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      const { key, target, ctrlKey, metaKey, altKey } = event;
      if (key !== '/' || ctrlKey || metaKey || altKey || isTyping(target)) return;
      if (event.defaultPrevented || event.isComposing) return;
      if (document.querySelector('[role="dialog"], [role="menu"], [role="listbox"]') !== null)
        return;
      event.preventDefault();
      place.current?.focus();
      if (place.current instanceof HTMLInputElement) place.current.select();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [works]);
  return { place, works };
};
