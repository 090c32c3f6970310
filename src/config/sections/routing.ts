/** Defines how far a purchase may go from supplier to supplier. */
import { Type } from 'typebox';
import { group, wholeNumber } from './shapes.ts';

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
