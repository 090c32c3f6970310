/** Compares places of the database, and judges what the instances vouch for after a change. Pure. */
import type { Tables } from '../../../db/tables/tables.ts';

/** The identity of a database's location. A copy, wherever it is, differs in one of these. */
export type Place = Omit<Tables['place'], 'id' | 'signature' | 'recorded_at'>;

export type ChangedPart = NonNullable<Tables['restores']['changed']>;

/** The first part in which two places differ; `timeline` only if nothing else does. */
export const changedPart = (before: Place, after: Place): ChangedPart | undefined => {
  if (before.system_id !== after.system_id) return 'system';
  if (before.database_oid !== after.database_oid) return 'database';
  if (before.accounts_oid !== after.accounts_oid) return 'accounts';
  return before.timeline === after.timeline ? undefined : 'timeline';
};

export type Instance = Pick<Tables['instances'], 'id' | 'beat'>;

/** What a process knows of its own row among the instances. */
export type OwnRow = {
  /** Its last heartbeat that it knows is committed. */
  readonly beat: number;
  /** Whether its last heartbeat is so recent that no other instance can have deleted the row. */
  readonly registered: boolean;
};

/** Whether a database lacks a committed heartbeat: then it also lacks what was committed since. */
export const lacksBeat = (own: Instance | undefined, { beat, registered }: OwnRow): boolean =>
  own === undefined ? registered : own.beat < beat;

export type Vouch = Pick<Tables['vouches'], 'instance_id' | 'result'>;

/** An instance's statement about a changed place. */
export type VouchAnswer = Exclude<Vouch['result'], 'waiting'>;

/** The results that a later one of the same instance replaces: a statement may only get worse. */
export const replacedBy = {
  confirmed: ['waiting'],
  absent: ['waiting', 'confirmed'],
  contradicted: ['waiting', 'confirmed', 'absent'],
} as const satisfies Record<VouchAnswer, readonly Vouch['result'][]>;

/** The result of the vouches: `wait` for more, `open`, or a cause to ask the operators. */
export type Judgement = 'wait' | 'open' | 'witness_missing' | 'witness_contradicted';

/**
 * Judges a changed place. A lost commit takes all later ones with it, so one contradiction means a loss, and
 * only confirmations by all mean none. An instance that did not answer in time may have known more. If
 * replication is synchronous and a standby was promoted, the others' confirmations suffice.
 */
export const judgeVouches = (
  vouches: readonly Vouch[],
  about: {
    readonly changed: ChangedPart | null;
    readonly synchronous: boolean;
    /** Whether the wait for missing statements is over. */
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
