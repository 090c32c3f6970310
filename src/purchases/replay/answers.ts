/** Builds the answers that are recorded for a purchase: the success, and one for each refusal. */
import type { RefusalCode } from '../../connector/connector.ts';
import { errorBody, errorTable, GatewayError } from '../../lib/errors.ts';
import type { Refusal } from '../decide.ts';
import type { Answer } from '../purchase.ts';

export const successAnswer: Answer = {
  status: 200,
  body: JSON.stringify({ message: 'The purchase was successful.' }),
};

/** A refusal as it is recorded, with the id of its first request. */
export const refusalAnswer = (refusal: Refusal, requestId: string): Answer => {
  const { code, ...details } = refusal;
  const body = errorBody(new GatewayError(code, details), requestId);
  return { status: errorTable[code].status, body: JSON.stringify(body) };
};

const refusalCodes = {
  declined: 'OPERATOR_DECLINED',
  unreachable: 'ORDER_NOT_RECEIVED',
  // Clients never learn of suppliers.
  out_of_stock: 'OPERATOR_DECLINED',
  out_of_funds: 'OPERATOR_DECLINED',
  throttled: 'OPERATOR_DECLINED',
  not_subscriber: 'OPERATOR_MISMATCH',
  wrong_sim_type: 'SIM_TYPE_MISMATCH',
  offer_gone: 'OFFER_EXPIRED',
  price_changed: 'PRICE_CHANGED',
} as const satisfies Record<RefusalCode, Refusal['code']>;

/** Our code for an operator's own refusal. */
export const codeOfRefusal = (code: RefusalCode): Refusal['code'] => refusalCodes[code];

/** Whether the client should see the current offers. */
export const wantsOffers = (code: Refusal['code']): boolean =>
  code === 'OFFER_EXPIRED' || code === 'PRICE_CHANGED';
