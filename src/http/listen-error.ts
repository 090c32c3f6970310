/** Explains why a server cannot listen at an address. Pure. */
import { UsageError } from '../lib/errors.ts';

type Place = { readonly host: string; readonly port: number };

const noHost = ({ host }: Place) => `${host} is not an address of this machine. Set HOST`;

/** Why it cannot listen there, by the system's error code. */
const faults: ReadonlyMap<unknown, (place: Place) => string> = new Map([
  ['EADDRINUSE', ({ host, port }: Place) => `Port ${port} of ${host} is in use. Set PORT`],
  ['EACCES', ({ host, port }: Place) => `Port ${port} of ${host} is not allowed. Set PORT`],
  ['EADDRNOTAVAIL', noHost],
  ['ENOTFOUND', noHost],
]);

const codeOf = (cause: unknown): unknown =>
  cause instanceof Error && 'code' in cause ? cause.code : undefined;

export const isPortTaken = (cause: unknown): boolean => codeOf(cause) === 'EADDRINUSE';

/** Undefined for a bug. */
export const listenError = (place: Place, cause: unknown): UsageError | undefined => {
  const why = faults.get(codeOf(cause));
  return why === undefined ? undefined : new UsageError(`${why(place)} to another one.`, { cause });
};

/** The same for the port of the metrics. */
export const metricsListenError = ({ host, port }: Place, cause: unknown): UsageError => {
  const why = cause instanceof Error ? cause.message : 'no reason given';
  return new UsageError(
    `The metrics cannot be served at ${host}:${port} (${why}). Set METRICS_PORT or METRICS_HOST to another one.`,
    { cause },
  );
};
