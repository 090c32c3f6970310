/** Describes alarms and their channels as the back office's API shows them. */
import { type Static, Type } from 'typebox';
import { formatTime } from '../../lib/time.ts';
import { type AttemptRecord, readAttempts } from '../../webhooks/delivery/attempt.ts';
import { failureCodes } from '../../webhooks/delivery/failure.ts';
import { healthOf } from '../../webhooks/delivery/health.ts';
import { exampleTime, NamesSchema, orNull, textOrNull, timeOrNull } from '../wire.ts';
import type { TestResult } from './delivery/test-message.ts';
import { alarmKindNames } from './kinds.ts';
import type { StoredAlarmSettings } from './settings/settings.ts';
import type { Alarm } from './state.ts';
import { type Change, type ChannelRow, channelNames } from './store.ts';

const AlarmSchema = Type.Object(
  {
    kind: Type.Enum([...alarmKindNames], { description: 'The kind.' }),
    subject: textOrNull('The ID of the operator, supplier or client; null if there is only one.'),
    name: orNull(NamesSchema, 'Its name.'),
    count: orNull(Type.Integer(), 'How many purchases.'),
    available: orNull(Type.Integer(), 'What a client can spend.'),
    below: orNull(Type.Integer(), 'The threshold of that.'),
    state: Type.Enum(['raised', 'resolved'], { description: 'What happened.' }),
    at: Type.String({ description: 'When.' }),
  },
  { title: 'Alarm', description: 'An alarm was raised or resolved.' },
);

const ChannelSchema = Type.Object(
  {
    channel: Type.Enum([...channelNames], { description: 'The channel.' }),
    configured: Type.Boolean({ description: 'Whether messages are sent to it.' }),
    health: Type.Enum(['working', 'failing', 'untried'], {
      description: 'By its real attempts; test messages do not count.',
    }),
    failing_since: textOrNull('Since when it is failing; null unless it is.'),
    last_attempt_at: textOrNull('When a message was last sent; null if never.'),
    last_status: orNull(
      Type.Integer(),
      'What was answered then: a status of HTTP or of SMTP. Null if nothing was.',
    ),
    last_failure: orNull(Type.Enum([...failureCodes]), 'Why there was no answer then.'),
    waiting: Type.Boolean({ description: 'Whether a message waits to be sent.' }),
  },
  { title: 'AlarmChannel', description: 'A channel, and whether it works.' },
);

export const AlarmsSchema = Type.Object(
  {
    at: Type.String({ description: 'When they were read.' }),
    data: Type.Array(AlarmSchema, { description: 'The raised alarms, the oldest first.' }),
    changes: Type.Array(AlarmSchema, {
      description: 'The last 50 changes, the newest first. Older than 90 days are deleted.',
    }),
    channels: Type.Array(ChannelSchema, { description: 'The channels.' }),
  },
  { title: 'Alarms', description: 'Alarms, and the channels that tell people.' },
);
export type WireAlarms = Static<typeof AlarmsSchema>;

const alarmToWire = ({
  kind,
  subject,
  facts,
  state,
  at,
}: Pick<Change, 'kind' | 'subject' | 'facts' | 'state' | 'at'>): Static<typeof AlarmSchema> => ({
  kind,
  subject: subject === '' ? null : subject,
  name: facts.name ?? null,
  count: facts.count ?? null,
  available: facts.available ?? null,
  below: facts.below ?? null,
  state,
  at: formatTime(at),
});

const failureIn = (last: AttemptRecord | undefined) => last?.failure?.code ?? null;

export type AlarmsRead = {
  readonly at: number;
  readonly alarms: readonly Alarm[];
  readonly changes: readonly Change[];
  readonly channels: readonly ChannelRow[];
  readonly settings: StoredAlarmSettings;
};

export const alarmsToWire = (read: AlarmsRead): WireAlarms => ({
  at: formatTime(read.at),
  data: read.alarms
    .filter(({ state }) => state === 'raised')
    .map((alarm) => alarmToWire({ ...alarm, state: 'raised', at: alarm.since })),
  changes: read.changes.map(alarmToWire),
  channels: read.channels.map((row) => {
    const { state, failingSince, last } = healthOf(readAttempts(row.tried));
    const { webhookUrl, mail } = read.settings;
    return {
      channel: row.channel,
      configured: (row.channel === 'webhook' ? webhookUrl : mail) !== null,
      health: state,
      failing_since: timeOrNull(failingSince),
      last_attempt_at: timeOrNull(last?.at),
      last_status: last?.status ?? null,
      last_failure: failureIn(last),
      waiting: row.message_id !== null,
    };
  }),
});

export const exampleAlarms: WireAlarms = {
  at: exampleTime,
  data: [
    {
      kind: 'operator_down',
      subject: '1',
      name: { en: 'Operator 1', fa: 'اپراتور ۱' },
      count: null,
      available: null,
      below: null,
      state: 'raised',
      at: exampleTime,
    },
  ],
  changes: [],
  channels: [
    {
      channel: 'mail',
      configured: true,
      health: 'working',
      failing_since: null,
      last_attempt_at: exampleTime,
      last_status: 250,
      last_failure: null,
      waiting: false,
    },
  ],
};

export const AlarmTestSchema = Type.Object(
  {
    data: Type.Array(
      Type.Object(
        {
          channel: Type.Enum([...channelNames], { description: 'The channel.' }),
          delivered: Type.Boolean({ description: 'Whether it was accepted.' }),
          status: orNull(
            Type.Integer(),
            'What was answered: a status of HTTP or of SMTP. Null if nothing was.',
          ),
          failure: orNull(Type.Enum([...failureCodes]), 'Why there was no answer.'),
        },
        { title: 'AlarmTest', description: 'What came of a test message.' },
      ),
      { description: 'One for each configured channel.' },
    ),
  },
  { title: 'AlarmTests', description: 'What came of the test messages.' },
);

export const testsToWire = (results: readonly TestResult[]): Static<typeof AlarmTestSchema> => ({
  data: results.map(({ failure, ...result }) => ({ ...result, failure: failure?.code ?? null })),
});

export const exampleTests = testsToWire([
  { channel: 'mail', delivered: true, status: 250, failure: null },
]);
