/** Runs the SQL of alarms: the turn of one instance, the alarms, their changes, and the channels. */
import { insertRows, runText, writeRows } from '../../db/statement.ts';
import { columnsOf, type Tables } from '../../db/tables/tables.ts';
import type { Db } from '../../db/types.ts';
import { isRecord } from '../../lib/record.ts';
import { type AlarmKind, type Facts, isAlarmKind } from './kinds.ts';
import type { Alarm } from './state.ts';

export const channelNames = ['webhook', 'mail'] as const;
export type ChannelName = (typeof channelNames)[number];
export type ChannelRow = Tables['alarm_channels'];

/** A change that people hear of. */
export type Change = {
  readonly seq: number;
  readonly kind: AlarmKind;
  readonly subject: string;
  readonly state: 'raised' | 'resolved';
  readonly at: number;
  readonly facts: Facts;
};

const isText = (value: unknown): value is { readonly en: string; readonly fa: string } =>
  isRecord(value) && typeof value['en'] === 'string' && typeof value['fa'] === 'string';

const numberIn = (record: Record<string, unknown>, name: 'count' | 'available' | 'below') =>
  typeof record[name] === 'number' ? { [name]: record[name] } : {};

const readFacts = (json: string): Facts => {
  const value: unknown = JSON.parse(json);
  if (!isRecord(value)) return {};
  const { name } = value;
  return {
    ...(isText(name) ? { name: { en: name.en, fa: name.fa } } : {}),
    ...numberIn(value, 'count'),
    ...numberIn(value, 'available'),
    ...numberIn(value, 'below'),
  };
};

/** Whether this instance may judge now: it is the holder, or the holder has been silent. */
export const isOurTurn = async (db: Db, holder: string, now: number): Promise<boolean> => {
  const text = 'select 1 as one from alarm_turn where holder = ? or until_at <= ?';
  return (await runText(db, text, [holder, now])).length > 0;
};

const takeText = `update alarm_turn set holder = ?, until_at = ?
  where holder = ? or until_at <= ? returning seq`;

/**
 * Within a transaction: takes the turn, or keeps it. Until the transaction ends no other instance can. Returns
 * the number of the last change; undefined if it is the turn of another instance.
 */
export const takeTurn = async (
  db: Db,
  { holder, now, until }: { readonly holder: string; readonly now: number; readonly until: number },
): Promise<number | undefined> => {
  const [row] = await runText<{ seq: number }>(db, takeText, [holder, until, holder, now]);
  return row?.seq;
};

/** Lets another instance judge at once. */
export const leaveTurn = async (db: Db, holder: string): Promise<void> => {
  await runText(db, 'update alarm_turn set until_at = 0 where holder = ?', [holder]);
};

/**
 * A turn or a lease that ends later than any lease can, because the database's clock went back, ends now.
 */
export const endLateLeases = async (
  db: Db,
  latest: { readonly turn: number; readonly due: number },
): Promise<void> => {
  await runText(db, 'update alarm_turn set until_at = 0 where until_at > ?', [latest.turn]);
  await runText(db, 'update alarm_channels set due_at = 0 where due_at > ?', [latest.due]);
};

const alarmColumns = columnsOf('alarms');

/** A kind that only another version knows is left to it. */
export const readAlarms = async (db: Db): Promise<Alarm[]> => {
  const rows = await db
    .selectFrom('alarms')
    .select(alarmColumns)
    .orderBy('since')
    .orderBy('kind')
    .orderBy('subject')
    .execute();
  return rows.flatMap(({ kind, clear_since: clearSince, facts, ...row }): Alarm[] =>
    isAlarmKind(kind) ? [{ ...row, kind, clearSince, facts: readFacts(facts) }] : [],
  );
};

export const countRaised = (db: Db): Promise<{ kind: string; alarms: number }[]> =>
  db
    .selectFrom('alarms')
    .select((select) => ['kind', select.fn.countAll<number>().as('alarms')])
    .where('state', '=', 'raised')
    .groupBy('kind')
    .execute();

type Subject = Pick<Alarm, 'kind' | 'subject'>;

const saveText = insertRows(
  'alarms',
  ` on conflict (kind, subject) do update set state = excluded.state, since = excluded.since,
    clear_since = excluded.clear_since, facts = excluded.facts`,
);

