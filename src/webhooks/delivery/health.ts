/** Judges by its attempts whether an endpoint receives messages. Pure. */
import type { AttemptRecord } from './attempt.ts';

export type Health = {
  readonly state: 'working' | 'failing' | 'untried';
  /** The first failure after the last success; null unless it is failing. */
  readonly failingSince: number | null;
  readonly last: AttemptRecord | undefined;
};

const succeeded = ({ status = 0 }: AttemptRecord): boolean => status >= 200 && status < 300;

/** An attempt that the gateway's own stop interrupted says nothing about the endpoint. */
const isEvidence = ({ failure }: AttemptRecord): boolean => failure?.code !== 'gateway_stopped';

/** By attempts in any order. */
export const healthOf = (attempts: readonly AttemptRecord[]): Health => {
  const seen = attempts.filter(isEvidence).sort((one, other) => one.at - other.at);
  const last = seen.at(-1);
  if (last === undefined) return { state: 'untried', failingSince: null, last };
  if (succeeded(last)) return { state: 'working', failingSince: null, last };
  const firstFailure = seen[seen.findLastIndex(succeeded) + 1] ?? last;
  return { state: 'failing', failingSince: firstFailure.at, last };
};
