/** Prices purchases: finds what their clients pay by the price lists in memory. */
import { allowsBelowCost, chargeOf } from '../pricing/choose.ts';
import type { LivePrices } from '../pricing/live.ts';
import type { Pricing } from '../purchases/pricing.ts';

export const createPricing = (prices: LivePrices): Pricing => {
  let reloading: Promise<void> | undefined;
  return {
    quote: (wanted) => {
      const book = prices.book();
      return {
        version: prices.version(),
        at: (moment) => chargeOf(book, { ...wanted, moment }),
      };
    },
    allowsBelowCost: (clientId) => allowsBelowCost(prices.book(), clientId),
    renew: async (outdated) => {
      if (prices.version() !== outdated) return;
      // Together: all purchases notice a change at the same time.
      reloading ??= prices.reload().finally(() => {
        reloading = undefined;
      });
      await reloading;
    },
  };
};
