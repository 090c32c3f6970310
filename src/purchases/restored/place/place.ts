/** Compares places of the database, and judges what the instances vouch for after a change. Pure. */
import type { Tables } from '../../../db/tables/tables.ts';

/** Where a database is. A copy of it, wherever it was put, differs in one of these. */
export type Place = Omit<Tables['place'], 'id' | 'signature' | 'recorded_at'>;

export type ChangedPart = NonNullable<Tables['restores']['changed']>;

/** The first part in which two places differ; `timeline` only where nothing else does. */
export const changedPart = (before: Place, after: Place): ChangedPart | undefined => {
  if (before.system_id !== after.system_id) return 'system';
  if (before.database_oid !== after.database_oid) return 'database';
  if (before.accounts_oid !== after.accounts_oid) return 'accounts';
  return before.timeline === after.timeline ? undefined : 'timeline';
};

export type Instance = Pick<Tables['instances'], 'id' | 'beat'>;

/** What a process knows of its own row among the instances. */
export type OwnRow = {
  /** Its last beat that it knows is committed. */
  readonly beat: number;
  /** Whether it beat so lately that no other instance can have deleted the row. */
  readonly registered: boolean;
};

/** Whether a database lacks a beat that was committed: then it lacks what was committed since, too. */
export const lacksBeat = (own: Instance | undefined, { beat, registered }: OwnRow): boolean =>
  own === undefined ? registered : own.beat < beat;

export type Vouch = Pick<Tables['vouches'], 'instance_id' | 'result'>;

/** What an instance says when it is asked. */
export type VouchAnswer = Exclude<Vouch['result'], 'waiting'>;

/** The results that a later one of the same instance replaces: what it says may only get worse. */
export const replacedBy = {
  confirmed: ['waiting'],
  absent: ['waiting', 'confirmed'],
  contradicted: ['waiting', 'confirmed', 'absent'],
} as const satisfies Record<VouchAnswer, readonly Vouch['result'][]>;

/** What follows from the vouches: `wait` for more of them, `open`, or a cause to ask the operators. */
export type Judgement = 'wait' | 'open' | 'witness_missing' | 'witness_contradicted';

/**
 * Judges a changed place. All that was committed before a lost commit is there, so one contradiction
 * means a loss, and only if each instance confirms nothing was lost. An instance that did not say in time
 * may have taken what it knew with it. Where replication is synchronous and a standby was promoted, the
 * others' word is enough.
 */
export const judgeVouches = (
  vouches: readonly Vouch[],
  about: {
    readonly changed: ChangedPart | null;
    readonly synchronous: boolean;
    /** Whether those that have not said yet were waited for long enough. */
    readonly waited: boolean;
  },
): Judgement => {
  const some = (result: Vouch['result']): boolean => vouches.some((one) => one.result === result);
  if (some('contradicted')) return 'witness_contradicted';
  if (some('waiting') && !about.waited) return 'wait';
  if (!some('confirmed')) return 'witness_missing';
  const missing = some('waiting') || some('absent');
  return !missing || (about.synchronous && about.changed === 'timeline')
    ? 'open'
    : 'witness_missing';
};
