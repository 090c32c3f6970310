/** Defines the command that sends a test message of alarms. */
import { sendTestMessages, type TestResult } from '../../admin/alarms/delivery/test-message.ts';
import { readConfig } from '../../config/config.ts';
import { createSecrets } from '../../db/secrets/keys.ts';
import { createChannels } from '../../gateway/alarms.ts';
import { systemClock } from '../../lib/clock.ts';
import { systemRandom } from '../../lib/random.ts';
import { failureWords } from '../../webhooks/delivery/failure.ts';
import { type Command, withDatabase } from '../definition.ts';

const titles = { webhook: 'Webhook', mail: 'E-mail' } as const;

const sentence = ({ channel, delivered, status, failure }: TestResult): string => {
  if (delivered) return `${titles[channel]}: delivered.`;
  const why = failure === null ? `the answer was ${status}` : failureWords(failure);
  return `${titles[channel]}: not delivered: ${why}.`;
};

export const alarmTest: Command = {
  name: 'alarm test',
  summary: 'Send a test message to the webhook and the mail recipients of alarms.',
  run: async () => {
    const config = readConfig();
    const { close, sender, mailSender } = createChannels({ clock: systemClock, config });
    const senders = { sender, mailSender, publicUrl: config.publicUrl };
    const secrets = createSecrets(config, systemRandom);
    try {
      const channels = await withDatabase((deps) =>
        sendTestMessages({ ...deps, ...senders, secrets }),
      );
      const ok = channels.length > 0 && channels.every(({ delivered }) => delivered);
      const none = 'Neither a webhook nor e-mail is set. Set one in the settings of the console.';
      const text = channels.length === 0 ? none : channels.map(sentence).join('\n');
      return { ok, data: { ok, channels }, text };
    } finally {
      await close();
    }
  },
};
