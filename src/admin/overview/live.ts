/** Streams the overview to a bounded number of viewers every two seconds, and checks their permission again. */
import type { ServerResponse } from 'node:http';
import { type Clock, repeat } from '../../lib/clock.ts';
import type { Log } from '../../lib/log/log.ts';
import { AdminError } from '../errors.ts';
import type { ChartName } from './figures.ts';

export type Viewer = {
  readonly response: Pick<
    ServerResponse,
    'write' | 'end' | 'destroy' | 'writableLength' | 'writableEnded' | 'once' | 'destroyed'
  >;
  readonly accountId: string;
  /** The hash of its session. */
  readonly session: string;
  readonly chart: ChartName;
};

export type LiveDeps = {
  readonly clock: Clock;
  readonly read: (chart: ChartName) => Promise<{ readonly text: string }>;
  /** Whether a session is valid and may still view it. */
  readonly stands: (session: string) => Promise<boolean>;
  readonly log: Pick<Log, 'error'>;
};

export type Live = {
  /** Takes a slot, or refuses; call it before writing the response's head. */
  readonly enter: (accountId: string) => void;
  /** Sends now and then repeatedly, until the viewer leaves, its session ends, or the server stops. */
  readonly stream: (viewer: Viewer) => Promise<void>;
  /** Ends all streams, and refuses new ones. */
  readonly end: () => void;
};

export const sendEveryMs = 2000;
// Well within the promised time, and cheap for the database with so few viewers.
export const askEveryMs = 5000;
// Some offices' worth of pages; each is sent some kilobytes a second.
export const mostViewers = 200;
// One person has several tabs open, and forgets some.
export const mostPerAccount = 10;
// Half a minute without fetching: it has left, or will never keep up.
const mostSkipped = 15;

type Place = Viewer & { skipped: number; askedAt: number };

const eventOf = (text: string): string => `event: overview\ndata: ${text}\n\n`;
const over = 'event: end\ndata: {}\n\n';
/** A heartbeat. */
const heartbeat = ': still here\n\n';

/** A viewer that has not fetched the last update is skipped, so that nothing is buffered for it. */
const send = (place: Place, text: string): void => {
  const { response } = place;
  if (response.destroyed || response.writableEnded) return;
  if (response.writableLength === 0) {
    place.skipped = 0;
    response.write(text);
    return;
  }
  place.skipped += 1;
  if (place.skipped > mostSkipped) response.destroy();
};

const finish = ({ response }: Place, word: string): void => {
  if (response.writableEnded) return;
  // A viewer that does not fetch would delay the end.
  if (response.writableLength > 0) response.destroy();
  else response.end(word);
};

/** Checks the sessions that are due, and ends streams that are no longer allowed. */
const askAll = async (
  { clock, stands, log }: LiveDeps,
  places: ReadonlySet<Place>,
): Promise<void> => {
  const now = clock.monotonic();
  for (const place of [...places].filter(({ askedAt }) => now - askedAt >= askEveryMs)) {
    place.askedAt = now;
    try {
      if (!(await stands(place.session))) finish(place, over);
    } catch (err) {
      log.error({ err }, 'cannot look whether a session stands: its live view is ended');
      // The viewer is not told that its session ended: it reconnects, and a valid session is let in.
      finish(place, '');
    }
  }
};

export const createLive = (deps: LiveDeps): Live => {
  const { clock, read, log } = deps;
  const entered = new Map<string, number>();
  const places = new Set<Place>();
  let all = 0;
  let ended = false;
  let stop: (() => Promise<void>) | undefined;

  const textFor = (chart: ChartName): Promise<string> =>
    read(chart).then(
      ({ text }) => eventOf(text),
      (err: unknown) => {
        log.error({ err }, 'cannot read the overview');
        return heartbeat;
      },
    );

  const tick = async (): Promise<void> => {
    await askAll(deps, places);
    for (const [chart, those] of Map.groupBy(places, ({ chart }) => chart)) {
      const text = await textFor(chart);
      for (const place of those) if (places.has(place)) send(place, text);
    }
  };

  const leave = (place: Place): void => {
    places.delete(place);
    all -= 1;
    entered.set(place.accountId, (entered.get(place.accountId) ?? 1) - 1);
    if (entered.get(place.accountId) === 0) entered.delete(place.accountId);
    if (places.size > 0) return;
    void stop?.();
    stop = undefined;
  };

  return {
    enter: (accountId) => {
      const own = entered.get(accountId) ?? 0;
      if (ended || all >= mostViewers || own >= mostPerAccount) {
        throw new AdminError('TOO_MANY_LISTENERS', { headers: { 'retry-after': '10' } });
      }
      all += 1;
      entered.set(accountId, own + 1);
    },
    stream: async (viewer) => {
      const place = { ...viewer, skipped: 0, askedAt: clock.monotonic() };
      places.add(place);
      // It may have closed before the listener was added.
      if (viewer.response.destroyed) {
        leave(place);
        return;
      }
      viewer.response.once('close', () => leave(place));
      stop ??= repeat(clock, sendEveryMs, tick);
      const text = await textFor(viewer.chart);
      if (places.has(place)) send(place, text);
    },
    end: () => {
      ended = true;
      for (const place of places) finish(place, '');
    },
  };
};
