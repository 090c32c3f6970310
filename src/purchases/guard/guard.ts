/** Guards clients against their own mistakes: likely repeats, and spending above the daily limit. */
import type { ClientRules } from '../../clients/rules/rules.ts';
import type { FollowingText, Write } from '../../db/statement.ts';
import type { Db } from '../../db/types.ts';
import type { BusinessDay } from '../../lib/business-day.ts';
import { type ErrorCode, type ErrorDetails, GatewayError } from '../../lib/errors.ts';
import { formatTime } from '../../lib/time.ts';
import type { Fields, Refusal } from '../decide.ts';
import type { Purchase, PurchaseRequest } from '../purchase.ts';
import { daysToWrite, findRecent, type Recent, type RecentQuery, readSpent } from './store.ts';

/** The limits on a purchase. */
export type Guard = {
  /** A similar purchase that began within this time counts as the same; null: no check. */
  readonly repeatMs: number | null;
  readonly dailyLimit: number | null;
};

/** From the client's rules and the request's own flags; undefined if there is no guard. */
export const guardOf = (
  rules: ClientRules | undefined,
  { allowRepeat = false }: Pick<Fields, 'allowRepeat'>,
): Guard | undefined => {
  if (rules === undefined) return undefined;
  const { repeatSeconds, dailyLimit } = rules;
  const repeatMs = repeatSeconds === null || allowRepeat ? null : repeatSeconds * 1000;
  return repeatMs === null && dailyLimit === null ? undefined : { repeatMs, dailyLimit };
};

/** Why a purchase does not begin, with nothing recorded. */
export type Rejection = { readonly code: ErrorCode; readonly details: ErrorDetails };

export const rejectionError = ({ code, details }: Rejection): GatewayError =>
  new GatewayError(code, details);

/** What the guard needs to know of a purchase. */
export type Guarded = {
  readonly requested: Pick<
    PurchaseRequest,
    'clientId' | 'key' | 'productId' | 'mobile' | 'price' | 'offer'
  >;
  readonly guard: Guard;
};

export type Objection =
  | { readonly kind: 'refuse'; readonly refusal: Refusal }
  | { readonly kind: 'turn away'; readonly away: Rejection };

export type Guarding = {
  /** What prevents a purchase, given those that began before it. */
  readonly objection: (guarded: Guarded, charged: number) => Objection | undefined;
  /** Counts a purchase whose money is now held. */
  readonly began: (purchase: Purchase, charged: number) => void;
  /** The updated daily counts, to be written. */
  readonly writes: (seqOf: (clientId: string) => number) => readonly Write<FollowingText>[];
};

/** The time of a check, and the business day of limits that contains it. */
export type Now = { readonly now: number; readonly day: BusinessDay };

const looksLike = ({ requested }: Guarded, before: Recent): boolean =>
  before.client_id === requested.clientId &&
  before.mobile === requested.mobile &&
  before.product_id === requested.productId &&
  before.amount === requested.price &&
  before.offer_code === (requested.offer?.code ?? null) &&
  before.offer_type === (requested.offer?.type ?? null) &&
  before.idempotency_key !== requested.key;

const likelyDuplicate = ({ id, began_at }: Recent): Objection => ({
  kind: 'refuse',
  refusal: {
    code: 'LIKELY_DUPLICATE',
    more: { purchase_id: id, began_at: formatTime(began_at) },
  },
});

const limitReached = (limit: number, spent: number, { now, day }: Now): Objection => ({
  kind: 'turn away',
  away: {
    code: 'DAILY_LIMIT_REACHED',
    details: {
      more: { daily_limit: limit, left_today: Math.max(0, limit - spent) },
      headers: { 'retry-after': String(Math.ceil((day.ends - now) / 1000)) },
    },
  },
});

/** One query for each number, as far back as any item needs. */
const looksOf = (all: readonly Guarded[], now: number): RecentQuery[] => {
  const looks = new Map<string, RecentQuery>();
  for (const { requested, guard } of all) {
    if (guard.repeatMs === null) continue;
    const { clientId, mobile } = requested;
    const name = `${clientId} ${mobile}`;
    const since = Math.min(now - guard.repeatMs, looks.get(name)?.since ?? now);
    looks.set(name, { clientId, mobile, since });
  }
  return [...looks.values()];
};

const recentOf = (purchase: Purchase): Recent => ({
  client_id: purchase.clientId,
  id: purchase.id,
  idempotency_key: purchase.key,
  product_id: purchase.productId,
  mobile: purchase.mobile,
  amount: purchase.price,
  offer_code: purchase.offer?.code ?? null,
  offer_type: purchase.offer?.type ?? null,
  began_at: purchase.beganAt,
});

/** The last purchase that this one would repeat. */
const lastLike = (guarded: Guarded, recent: readonly Recent[], since: number): Recent | undefined =>
  recent
    .filter((before) => before.began_at > since && looksLike(guarded, before))
    .toSorted((one, other) => other.began_at - one.began_at)[0];

/**
 * Reads what the guard needs. Exact within a transaction that has locked the clients' accounts; otherwise a
 * preview.
 */
export const openGuard = async (db: Db, all: readonly Guarded[], at: Now): Promise<Guarding> => {
  const { now, day } = at;
  const looks = looksOf(all, now);
  const recent = looks.length === 0 ? [] : await findRecent(db, looks);
  const limited = all.filter(({ guard }) => guard.dailyLimit !== null);
  const ids = [...new Set(limited.map(({ requested }) => requested.clientId))].sort();
  const spent = ids.length === 0 ? new Map<string, number>() : await readSpent(db, ids, day.begins);
  const spentBy = (clientId: string): number => spent.get(clientId) ?? 0;

  return {
    objection: (guarded, charged) => {
      const { requested, guard } = guarded;
      if (guard.repeatMs !== null) {
        const like = lastLike(guarded, recent, now - guard.repeatMs);
        if (like !== undefined) return likelyDuplicate(like);
      }
      if (guard.dailyLimit === null) return undefined;
      const before = spentBy(requested.clientId);
      return before + charged > guard.dailyLimit
        ? limitReached(guard.dailyLimit, before, at)
        : undefined;
    },
    began: (purchase, charged) => {
      const { clientId } = purchase;
      recent.push(recentOf(purchase));
      if (ids.includes(clientId)) spent.set(clientId, spentBy(clientId) + charged);
    },
    writes: (seqOf) => {
      const days = ids.map((id) => ({
        client_id: id,
        day: day.begins,
        spent: spentBy(id),
        seq: seqOf(id),
      }));
      return days.length === 0 ? [] : [daysToWrite(days)];
    },
  };
};

/** A client's day: its spending so far, and when the next day begins. */
export type Day = { readonly spent: number; readonly ends: number };

export const readDay = async (
  db: Db,
  clientId: string,
  { begins, ends }: BusinessDay,
): Promise<Day> => {
  const spent = await readSpent(db, [clientId], begins);
  return { spent: spent.get(clientId) ?? 0, ends };
};
