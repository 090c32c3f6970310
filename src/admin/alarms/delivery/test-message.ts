/** Sends a test message to every configured channel at once, and says what came of each. */
import type { NewId } from '../../../lib/random.ts';
import { isDelivered } from '../../../webhooks/delivery/attempt.ts';
import type { Failure } from '../../../webhooks/delivery/failure.ts';
import { messageIdFrom } from '../../../webhooks/event.ts';
import { type ChannelName, channelNames } from '../store.ts';
import { type ChannelDeps, sendTo } from './channels.ts';

export type TestResult = {
  readonly channel: ChannelName;
  readonly delivered: boolean;
  /** What the receiver or the mail server answered; null if it did not. */
  readonly status: number | null;
  readonly failure: Failure | null;
};

/** Empty if no channel is configured. */
export const sendTestMessages = async (
  deps: ChannelDeps & { readonly newId: NewId },
): Promise<TestResult[]> => {
  const digest = { id: messageIdFrom(deps.newId()), at: deps.clock.now(), changes: [] };
  const results = await Promise.all(
    channelNames.map(async (channel): Promise<TestResult[]> => {
      const sent = await sendTo(deps, channel, digest);
      if (sent === undefined) return [];
      return [
        {
          channel,
          delivered: isDelivered(sent),
          status: sent.kind === 'answered' ? sent.status : null,
          failure: sent.kind === 'failed' ? sent.failure : null,
        },
      ];
    }),
  );
  return results.flat();
};
