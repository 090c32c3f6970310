/** Tracks calls in flight on a connection, and closes it after it is replaced. */
import type { Connection } from '../connector/connector.ts';
import type { Clock } from '../lib/clock.ts';

export type Generation = {
  /** Counts what is asked on it. */
  readonly connection: Connection;
  /** Closes it once nothing is under way on it and nothing that began with it can still be sent. */
  readonly retire: (closed: () => void) => void;
  /** Closes it now. */
  readonly close: () => Promise<void>;
};

/** `graceMs` is how long after it was last heard of somebody may still send on it. */
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

  const { offers, subscriber, reports } = connection;
  // Whoever has not been answered by its deadline has been given up by everybody.
  const isOver = (quietMs: number): boolean =>
    quietMs >= (inFlight === 0 ? graceMs : graceMs + connection.deadlineMs);

  return {
    connection: {
      ...connection,
      ...(offers === undefined ? {} : { offers: counted(offers) }),
      ...(subscriber === undefined ? {} : { subscriber: counted(subscriber) }),
      ...(reports === undefined ? {} : { reports: counted(reports) }),
      buy: counted(connection.buy),
      status: counted(connection.status),
    },
    retire: (closed) => {
      lastUse = clock.monotonic();
      const look = (): void => {
        if (!isOver(clock.monotonic() - lastUse)) {
          cancel = clock.after(graceMs, look);
          return;
        }
        // Nobody uses it any more: how its end goes is of no consequence.
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
