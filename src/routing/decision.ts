/** Writes a choice as it is stored with a purchase: ids and codes only. */
import type { RouteChoice } from './choose.ts';

// A purchase's row stays small, however many routes fit its product.
const mostListed = 30;

/**
 * Compact JSON: `order` has route and supplier of each that may be tried, the one taken first; `over` has those
 * passed over, with a code. `more` is how many of either were left out.
 */
export const decisionOf = ({ order, passedOver }: RouteChoice): string => {
  const more = Math.max(0, order.length - mostListed) + Math.max(0, passedOver.length - mostListed);
  return JSON.stringify({
    order: order.slice(0, mostListed).map(({ id, supplierId }) => [id, supplierId]),
    over: passedOver
      .slice(0, mostListed)
      .map(({ routeId, supplierId, code }) => [routeId, supplierId, code]),
    ...(more === 0 ? {} : { more }),
  });
};
