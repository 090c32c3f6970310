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
  /** Whether a session stands, and may still look. */
  readonly stands: (session: string) => Promise<boolean>;
  readonly log: Pick<Log, 'error'>;
};

export type Live = {
  /** Takes a place, or refuses; the response's head is still to be written. */
  readonly enter: (accountId: string) => void;
  /** Sends at once and then again and again, until it goes, its session is over, or all is. */
  readonly stream: (viewer: Viewer) => Promise<void>;
  /** Ends all streams, and refuses new ones. */
  readonly end: () => void;
};

export const sendEveryMs = 2000;
// Well within what was promised, and nothing for the database with so few who watch.
export const askEveryMs = 5000;
// Some offices' worth of pages; each is sent some kilobytes a second.
export const mostViewers = 200;
// One person has some tabs open, and forgets some.
export const mostPerAccount = 10;
// Half a minute in which it fetched nothing: it is gone, or will never keep up.
const mostSkipped = 15;

type Place = Viewer & { skipped: number; askedAt: number };

const eventOf = (text: string): string => `event: overview\ndata: ${text}\n\n`;
const over = 'event: end\ndata: {}\n\n';
/** Says only that the connection lives. */
const heartbeat = ': still here\n\n';

/** One that has not fetched what it was sent last is left out this time: nothing piles up for it. */
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
  // Who does not fetch would keep the end waiting.
  if (response.writableLength > 0) response.destroy();
  else response.end(word);
};

/** Checks the sessions whose turn it is, and ends the streams that are no longer allowed. */
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
      // Not told that it is over: it comes again, and is let in where it stands.
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
      // It may have gone before anybody listened for that.
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
