/** Owns where the overview comes from: a stream of the gateway's, or, where there is none, asking every ten seconds. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { type Answer, call } from '../api/client.ts';
import { places } from '../api/types.ts';
import { apiBase } from '../place.ts';
import { meKey } from '../session.tsx';

export type Overview = Answer<'getOverview'>;
export type Span = Overview['span'];

/** `asking`: there is no stream, and it is asked for again and again. */
export type Mode = 'connecting' | 'live' | 'asking';

export type Seen = {
  readonly overview: Overview | undefined;
  readonly mode: Mode;
  readonly error: unknown;
};

const askEveryMs = 10_000;
// The browser tries again by itself after most failures; after a refusal it does not.
const streamAgainMs = 60_000;

const isOverview = (value: unknown): value is Overview =>
  typeof value === 'object' && value !== null && 'points' in value && 'now' in value;

const overviewIn = (text: string): Overview | undefined => {
  try {
    const value: unknown = JSON.parse(text);
    return isOverview(value) ? value : undefined;
  } catch {
    return undefined;
  }
};

/** A page that nobody sees takes no place among those who watch. */
const useVisible = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      document.addEventListener('visibilitychange', listener);
      return () => document.removeEventListener('visibilitychange', listener);
    },
    () => document.visibilityState === 'visible',
  );

type Ears = {
  readonly seen: (overview: Overview) => void;
  readonly mode: (mode: Mode) => void;
  readonly failed: (error: unknown) => void;
  /** The gateway says that the session is over. */
  readonly over: () => void;
};

/** Asks every ten seconds until the returned function ends it. */
const keepAsking = (span: Span, { seen, failed }: Ears): (() => void) => {
  const aborted = new AbortController();
  const ask = (): void => {
    call('getOverview', { query: { span } }, aborted.signal).then(seen, (error: unknown) => {
      if (!aborted.signal.aborted) failed(error);
    });
  };
  ask();
  const timer = setInterval(ask, askEveryMs);
  return () => {
    clearInterval(timer);
    aborted.abort();
  };
};

/** Watches until the returned function ends it; asks for as long as there is nothing to watch. */
export const watch = (span: Span, ears: Ears): (() => void) => {
  let stopAsking: (() => void) | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;
  let source: EventSource | undefined;

  const ask = (): void => {
    ears.mode('asking');
    stopAsking ??= keepAsking(span, ears);
  };
  const listen = (): void => {
    const stream = new EventSource(`${apiBase}${places.watchOverview.path}?span=${span}`);
    source = stream;
    stream.addEventListener('overview', ({ data }: MessageEvent<string>) => {
      const overview = overviewIn(data);
      if (overview === undefined) return;
      stopAsking?.();
      stopAsking = undefined;
      ears.mode('live');
      ears.seen(overview);
    });
    stream.addEventListener('end', () => {
      stream.close();
      ears.over();
      ask();
    });
    stream.addEventListener('error', () => {
      ask();
      if (stream.readyState === EventSource.CLOSED) again = setTimeout(listen, streamAgainMs);
    });
  };
  listen();
  return () => {
    source?.close();
    stopAsking?.();
    clearTimeout(again);
  };
};

const nothing: Seen = { overview: undefined, mode: 'connecting', error: null };

/** What is seen of a span; what was seen last stays until there is something newer. */
export const useOverview = (span: Span): Seen => {
  const queries = useQueryClient();
  const visible = useVisible();
  const [seen, setSeen] = useState<Seen>(nothing);
  useEffect(() => {
    if (!visible) return undefined;
    return watch(span, {
      seen: (overview) => setSeen((before) => ({ ...before, overview, error: null })),
      mode: (mode) => setSeen((before) => (before.mode === mode ? before : { ...before, mode })),
      failed: (error) => setSeen((before) => ({ ...before, error })),
      over: () => void queries.invalidateQueries({ queryKey: meKey, exact: true }),
    });
  }, [span, visible, queries]);
  return seen;
};
