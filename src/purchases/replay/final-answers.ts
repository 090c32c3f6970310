/** Caches final answers, so that a retry is answered without the database. */
import { boundedCache } from '../../lib/bounded-cache.ts';
import type { PlaceMonitor } from '../restored/place/monitor.ts';

/** Bound to the place in which they were recorded: another one may lack them. */
export type FinalAnswersDeps = {
  readonly place?: Pick<PlaceMonitor, 'signature' | 'registered'> | undefined;
};

// Some ten thousand answers: retries mostly come soon.
const mostBytes = 4 * 1024 * 1024;

/** Final answers by key. They never change, and their database holds all of them. */
export const createFinalAnswers = <Result>({ place }: FinalAnswersDeps) => {
  const finished = boundedCache<Result>(mostBytes);
  let recordedIn = place?.signature();

  const leaveOtherPlaces = (): void => {
    const now = place?.signature();
    if (now === recordedIn) return;
    finished.clear();
    recordedIn = now;
  };

  return {
    find: (name: string): Result | undefined => {
      leaveOtherPlaces();
      // Other instances may have decided about a changed place without this one.
      return place?.registered() === false ? undefined : finished.get(name);
    },
    keep: (name: string, result: Result, length: number): void => {
      leaveOtherPlaces();
      // Two unexamined places are indistinguishable.
      if (place !== undefined && recordedIn === undefined) return;
      finished.set(name, result, 2 * (name.length + length) + 400);
    },
  };
};
