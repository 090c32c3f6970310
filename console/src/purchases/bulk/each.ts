/** Acts on one purchase after another, and keeps the result of each. */
import { useEffect, useRef, useState } from 'react';
import { isSessionLost } from '../../api/client.ts';

export type Result<Done> =
  | { readonly state: 'running' }
  | { readonly state: 'done'; readonly answer: Done }
  | { readonly state: 'failed'; readonly error: unknown };

export type Each<Done> = {
  /** By id; what waits has none. */
  readonly results: ReadonlyMap<string, Result<Done>>;
  readonly busy: boolean;
  /** Acts on those that have no result yet, so that nothing is done twice. */
  readonly run: (ids: readonly string[], act: (id: string) => Promise<Done>) => Promise<void>;
  readonly reset: () => void;
};

export const useEach = <Done>(): Each<Done> => {
  const [results, setResults] = useState<ReadonlyMap<string, Result<Done>>>(new Map());
  const [busy, setBusy] = useState(false);
  const isLeft = useRef(false);
  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
    };
  }, []);
  const set = (id: string, result: Result<Done>): void =>
    setResults((before) => new Map(before).set(id, result));
  return {
    results,
    busy,
    run: async (ids, act) => {
      setBusy(true);
      for (const id of ids.filter((one) => !results.has(one))) {
        // The one in progress ends; the others are left as they are.
        if (isLeft.current) return;
        set(id, { state: 'running' });
        try {
          set(id, { state: 'done', answer: await act(id) });
        } catch (error) {
          set(id, { state: 'failed', error });
          if (isSessionLost(error)) break;
        }
      }
      setBusy(false);
    },
    reset: () => setResults(new Map()),
  };
};

/** How many have a result, and how many of those failed. */
export const countResults = (
  results: ReadonlyMap<string, Result<unknown>>,
): { readonly done: number; readonly failed: number } => {
  const all = [...results.values()];
  return {
    done: all.filter(({ state }) => state === 'done').length,
    failed: all.filter(({ state }) => state === 'failed').length,
  };
};
