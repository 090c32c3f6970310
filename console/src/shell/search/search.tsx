/** Opens the search over all pages by Ctrl-K or ⌘K; its dialog is loaded when it is first opened. */
import { lazy, Suspense, useCallback, useEffect, useState } from 'react';

const SearchDialog = lazy(() => import('./dialog.tsx'));

type SearchState = {
  readonly isShown: boolean;
  readonly show: () => void;
  readonly hide: () => void;
};

export const useSearch = (): SearchState => {
  const [isShown, setIsShown] = useState(false);
  const show = useCallback(() => setIsShown(true), []);
  const hide = useCallback(() => setIsShown(false), []);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
      const isOurs = ctrlKey !== metaKey && !altKey && !shiftKey && key.toLowerCase() === 'k';
      if (!isOurs || event.defaultPrevented || event.isComposing) return;
      // The browser would search the web.
      event.preventDefault();
      setIsShown(true);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return { isShown, show, hide };
};

export const Search = ({ isShown, hide }: SearchState) =>
  isShown ? (
    <Suspense fallback={null}>
      <SearchDialog onClose={hide} />
    </Suspense>
  ) : null;
