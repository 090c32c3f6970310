/** Validates a purchase without buying: returns what buying would answer, and holds and orders nothing. */
import type { ClientRules } from '../../clients/rules/rules.ts';
import { readSpendable } from '../../ledger/store.ts';
import { utcDays } from '../../lib/business-day.ts';
import { GatewayError } from '../../lib/errors.ts';
import type { Origin } from '../../lib/http/trace.ts';
import { readDecimal, roundToUnit } from '../../lib/money.ts';
import type { Operator } from '../../operators/registry.ts';
import { type Fields, pathOf, type Refusal } from '../decide.ts';
import type { PurchaseDeps } from '../deps.ts';
import { guardOf, openGuard, rejectionError } from '../guard/guard.ts';
import { type Decision, judgeCheck } from '../judge.ts';
import { wholePrice } from '../pricing.ts';
import { enterFirst } from '../suppliers.ts';

export type CheckRequest = {
  readonly clientId: string;
  /** Whether a test client sent it. */
  readonly test: boolean;
  readonly origin?: Origin;
  readonly fields: Fields;
  readonly rules?: ClientRules | undefined;
};

export type Checked =
  | {
      readonly kind: 'yes';
      readonly operatorId: number;
      readonly price: number;
      /** What the purchase would charge: the price less the commission. */
      readonly charged: number;
      /** Parts of the price, which add up to it. */
      readonly net: number;
      readonly vat: number;
      readonly available: number;
    }
  /** The refusal that buying would record, or the reason it would not begin. */
  | { readonly kind: 'no'; readonly error: GatewayError };

export type Check = (request: CheckRequest) => Promise<Checked>;

/** The operator's share of a price: an offer's own amount; for other products all of it. */
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

/** The product's own path: here it cannot be the wrong one. */
const onItsPath = (deps: PurchaseDeps, fields: Fields): Fields => {
  const product = deps.catalogue().product(fields.productId);
  return product === undefined ? fields : { ...fields, path: pathOf(product) };
};

const judgeInTurn = async (
  deps: PurchaseDeps,
  { clientId, test, fields, rules, origin }: CheckRequest,
): Promise<Decision> => {
  deps.gate?.pass();
  const product = deps.catalogue().product(fields.productId);
  const wanted = { clientId, test, price: fields.price, purchaseId: deps.newId() };
  const { leave, chosen } = enterFirst(deps, product, wanted);
  try {
    return await judgeCheck(deps, { fields, rules, origin, chosen });
  } finally {
    leave();
  }
};

const no = ({ code, ...details }: Refusal): Checked => ({
  kind: 'no',
  error: new GatewayError(code, details),
});

/** The answer of the client's guard. */
const objectionTo = async (
  deps: PurchaseDeps,
  { clientId, fields, rules }: CheckRequest,
  { charged, now }: { readonly charged: number; readonly now: number },
): Promise<Checked | undefined> => {
  const guard = guardOf(rules, fields);
  if (guard === undefined) return undefined;
  const { productId, mobile, price, offer } = fields;
  // No key is empty, so every similar purchase has another key.
  const requested = { clientId, key: '', productId, mobile, price, offer };
  const { limitDayAt = utcDays } = deps;
  const guarding = await openGuard(deps.db, [{ requested, guard }], { now, day: limitDayAt(now) });
  const objection = guarding.objection({ requested, guard }, charged);
  if (objection?.kind === 'refuse') return no(objection.refusal);
  return objection === undefined
    ? undefined
    : { kind: 'no', error: rejectionError(objection.away) };
};

export const createCheck =
  (deps: PurchaseDeps): Check =>
  async (request) => {
    const fields = onItsPath(deps, request.fields);
    const decision = await judgeInTurn(deps, { ...request, fields });
    if (decision.kind === 'refuse') return no(decision.refusal);
    const { product, chosen } = decision;
    const { clientId } = request;
    const { price } = fields;
    const now = await deps.databaseTime(deps.db);
    const quote = deps.pricing?.quote({ product, clientId, price, cost: chosen.cost });
    const { charged } = quote?.at(now) ?? wholePrice({ price });
    const objection = await objectionTo(deps, request, { charged, now });
    if (objection !== undefined) return objection;
    const available = await readSpendable(deps.db, clientId);
    if (available < charged) return no({ code: 'INSUFFICIENT_BALANCE' });
    const net = netOf(deps, chosen.supplier, fields);
    const { operator_id: operatorId } = product;
    return { kind: 'yes', operatorId, price, charged, net, vat: price - net, available };
  };
