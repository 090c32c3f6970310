/** Lists personal offers, ready to be bought. */
import type { Ask, CallOptions } from './ask.ts';
import { OffersRefusedError } from './errors.ts';
import { offerPrice } from './price.ts';
import type { Reading } from './reading.ts';
import type { ListedOffer, OfferList } from './types.ts';

/** An offer of one subscriber. Pass it to `buy`. */
export type Offer = ListedOffer & {
  readonly mobile: string;
  readonly productId: number;
  /** With tax. */
  readonly price: number;
};

export type OfferOptions = CallOptions & {
  /** The name of an operator that lists offers; the first one by default. */
  readonly operator?: string;
};

export const createOffers = (
  ask: Ask,
  { operators, number }: Pick<Reading, 'operators' | 'number'>,
) => ({
  /**
   * The personal offers of a subscriber, each with its price. An empty list: the operator has none for this number
   * now. Rejects with an `OffersRefusedError` if the operator refuses the number.
   */
  offers: async (
    mobile: string,
    { operator: name, ...options }: OfferOptions = {},
  ): Promise<readonly Offer[]> => {
    const operator = (await operators(options)).find((one) =>
      name === undefined ? one.personal_offers !== null : one.name === name,
    );
    const personal = operator?.personal_offers;
    if (operator === undefined || !personal) {
      throw new Error(
        name === undefined
          ? 'No operator of this gateway lists personal offers.'
          : `This gateway has no operator ${JSON.stringify(name)} that lists personal offers.`,
      );
    }
    const [{ said }, answer] = await Promise.all([
      number(mobile, { operatorId: operator.id, ...options }),
      ask<OfferList>({
        method: 'POST',
        path: `/api/${operator.name}/offers`,
        json: { mobile },
        ...options,
      }),
    ]);
    const { status, message, ResultCode: resultCode, TransactionID: transactionId } = answer;
    if (!status) {
      throw new OffersRefusedError({ message, operator: operator.name, resultCode, transactionId });
    }
    const productId = personal[said?.sim_card_type ?? 'credit'];
    return answer.offersList.map((offer) => ({
      ...offer,
      mobile,
      productId,
      price: offerPrice(offer.amount, personal.vat_percent),
    }));
  },
});
