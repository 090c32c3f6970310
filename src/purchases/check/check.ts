/** Owns the trial: what buying would say, without a key, and without holding or ordering anything. */
import { readAccount } from '../../ledger/store.ts';
import { readDecimal, roundToUnit } from '../../lib/money.ts';
import type { Operator } from '../../operators/registry.ts';
import { type Fields, pathOf, type Refusal } from '../decide.ts';
import { judge, type Verdict } from '../judge.ts';
import type { PurchaseDeps } from '../order.ts';

export type CheckRequest = {
  readonly clientId: string;
  readonly fields: Fields;
};

export type Checked =
  | {
      readonly kind: 'yes';
      readonly operatorId: number;
      readonly price: number;
      /** Parts of the price, which add up to it. */
      readonly net: number;
      readonly vat: number;
      readonly available: number;
    }
  /** What the purchase would be refused with. */
  | { readonly kind: 'no'; readonly refusal: Refusal };

export type Check = (request: CheckRequest) => Promise<Checked>;

/** What of a price goes to the operator: an offer's own amount; of other products all of it. */
const netOf = (
  deps: PurchaseDeps,
  operator: Operator,
  { offer, mobile, price }: Fields,
): number => {
  if (offer === null) return price;
  const found = deps.offers
    .remembered(operator, mobile)
    ?.offers.find(({ code, type }) => code === offer.code && type === offer.type);
  const amount = readDecimal(found?.amount);
  return (amount === undefined ? undefined : roundToUnit(amount)) ?? price;
};

/** The same path as the product's: nobody can be on the wrong one here. */
const onItsPath = (deps: PurchaseDeps, fields: Fields): Fields => {
  const product = deps.catalogue().product(fields.productId);
  return product === undefined ? fields : { ...fields, path: pathOf(product) };
};

const judgeInTurn = async (deps: PurchaseDeps, fields: Fields): Promise<Verdict> => {
  deps.gate?.pass();
  const operatorId = deps.catalogue().product(fields.productId)?.operator_id;
  const leave = deps.admission.enter(operatorId);
  try {
    return await judge(deps, fields);
  } finally {
    leave();
  }
};

export const createCheck =
  (deps: PurchaseDeps): Check =>
  async ({ clientId, fields: given }) => {
    const fields = onItsPath(deps, given);
    const verdict = await judgeInTurn(deps, fields);
    if (verdict.kind === 'refuse') return { kind: 'no', refusal: verdict.refusal };
    const { price } = fields;
    const available = (await readAccount(deps.db, clientId))?.available ?? 0;
    if (available < price) return { kind: 'no', refusal: { code: 'INSUFFICIENT_BALANCE' } };
    const operatorId = verdict.operator.id;
    const net = netOf(deps, verdict.operator, fields);
    return { kind: 'yes', operatorId, price, net, vat: price - net, available };
  };
