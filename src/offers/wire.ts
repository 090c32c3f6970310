/** Defines the wire format of an offer. */
import { type Static, Type } from 'typebox';
import type { Offer } from '../connector/connector.ts';

export const OfferSchema = Type.Object(
  {
    offerCode: Type.String({ description: 'Store it and send it back in the purchase.' }),
    offerDesc: Type.String({ description: 'Description in Latin script.' }),
    offerDescLN: Type.String({ description: 'Description in the local language.' }),
    validityDays: Type.String({ description: 'Validity in days; may be empty.' }),
    offerType: Type.String({ description: 'Store it and send it back in the purchase.' }),
    amount: Type.String({
      description: 'Store it: the price of the purchase is this amount plus value-added tax.',
    }),
    name: Type.String({ description: 'Display name.' }),
  },
  { description: 'A personal offer; all values are strings.' },
);

type WireOffer = Static<typeof OfferSchema>;

export const offersToWire = (offers: readonly Offer[]): WireOffer[] =>
  offers.map((offer) => ({
    offerCode: offer.code,
    offerDesc: offer.description,
    offerDescLN: offer.descriptionLocal,
    validityDays: offer.validityDays,
    offerType: offer.type,
    amount: offer.amount,
    name: offer.name,
  }));
