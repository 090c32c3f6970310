/** Defines how far a purchase may go from supplier to supplier, and when a route is passed over. */
import { Type } from 'typebox';
import { group, wholeNumber } from './shapes.ts';

export const RouteHealthSchema = Type.Object(
  {
    windowMs: wholeNumber(60_000, 1, 'Period in which the orders of a route are counted.'),
    leastOrders: wholeNumber(20, 1, 'Fewest orders in that period before a route can be closed.'),
    failedPercent: Type.Integer({
      default: 50,
      minimum: 1,
      maximum: 100,
      description: "A route is closed when this percentage failed by the supplier's fault.",
    }),
    closedMs: wholeNumber(30_000, 1, 'How long it stays closed before single orders probe it.'),
    probes: wholeNumber(3, 1, 'Number of probes in a row that must deliver to open it again.'),
  },
  { ...group, description: 'When a route is passed over because its orders fail.' },
);

export const RoutingSchema = Type.Object(
  {
    mostSuppliers: wholeNumber(3, 1, 'Suppliers that one purchase is ordered from at most.'),
    giveUpAfterMs: wholeNumber(
      60_000,
      1,
      'A purchase that began longer ago than this goes to no further supplier.',
    ),
  },
  group,
);
