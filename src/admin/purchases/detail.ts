/** Owns one purchase with all that is known of it, as the back office shows it. */
import type { Static } from 'typebox';
import type { Db } from '../../lib/db.ts';
import { formatTime } from '../../lib/time.ts';
import { decisionsOf, historyOf } from '../../purchases/inquiry/history.ts';
import { findPurchase, readNotes, readPostings } from '../../purchases/inquiry/store.ts';
import { isOpen, type Purchase } from '../../purchases/purchase.ts';
import { readDecisions } from '../../purchases/review/store.ts';
import { isUndecided } from '../../purchases/review/weigh.ts';
import { endpointUrlFor } from '../clients/hooks.ts';
import { AdminError } from '../errors.ts';
import { mayDo, type Role } from '../roles.ts';
import type { Hide } from './hide.ts';
import { readClientName, type ToldRow } from './store.ts';
import { messagesAbout } from './told.ts';
import { type DetailSchema, hidingIn, type Names, rowToWire } from './wire.ts';

type Detail = Static<typeof DetailSchema>;

export const findOne = async (db: Db, id: string): Promise<Purchase> => {
  const purchase = await findPurchase(db, id, null);
  if (purchase === undefined) throw new AdminError('PURCHASE_NOT_FOUND');
  return purchase;
};

const postingsOf = (rows: Awaited<ReturnType<typeof readPostings>>): Detail['postings'] =>
  rows.map(({ seq, at, kind, from_account, to_account, amount, available_after, held_after }) => ({
    seq,
    at: formatTime(at),
    kind,
    from: from_account,
    to: to_account,
    amount,
    available_after,
    held_after,
  }));

const messagesOf = (rows: readonly ToldRow[], role: Role): Detail['messages'] =>
  rows.map((row) => ({
    id: row.id,
    type: row.type,
    endpoint_id: row.endpoint_id,
    endpoint_url: endpointUrlFor(role, row.url),
    state: row.state,
    attempts: row.attempts,
    created_at: formatTime(row.created_at),
    ended_at: row.ended_at === null ? null : formatTime(row.ended_at),
  }));

const answerOf = ({ answer }: Purchase, hide: Hide): Detail['answer'] =>
  answer === null ? null : { status: answer.status, body: hide(answer.body) };

const rowOf = (purchase: Purchase, clientName: string | undefined, names: Names) =>
  rowToWire(
    {
      client_id: purchase.clientId,
      id: purchase.id,
      idempotency_key: purchase.key,
      state: purchase.state,
      product_id: purchase.productId,
      operator_id: purchase.operatorId,
      mobile: purchase.mobile,
      amount: purchase.amount,
      webservice_code: purchase.webserviceCode,
      began_at: purchase.beganAt,
      settled_at: purchase.settledAt,
      answer_status: purchase.answer?.status ?? null,
      reason: purchase.reason,
      disputed: purchase.disputed,
      client_name: clientName ?? null,
    },
    names,
  );

/** What a decision found or left, which may be in the operator's words. */
const hidden = (record: Readonly<Record<string, unknown>>, hide: Hide): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      typeof value === 'string' ? hide(value) : value,
    ]),
  );

/** A purchase as somebody of that role sees it. */
export const detailOf = async (
  db: Db,
  purchase: Purchase,
  { role, names }: { readonly role: Role; readonly names: Names },
): Promise<Detail> => {
  const hide = hidingIn(purchase, names);
  const hideOrNull = (text: string | null): string | null => (text === null ? null : hide(text));
  const notes = await readNotes(db, purchase);
  const decisions = decisionsOf(await readDecisions(db, purchase.id));
  const told = await messagesAbout(
    db,
    purchase,
    notes.map(({ at }) => at),
  );
  const resolves = mayDo(role, 'resolve');
  return {
    ...rowOf(purchase, await readClientName(db, purchase.clientId), names),
    offer_code: hideOrNull(purchase.offer?.code ?? null),
    offer_type: hideOrNull(purchase.offer?.type ?? null),
    profile_id: hideOrNull(purchase.profileId),
    request_id: purchase.requestId,
    attempts: purchase.attempts,
    inquiries: purchase.inquiries,
    due_at: purchase.dueAt === null ? null : formatTime(purchase.dueAt),
    operator_ref: hideOrNull(purchase.operatorRef),
    answer: answerOf(purchase, hide),
    timeline: historyOf(purchase, notes).map(({ at, kind, detail }) => ({
      at: formatTime(at),
      kind,
      detail: hide(detail),
    })),
    postings: postingsOf(await readPostings(db, purchase)),
    messages: messagesOf(told, role),
    decisions: decisions.map((one) => ({
      ...one,
      at: formatTime(one.at),
      reason: hide(one.reason),
      evidence: hide(one.evidence),
      before: hidden(one.before, hide),
      after: hidden(one.after, hide),
    })),
    may: {
      inquire: resolves && isOpen(purchase),
      resolve: resolves && isUndecided(purchase),
    },
  };
};
