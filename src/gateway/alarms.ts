/** Builds alarms: their job, and what the back office needs to change and test them. */
import type { ChannelDeps } from '../admin/alarms/delivery/channels.ts';
import { createMailSender } from '../admin/alarms/delivery/smtp.ts';
import { type AlarmJob, type AlarmJobDeps, createAlarmJob } from '../admin/alarms/job.ts';
import type { Reach } from '../admin/alarms/settings/validate.ts';
import type { Overview } from '../admin/overview/overview.ts';
import type { Config } from '../config/config.ts';
import type { Clock } from '../lib/clock.ts';
import type { Meter } from '../metrics/meter.ts';
import { createAddressPolicy } from '../webhooks/delivery/address.ts';
import { createSender } from '../webhooks/delivery/send.ts';

type AlarmParts = Pick<
  AlarmJobDeps,
  'db' | 'databaseTime' | 'newId' | 'random' | 'retryLocked' | 'secrets'
> & {
  readonly clock: Clock;
  readonly config: Config;
  readonly throttledLog: AlarmJobDeps['log'];
  readonly meter: Pick<Meter, 'metrics'>;
  /** It is built after alarms, which its routes change. */
  readonly overview: () => Pick<Overview, 'alertSources'>;
};

export type Alarms = {
  readonly reach: Reach;
  readonly channels: ChannelDeps;
  readonly job: AlarmJob;
};

/** What sends alarms: by webhook and by mail, to public addresses and to the networks of alarms. */
export const createChannels = ({
  clock,
  config,
}: Pick<AlarmParts, 'clock' | 'config'>): Pick<ChannelDeps, 'sender' | 'mailSender'> & {
  readonly reach: Reach;
  readonly close: () => Promise<void>;
} => {
  const { allowedNetworks } = config.alarms;
  const permits = createAddressPolicy(allowedNetworks);
  const sender = createSender({ clock, settings: { ...config.webhooks, allowedNetworks } });
  const mailSender = createMailSender({ clock, permits });
  return {
    sender,
    mailSender,
    reach: { permits },
    close: async () => {
      mailSender.close();
      await sender.close();
    },
  };
};

export const createAlarms = (parts: AlarmParts): Alarms => {
  const { config, throttledLog: log, meter } = parts;
  const { reach, close: abort, ...senders } = createChannels(parts);
  const channels = { ...parts, ...senders, log, publicUrl: config.publicUrl };
  const job = createAlarmJob({
    ...channels,
    abort,
    mobile: config.mobile,
    holder: parts.newId(),
    alertSources: () => parts.overview().alertSources(),
    attempted: meter.metrics.alarmMessage,
  });
  return { reach, channels, job };
};
