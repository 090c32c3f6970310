/** Tracks calls in flight on a connection, and closes it after it is replaced. */
import type { Connection } from '../connector/connector.ts';
import type { Clock } from '../lib/clock.ts';

export type Generation = {
  /** Counts the calls on it. */
  readonly connection: Connection;
  /** Closes it once no call is in flight and no earlier order can still be sent on it. */
  readonly retire: (closed: () => void) => void;
  /** Closes it now. */
  readonly close: () => Promise<void>;
};

/** `graceMs` is how long after its last use an order may still be sent on it. */
export const createGeneration = (
  connection: Connection,
  clock: Pick<Clock, 'monotonic' | 'after'>,
  graceMs: number,
): Generation => {
  let inFlight = 0;
  let lastUse = 0;
  let cancel = (): void => {};

  const counted =
    <Given extends readonly unknown[], Outcome>(ask: (...given: Given) => Promise<Outcome>) =>
    (...given: Given): Promise<Outcome> => {
      const outcome = ask.call(connection, ...given);
      inFlight += 1;
      const left = (): void => {
        inFlight -= 1;
        lastUse = clock.monotonic();
      };
      lastUse = clock.monotonic();
      void outcome.then(left, left);
      return outcome;
    };

  const { offers, subscriber, status, reports } = connection;
  // A call without an answer by its deadline has been given up.
  const isOver = (quietMs: number): boolean =>
    quietMs >= (inFlight === 0 ? graceMs : graceMs + connection.deadlineMs);

  return {
    connection: {
      ...connection,
      ...(offers === undefined ? {} : { offers: counted(offers) }),
      ...(subscriber === undefined ? {} : { subscriber: counted(subscriber) }),
      ...(reports === undefined ? {} : { reports: counted(reports) }),
      buy: counted(connection.buy),
      status: typeof status === 'function' ? counted(status) : status,
    },
    retire: (closed) => {
      lastUse = clock.monotonic();
      const look = (): void => {
        if (!isOver(clock.monotonic() - lastUse)) {
          cancel = clock.after(graceMs, look);
          return;
        }
        // It is no longer in use: a failure to close does not matter.
        void connection.close().then(closed, closed);
      };
      cancel = clock.after(graceMs, look);
    },
    close: () => {
      cancel();
      return connection.close();
    },
  };
};
