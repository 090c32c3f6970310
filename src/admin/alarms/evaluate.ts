/** Judges all alarms in one transaction: states, their changes, and the messages that tell them. */
import { isDeepStrictEqual } from 'node:util';
import type { LockRetry } from '../../db/lock-retry.ts';
import type { DatabaseTime, Db } from '../../db/types.ts';
import type { MobileFormat } from '../../lib/mobile.ts';
import type { NewId } from '../../lib/random.ts';
import { readSettings } from '../../settings/settings.ts';
import { messageIdFrom } from '../../webhooks/event.ts';
import { maskNumbers } from '../mask.ts';
import { type AlertSources, alertsOf } from '../overview/alerts.ts';
import { type NamedClient, readLowBalances } from '../overview/store.ts';
import { alarmKind, alarmKindNames, enoughFrom, type Seen } from './kinds.ts';
import { readAlarmSettings, type StoredAlarmSettings } from './settings/settings.ts';
import { type Alarm, nextState } from './state.ts';
import {
  type Change,
  type ChannelName,
  type ChannelRow,
  deleteAlarm,
  deleteChanges,
  insertChanges,
  isOurTurn,
  mostInMessage,
  readAlarms,
  readChannels,
  readWanted,
  saveAlarms,
  takeTurn,
  updateChannel,
} from './store.ts';

export type EvaluateDeps = {
  readonly db: Db;
  readonly databaseTime: DatabaseTime;
  readonly newId: NewId;
  readonly retryLocked: LockRetry;
  /** What the overview's alerts come from, as this instance sees it. */
  readonly alertSources: () => Promise<AlertSources>;
  readonly mobile: MobileFormat;
  /** The name of this instance among those that share the database. */
  readonly holder: string;
};

/** Several rounds: an instance that is silent for so long has stopped. */
export const turnMs = 60_000;
const keepMs = 90 * 86_400_000;

const see = async (
  { db, alertSources, mobile }: EvaluateDeps,
  { reviewAtLeast }: StoredAlarmSettings,
): Promise<Seen> => {
  const { lowBalanceBelow: lowBelow } = await readSettings(db);
  const mask = maskNumbers(mobile);
  const low = await readLowBalances(db, enoughFrom(lowBelow));
  const sources = await alertSources();
  const masked = ({ id, name }: NamedClient): NamedClient => ({ id, name: mask(name) });
  return {
    alerts: alertsOf(sources),
    credit: {
      usedUp: sources.credit.usedUp.map(masked),
      nearly: sources.credit.nearly.map(masked),
    },
    floats: sources.operators.flatMap(({ id, names, float }) =>
      float === undefined ? [] : [{ id, name: names, float }],
    ),
    low: low.map((client) => ({ ...client, name: mask(client.name) })),
    lowBelow,
    reviewAtLeast,
  };
};

const keyOf = ({ kind, subject }: Pick<Alarm, 'kind' | 'subject'>): string => `${kind} ${subject}`;

type Judged = {
  readonly saved: readonly Alarm[];
  readonly ended: readonly Alarm[];
  readonly changes: readonly Omit<Change, 'seq'>[];
};

/** What follows for every alarm that is known or seen. Pure. */
export const judge = (known: readonly Alarm[], seen: Seen, now: number): Judged => {
  const before = new Map(known.map((alarm) => [keyOf(alarm), alarm]));
  const saved: Alarm[] = [];
  const ended: Alarm[] = [];
  const changes: Omit<Change, 'seq'>[] = [];
  for (const kind of alarmKindNames) {
    const steadiness = alarmKind(kind);
    const observed = steadiness.observe(seen);
    const bySubject = new Map(observed.map((one) => [one.subject, one]));
    const subjects = known.filter((one) => one.kind === kind).map(({ subject }) => subject);
    for (const subject of new Set([...bySubject.keys(), ...subjects])) {
      const old = before.get(keyOf({ kind, subject }));
      const { after, change } = nextState(old, bySubject.get(subject), steadiness, now);
      const facts = after?.facts ?? old?.facts ?? {};
      if (change !== undefined) changes.push({ kind, subject, state: change, at: now, facts });
      if (after !== undefined) saved.push({ kind, subject, ...after });
      else if (old !== undefined) ended.push(old);
    }
  }
  const isNew = (alarm: Alarm): boolean => !isDeepStrictEqual(alarm, before.get(keyOf(alarm)));
  return { saved: saved.filter(isNew), ended, changes };
};

const isConfigured = (settings: StoredAlarmSettings, channel: ChannelName): boolean =>
  channel === 'webhook' ? settings.webhookUrl !== null : settings.mail !== null;

/** A channel tells what happens while it is configured, one message at a time and not too often. */
const prepare = async (
  { newId }: EvaluateDeps,
  db: Db,
  row: ChannelRow,
  { settings, last, now }: { settings: StoredAlarmSettings; last: number; now: number },
): Promise<void> => {
  const { channel, told, message_at: at } = row;
  if (!isConfigured(settings, channel)) {
    const nothing = { message_id: null, message_until: null, due_at: null };
    if (row.message_id !== null || told < last) {
      await updateChannel(db, channel, { ...nothing, told: last });
    }
    return;
  }
  if (row.message_id !== null || told >= last) return;
  if (at !== null && at <= now && now - at < settings.pauseMinutes * 60_000) return;
  const changes = await readWanted(db, { after: told, until: last, most: mostInMessage });
  const until = changes.length < mostInMessage ? last : (changes.at(-1)?.seq ?? last);
  await updateChannel(
    db,
    channel,
    changes.length === 0
      ? { told: last }
      : {
          message_id: messageIdFrom(newId()),
          message_until: until,
          message_at: now,
          step: 0,
          due_at: now,
        },
  );
};

/** Within a transaction: false if it is the turn of another instance. */
const write = async (
  deps: EvaluateDeps,
  db: Db,
  { seen, settings, now }: { seen: Seen; settings: StoredAlarmSettings; now: number },
): Promise<boolean> => {
  const { holder } = deps;
  const seq = await takeTurn(db, { holder, now, until: now + turnMs });
  if (seq === undefined) return false;
  const { saved, ended, changes } = judge(await readAlarms(db), seen, now);
  await saveAlarms(db, saved);
  for (const alarm of ended) await deleteAlarm(db, alarm);
  const numbered = changes.map((change, index) => ({ ...change, seq: seq + index + 1 }));
  await insertChanges(db, numbered, (kind) => settings.kinds.includes(kind));
  if (changes.length > 0) await deleteChanges(db, now - keepMs);
  const last = seq + changes.length;
  for (const row of await readChannels(db)) await prepare(deps, db, row, { settings, last, now });
  return true;
};

/** Judges if it is the turn of this instance, or no other one judges; returns whether it did. */
export const evaluate = async (deps: EvaluateDeps): Promise<boolean> => {
  const { db, retryLocked } = deps;
  if (!(await isOurTurn(db, deps.holder, await deps.databaseTime(db)))) return false;
  const settings = await readAlarmSettings(db);
  const seen = await see(deps, settings);
  return retryLocked(() =>
    db.transaction().execute(async (db) => {
      const now = await deps.databaseTime(db);
      return write(deps, db, { seen, settings, now });
    }),
  );
};
