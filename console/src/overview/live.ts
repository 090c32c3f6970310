/** Streams the overview from the gateway, and polls every ten seconds when the stream is unavailable. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { type Answer, call } from '../api/client.ts';
import { places } from '../api/types.ts';
import { apiBase } from '../place.ts';
import { meKey } from '../session.tsx';

export type Overview = Answer<'getOverview'>;
export type Span = Overview['span'];

/** `asking`: there is no stream, so it polls. */
export type Mode = 'connecting' | 'live' | 'asking';

export type OverviewState = {
  readonly overview: Overview | undefined;
  readonly mode: Mode;
  readonly error: unknown;
};

const pollMs = 10_000;
// The browser reconnects after most failures; after a refusal it does not.
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

/** A hidden page takes no slot among the viewers. */
const useVisible = (): boolean =>
  useSyncExternalStore(
    (listener) => {
      document.addEventListener('visibilitychange', listener);
      return () => document.removeEventListener('visibilitychange', listener);
    },
    () => document.visibilityState === 'visible',
  );

type OverviewListener = {
  readonly seen: (overview: Overview) => void;
  readonly mode: (mode: Mode) => void;
  readonly failed: (error: unknown) => void;
  /** The gateway says that the session has ended. */
  readonly over: () => void;
};

/** Polls every ten seconds until the returned function ends it. */
const pollOverview = (span: Span, { seen, failed }: OverviewListener): (() => void) => {
  const aborted = new AbortController();
  const ask = (): void => {
    call('getOverview', { query: { span } }, aborted.signal).then(seen, (error: unknown) => {
      if (!aborted.signal.aborted) failed(error);
    });
  };
  ask();
  const timer = setInterval(ask, pollMs);
  return () => {
    clearInterval(timer);
    aborted.abort();
  };
};

/** Streams until the returned function ends it; polls while there is no stream. */
export const subscribeToOverview = (span: Span, listener: OverviewListener): (() => void) => {
  let stopAsking: (() => void) | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;
  let source: EventSource | undefined;

  const ask = (): void => {
    listener.mode('asking');
    stopAsking ??= pollOverview(span, listener);
  };
  const listen = (): void => {
    const stream = new EventSource(`${apiBase}${places.watchOverview.path}?span=${span}`);
    source = stream;
    stream.addEventListener('overview', ({ data }: MessageEvent<string>) => {
      const overview = overviewIn(data);
      if (overview === undefined) return;
      stopAsking?.();
      stopAsking = undefined;
      listener.mode('live');
      listener.seen(overview);
    });
    stream.addEventListener('end', () => {
      stream.close();
      listener.over();
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

const nothing: OverviewState = { overview: undefined, mode: 'connecting', error: null };

/** The figures of a period; the last ones stay until newer ones arrive. */
export const useOverview = (span: Span): OverviewState => {
  const queries = useQueryClient();
  const visible = useVisible();
  const [seen, setSeen] = useState<OverviewState>(nothing);
  useEffect(() => {
    if (!visible) return undefined;
    return subscribeToOverview(span, {
      seen: (overview) => setSeen((before) => ({ ...before, overview, error: null })),
      mode: (mode) => setSeen((before) => (before.mode === mode ? before : { ...before, mode })),
      failed: (error) => setSeen((before) => ({ ...before, error })),
      over: () => void queries.invalidateQueries({ queryKey: meKey, exact: true }),
    });
  }, [span, visible, queries]);
  return seen;
};
