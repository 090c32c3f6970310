/** Holds what is typed into a form, whether it was sent once, and the key of its request. */
import { useState } from 'react';
import { newKey } from '../api/key.ts';

export const useDraft = <Draft extends object>(first: () => Draft) => {
  const [before] = useState(first);
  const [draft, setDraft] = useState(before);
  const [isTried, setTried] = useState(false);
  // What is sent again unchanged has the same key.
  const [key, setKey] = useState(newKey);
  return {
    before,
    draft,
    key,
    isTried,
    tried: () => setTried(true),
    set: (some: Partial<Draft>) => {
      setDraft({ ...draft, ...some });
      setKey(newKey());
    },
  };
};
