/** Describes a personal offer in OpenAPI, as the offers endpoint and some errors list it. */
import { type Static, Type } from 'typebox';

export const OfferSchema = Type.Object(
  {
    offerCode: Type.String({
      description: 'The offer code. Store it and send it back in the purchase.',
    }),
    offerDesc: Type.String({ description: 'Description in Latin script.' }),
    offerDescLN: Type.String({ description: 'Description in the local language.' }),
    validityDays: Type.String({ description: 'Validity in days. It can be an empty string.' }),
    offerType: Type.String({
      description: 'The offer type. Store it and send it back in the purchase.',
    }),
    amount: Type.String({
      description: 'The amount without tax. The price of the purchase is this amount plus VAT.',
    }),
    name: Type.String({ description: 'Display name.' }),
  },
  { title: 'Offer', description: 'A personal offer. All values are strings.' },
);

export const exampleOffer = {
  offerCode: '70103',
  offerDesc: '2 GB data, 3 days',
  offerDescLN: '۲ گیگابایت اینترنت، ۳ روزه',
  validityDays: '3',
  offerType: '1',
  amount: '30000',
  name: 'بسته ۲ گیگابایت ۳ روزه',
} as const satisfies Static<typeof OfferSchema>;