export const saveAlarms = async (db: Db, alarms: readonly Alarm[]): Promise<void> => {
  if (alarms.length === 0) return;
  const rows = alarms.map(({ kind, subject, state, since, clearSince, facts }) => [
    kind,
    subject,
    state,
    since,
    clearSince,
    JSON.stringify(facts),
  ]);
  await writeRows(db, saveText, rows);
};

export const deleteAlarm = async (db: Db, { kind, subject }: Subject): Promise<void> => {
  await db.deleteFrom('alarms').where('kind', '=', kind).where('subject', '=', subject).execute();
};

const insertChangesText = insertRows('alarm_changes');

/** Writes changes with their numbers; `isWanted` says which kinds messages tell. */
export const insertChanges = async (
  db: Db,
  changes: readonly Change[],
  isWanted: (kind: AlarmKind) => boolean,
): Promise<void> => {
  const last = changes.at(-1);
  if (last === undefined) return;
  const rows = changes.map(({ seq, kind, subject, state, at, facts }) => [
    seq,
    kind,
    subject,
    state,
    at,
    JSON.stringify(facts),
    isWanted(kind) ? 1 : 0,
  ]);
  await writeRows(db, insertChangesText, rows);
  await runText(db, 'update alarm_turn set seq = ?', [last.seq]);
};

/** Deletes old changes that no message has to tell. */
export const deleteChanges = async (db: Db, before: number): Promise<void> => {
  const text = `delete from alarm_changes
    where at < ? and seq <= (select min(told) from alarm_channels)`;
  await runText(db, text, [before]);
};

const changeColumns = ['seq', 'kind', 'subject', 'state', 'at', 'facts'] as const;
type ChangeRow = Pick<Tables['alarm_changes'], (typeof changeColumns)[number]>;

const toChanges = (rows: readonly ChangeRow[]): Change[] =>
  rows.flatMap(({ kind, facts, ...row }): Change[] =>
    isAlarmKind(kind) ? [{ ...row, kind, facts: readFacts(facts) }] : [],
  );

/** More changes wait for the next message. */
export const mostInMessage = 500;

/** The wanted changes after one, in order. */
export const readWanted = async (
  db: Db,
  { after, until, most }: { readonly after: number; readonly until: number; readonly most: number },
): Promise<Change[]> =>
  toChanges(
    await db
      .selectFrom('alarm_changes')
      .select([...changeColumns])
      .where('seq', '>', after)
      .where('seq', '<=', until)
      .where('wanted', '=', 1)
      .orderBy('seq')
      .limit(most)
      .execute(),
  );

/** The latest changes, the newest first. */
export const readLatest = async (db: Db, most: number): Promise<Change[]> =>
  toChanges(
    await db
      .selectFrom('alarm_changes')
      .select([...changeColumns])
      .orderBy('seq', 'desc')
      .limit(most)
      .execute(),
  );

const channelColumns = columnsOf('alarm_channels');

export const readChannels = (db: Db): Promise<ChannelRow[]> =>
  db.selectFrom('alarm_channels').select(channelColumns).orderBy('channel').execute();

export const updateChannel = async (
  db: Db,
  channel: ChannelName,
  change: Partial<Omit<ChannelRow, 'channel'>>,
): Promise<void> => {
  await db.updateTable('alarm_channels').set(change).where('channel', '=', channel).execute();
};

const claimText = `update alarm_channels set due_at = ?, attempts = attempts + 1
  where channel = ? and due_at <= ? returning ${channelColumns.join(', ')}`;

/** Claims the message of a channel under a lease, if it is due, so that no other instance sends it. */
export const claimMessage = async (
  db: Db,
  claim: { readonly channel: ChannelName; readonly now: number; readonly leaseUntil: number },
): Promise<ChannelRow | undefined> => {
  const { channel, now, leaseUntil } = claim;
  const [row] = await runText<ChannelRow>(db, claimText, [leaseUntil, channel, now]);
  return row;
};

/** Writes the result of an attempt; false if another instance has claimed the message since. */
export const finishAttempt = async (
  db: Db,
  { channel, attempts }: Pick<ChannelRow, 'channel' | 'attempts'>,
  change: Partial<Omit<ChannelRow, 'channel' | 'attempts'>>,
): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('alarm_channels')
    .set(change)
    .where('channel', '=', channel)
    .where('attempts', '=', attempts)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
};
