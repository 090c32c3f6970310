/** Debounces typed text. */
import { useEffect, useState } from 'react';

// Long enough that a name is requested once, short enough not to be noticed.
const debounceMs = 250;

export const useDebounced = (text: string): string => {
  const [debounced, setDebounced] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), debounceMs);
    return () => clearTimeout(timer);
  }, [text]);
  return debounced;
};
