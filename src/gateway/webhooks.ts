/** Builds webhooks: endpoints, listeners, delivery, and the sweep of old messages. */
import { isNetwork } from '../clients/network.ts';
import type { Config } from '../config/config.ts';
import { UsageError } from '../lib/errors.ts';
import { createDelivery, type DeliveryDeps } from '../webhooks/delivery/deliver.ts';
import { createSender } from '../webhooks/delivery/send.ts';
import { startSweeping } from '../webhooks/delivery/sweep.ts';
import { type EndpointDeps } from '../webhooks/endpoints.ts';
import { createListeners, type Listeners } from '../webhooks/listeners.ts';
import { type SealDeps, sealWebhookSecrets } from '../webhooks/secret.ts';

export type Webhooks = {
  readonly listeners: Listeners;
  /** The dependencies of the endpoint routes. */
  readonly endpoints: EndpointDeps;
  /** Signals that there are messages for these endpoints. */
  readonly wake: (endpointIds: Iterable<string>) => void;
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** Refuses anything but an address or a network. */
export const assertNetworks = (config: Pick<Config, 'webhooks' | 'alarms'>): void => {
  for (const section of ['webhooks', 'alarms'] as const) {
    const wrong = config[section].allowedNetworks.find((network) => !isNetwork(network));
    if (wrong === undefined) continue;
    throw new UsageError(
      `${section}.allowedNetworks: "${wrong}" is not an IP address or a network.`,
    );
  }
};

export const createWebhooks = (
  deps: Omit<DeliveryDeps, 'settings' | 'listeners' | 'sender'> & SealDeps,
  config: Pick<Config, 'webhooks' | 'alarms'>,
): Webhooks => {
  assertNetworks(config);
  const { webhooks: settings } = config;
  const listeners = createListeners(deps.db);
  const sender = createSender({ clock: deps.clock, settings });
  const delivery = createDelivery({ ...deps, settings, listeners, sender });
  let stopSweeping = async (): Promise<void> => {};
  return {
    listeners,
    endpoints: { ...deps, settings, listeners },
    wake: delivery.wake,
    start: async () => {
      await listeners.reload();
      await sealWebhookSecrets(deps);
      delivery.start();
      stopSweeping = startSweeping({ ...deps, keepDays: settings.keepDays });
    },
    stop: async () => {
      await stopSweeping();
      await delivery.stop();
    },
  };
};
