/** Counts the messages of alarms by channel and outcome. */
import type { Registry } from 'prom-client';
import { recordOf } from '../lib/record.ts';
import { createCounter } from './counters.ts';

const channels = ['webhook', 'mail'] as const;
const outcomes = ['delivered', 'failed'] as const;

export type AlarmMetrics = {
  /** A message of alarms was sent. */
  readonly alarmMessage: (
    channel: (typeof channels)[number],
    outcome: (typeof outcomes)[number],
  ) => void;
};

/** Each exists from the start: a series that begins with its first event has no rate. */
export const alarmMetrics = (registry: Registry): AlarmMetrics => {
  const counts = createCounter(registry, {
    name: 'simgate_alarm_messages_total',
    help: 'Messages of alarms sent, by channel and outcome.',
    labelNames: ['channel', 'outcome'],
  });
  const children = recordOf(channels, (channel) =>
    recordOf(outcomes, (outcome) => counts({ channel, outcome })),
  );
  return { alarmMessage: (channel, outcome) => children[channel][outcome]() };
};
