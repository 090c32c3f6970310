/** Keeps in memory which client's endpoints listen to which events. */
import type { Db } from '../db/types.ts';
import type { Listener } from './event.ts';
import { readListeners } from './store.ts';

export type Listeners = {
  /** Of one client; undefined if it has no active endpoint. */
  readonly of: (clientId: string) => readonly Listener[] | undefined;
  readonly any: () => boolean;
  /** Reads them again after a change. */
  readonly reload: () => Promise<void>;
};

export const createListeners = (db: Db): Listeners => {
  let byClient: ReadonlyMap<string, readonly Listener[]> = new Map();
  const read = async (): Promise<void> => {
    byClient = Map.groupBy(await readListeners(db), ({ clientId }) => clientId);
  };
  let reading: Promise<void> = Promise.resolve();
  return {
    of: (clientId) => byClient.get(clientId),
    any: () => byClient.size > 0,
    reload: () => {
      // One after another: an older reading must not replace a newer one.
      reading = reading.then(read, read);
      return reading;
    },
  };
};
