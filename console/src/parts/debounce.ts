/** Owns that what somebody types is asked for once they pause. */
import { useEffect, useState } from 'react';

// Long enough that a name is asked for once, short enough that nobody waits for it.
const quietMs = 250;

export const useQuiet = (text: string): string => {
  const [quiet, setQuiet] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setQuiet(text), quietMs);
    return () => clearTimeout(timer);
  }, [text]);
  return quiet;
};
