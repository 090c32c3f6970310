/** Turns offers into their wire format. */
import type { Static } from 'typebox';
import type { Offer } from '../connector/connector.ts';
import type { OfferSchema } from '../lib/openapi/offer.ts';

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
