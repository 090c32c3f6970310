/** Fetches personal offers from operators, and caches them so that what was shown can be sold. */
import type { Call } from '../connector/call.ts';
import type { Offer, OffersOutcome } from '../connector/connector.ts';
import { boundedCache } from '../lib/bounded-cache.ts';
import type { Clock } from '../lib/clock.ts';
import { GatewayError } from '../lib/errors.ts';
import type { Origin } from '../lib/http/trace.ts';
import type { Admission } from '../operators/admission.ts';
import type { Operator } from '../operators/registry.ts';

export type OffersDeps = {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly call: Call;
  readonly admission: Pick<Admission, 'enter' | 'recordOutcome'>;
  readonly settings: {
    readonly deadlineMs: number;
    readonly rememberMs: number;
    readonly rememberAtMost: number;
  };
};

/** An operator's answer: offers, or a refusal. */
export type OffersAnswer = Exclude<OffersOutcome, { kind: 'unknown' }>;
export type ListedOffers = Extract<OffersOutcome, { kind: 'offers' }>;

/** Asks for the offers of a subscriber, on behalf of a request. */
type AskOffers = (operator: Operator, mobile: string, origin?: Origin) => Promise<OffersAnswer>;

export type Offers = {
  /** The subscriber's offers, from the cache or else from the operator. */
  readonly list: AskOffers;
  /** The valid offers: those shown recently. */
  readonly remembered: (operator: Operator, mobile: string) => ListedOffers | undefined;
  /** Asks the operator again, and caches the result; for admitted work. */
  readonly refresh: AskOffers;
};

/** The reason goes to the log, not to the client. */
export const unavailable = (detail: string): GatewayError =>
  new GatewayError('OPERATOR_UNAVAILABLE', {}, { cause: new Error(detail) });

// Far more than an operator has on offer at a time, some megabytes.
const offersShared = 5000;

/** Returns the first equal offer: subscribers are many, and distinct offers are few. */
const createShared = (): ((offer: Offer) => Offer) => {
  const known = new Map<string, Offer>();
  return (offer) => {
    const { code, type, amount, name, description, descriptionLocal, validityDays } = offer;
    const key = [code, type, amount, name, description, descriptionLocal, validityDays].join('\0');
    const found = known.get(key);
    if (found !== undefined) return found;
    if (known.size >= offersShared) known.clear();
    known.set(key, offer);
    return offer;
  };
};

const keyOf = ({ id }: Operator, mobile: string): string => `${id} ${mobile}`;

export const createOffers = (deps: OffersDeps): Offers => {
  const { deadlineMs, rememberMs, rememberAtMost } = deps.settings;
  const remembered = boundedCache<{ answer: ListedOffers; until: number }>(rememberAtMost);
  const shared = createShared();
  const inFlight = new Map<string, Promise<OffersAnswer>>();

  const ask: AskOffers = async (operator, mobile, origin) => {
    const { offers } = operator.connection;
    if (offers === undefined) throw new GatewayError('NOT_FOUND');
    const about = { operatorId: operator.id, kind: 'offers', origin } as const;
    const result = await deps.call(deadlineMs, (context) => offers(mobile, context), about);
    const answer = result.kind === 'answer' ? result.value : result;
    deps.admission.recordOutcome(operator.id, 'question', answer);
    if (answer.kind === 'unknown') throw unavailable(answer.detail);
    if (answer.kind === 'offers') {
      const kept = { ...answer, offers: answer.offers.map(shared) };
      const until = deps.clock.monotonic() + rememberMs;
      remembered.set(keyOf(operator, mobile), { answer: kept, until }, 1);
    }
    return answer;
  };

  const recall = (operator: Operator, mobile: string): ListedOffers | undefined => {
    const known = remembered.get(keyOf(operator, mobile));
    return known !== undefined && known.until > deps.clock.monotonic() ? known.answer : undefined;
  };

  /** Simultaneous requests for one subscriber share one call. */
  const refresh: AskOffers = (operator, mobile, origin) => {
    const key = keyOf(operator, mobile);
    const asked =
      inFlight.get(key) ?? ask(operator, mobile, origin).finally(() => inFlight.delete(key));
    inFlight.set(key, asked);
    return asked;
  };

  /** Asks, unless others do so already, under a place of its own. */
  const admitted: AskOffers = async (operator, mobile, origin) => {
    const joined = inFlight.get(keyOf(operator, mobile));
    if (joined !== undefined) return joined;
    const leave = deps.admission.enter(operator.id);
    return refresh(operator, mobile, origin).finally(leave);
  };

  return {
    list: async (operator, mobile, origin) =>
      recall(operator, mobile) ?? admitted(operator, mobile, origin),
    remembered: recall,
    refresh,
  };
};
