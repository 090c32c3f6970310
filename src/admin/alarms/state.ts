/** Decides when an alarm is raised and resolved, so that it does not flap. Pure. */
import type { AlarmKind, Facts, Observation } from './kinds.ts';

export type AlarmState = {
  /** Pending: seen, and not yet for as long as its kind requires. */
  readonly state: 'pending' | 'raised';
  readonly since: number;
  /** Since when it is no longer seen; null while it is. */
  readonly clearSince: number | null;
  readonly facts: Facts;
};

/** An alarm that is seen, or was until a moment ago. A resolved one is none. */
export type Alarm = AlarmState & { readonly kind: AlarmKind; readonly subject: string };

/** What follows: the state from now on, and what people hear of. */
export type Step = {
  readonly after: AlarmState | undefined;
  readonly change?: 'raised' | 'resolved';
};

export type Steadiness = { readonly raiseAfterMs: number; readonly resolveAfterMs: number };

/** How long something has lasted. After a step back of the clock it counts as having begun now. */
const lastedMs = (since: number, now: number): number => Math.max(0, now - since);

const onceSeen = (
  before: AlarmState | undefined,
  { facts }: Pick<Observation, 'facts'>,
  { raiseAfterMs }: Steadiness,
  now: number,
): Step => {
  const since = Math.min(before?.since ?? now, now);
  if (lastedMs(since, now) < raiseAfterMs) {
    return { after: { state: 'pending', since, clearSince: null, facts } };
  }
  return { after: { state: 'raised', since: now, clearSince: null, facts }, change: 'raised' };
};

export const nextState = (
  before: AlarmState | undefined,
  seen: Pick<Observation, 'level' | 'facts'> | undefined,
  steadiness: Steadiness,
  now: number,
): Step => {
  if (before?.state !== 'raised') {
    return seen?.level === 'bad' ? onceSeen(before, seen, steadiness, now) : { after: undefined };
  }
  if (seen !== undefined) return { after: { ...before, clearSince: null, facts: seen.facts } };
  const clearSince = Math.min(before.clearSince ?? now, now);
  if (lastedMs(clearSince, now) < steadiness.resolveAfterMs) {
    return { after: { ...before, clearSince } };
  }
  return { after: undefined, change: 'resolved' };
};
