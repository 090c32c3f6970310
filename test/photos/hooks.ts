/** Gives a client two webhooks: one that works, and one that fails since the day before the pictures. */
import type { Clock } from '../../src/lib/clock.ts';
import type { EventType } from '../../src/webhooks/event.ts';
import { eventually } from '../support/live.ts';
import type { StartedServer } from '../support/server.ts';
import { makeEndpoint, type Receiver, startReceiver } from '../support/webhooks.ts';

/** A clock that can be set forward, and held. */
export type OpenClock = Clock & {
  readonly set: (time: number) => void;
  readonly hold: (time: number) => void;
};

export type Hooks = {
  /** The endpoint that fails in the end. */
  readonly failingId: string;
  readonly fail: () => void;
  /** Sends what is due until then, each retry at its time. */
  readonly sendUntil: (time: number) => Promise<void>;
  /** Shows the addresses of a shop instead of those on this machine, and ends the receivers. */
  readonly close: () => Promise<void>;
};

const shown = [
  {
    url: 'https://blue-kiosk.example/hooks',
    events: ['purchase.succeeded', 'purchase.failed', 'purchase.reversed'],
  },
  { url: 'https://status.blue-kiosk.example', events: ['operator.status'] },
] as const satisfies readonly { readonly url: string; readonly events: readonly EventType[] }[];

type Listening = { readonly id: string; readonly url: string; readonly receiver: Receiver };

const listen = async (
  server: StartedServer,
  token: string,
  { url, events }: (typeof shown)[number],
): Promise<Listening> => {
  const receiver = await startReceiver();
  const { id } = await makeEndpoint(server, { url: receiver.url, events, token });
  return { id, url, receiver };
};

export const openHooks = async (
  server: StartedServer,
  clock: OpenClock,
  token: string,
): Promise<Hooks> => {
  const { db } = server.deps;
  const working = await listen(server, token, shown[0]);
  const failing = await listen(server, token, shown[1]);
  const waiting = () =>
    db
      .selectFrom('webhook_messages')
      .select(['due_at', 'attempts', 'step'])
      .where('state', '=', 'waiting')
      .execute();
  const isSent = async (): Promise<boolean> =>
    (await waiting()).every(
      ({ due_at, attempts, step }) => Number(due_at) > clock.now() && attempts === step,
    );
  const sendUntil = async (time: number): Promise<void> => {
    await eventually('every due message is sent', isSent);
    const next = Math.min(...(await waiting()).map(({ due_at }) => Number(due_at)));
    if (next >= time) return;
    clock.set(next);
    await sendUntil(time);
  };
  const close = async (): Promise<void> => {
    for (const { id, url, receiver } of [working, failing]) {
      await db.updateTable('webhook_endpoints').set({ url }).where('id', '=', id).execute();
      receiver.stop();
    }
  };
  return {
    failingId: failing.id,
    fail: () => failing.receiver.answerWith(503),
    sendUntil,
    close,
  };
};
