/** Owns the line that the log has of every request. */
import type { Log } from '../lib/log.ts';

export type RequestLine = {
  readonly request: string;
  readonly method: string;
  /** The route and never the address: queries and paths may hold numbers. Null where there is none. */
  readonly route: string | null;
  readonly status: number;
  readonly ms: number;
  /** Empty where the caller is not known. */
  readonly clientId: string;
};

export type LogRequest = (line: RequestLine) => void;

export const requestLogger =
  (log: Log): LogRequest =>
  ({ request, method, route, status, ms, clientId }) => {
    const client = clientId === '' ? {} : { client: clientId };
    log.info(
      { request, method, route, status, ms: Math.round(ms * 10) / 10, ...client },
      'request',
    );
  };
