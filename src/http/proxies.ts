/** Validates the list of trusted proxies. */
import { isNetwork } from '../clients/network.ts';
import { UsageError } from '../lib/errors.ts';

/** Refuses invalid addresses, and the network of all addresses. */
export const assertProxies = (trustedProxies: readonly string[]): void => {
  const wrong = trustedProxies.find((proxy) => !isNetwork(proxy) || proxy.endsWith('/0'));
  if (wrong === undefined) return;
  throw new UsageError(`trustedProxies: "${wrong}" is not an IP address or a network.`);
};
