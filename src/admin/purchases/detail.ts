/** Builds the detail view of one purchase for the back office. */
import type { Static } from 'typebox';
import type { Db } from '../../db/types.ts';
import { formatTime } from '../../lib/time.ts';
import { readCallbacks } from '../../purchases/callbacks/store.ts';
import { readLearntCosts } from '../../purchases/cost-store.ts';
import { readFact } from '../../purchases/facts/facts.ts';
import { costOfPurchase } from '../../purchases/inquiry/costs.ts';
import { decisionsOf, historyOf } from '../../purchases/inquiry/history.ts';
import { findPurchase, readNotes, readPostings } from '../../purchases/inquiry/store.ts';
import { readAttempts } from '../../purchases/left/store.ts';
import { isOpen, type Purchase } from '../../purchases/purchase.ts';
import { readDecisions } from '../../purchases/review/store.ts';
import { isUndecided } from '../../purchases/review/undecided.ts';
import { toPurchase } from '../../purchases/rows.ts';
import { mayDo, type Role } from '../access/roles.ts';
import { endpointUrlFor } from '../clients/webhooks.ts';
import { AdminError } from '../errors.ts';
import { type Mask, maskOrNull, maskRecord } from '../mask.ts';
import { timeOrNull } from '../wire.ts';
import { costToWire } from './cost-wire.ts';
import { readOne, type SentMessageRow } from './detail-store.ts';
import { messagesAbout } from './messages.ts';
import {
  callbackToWire,
  type DetailSchema,
  factToWire,
  historyToWire,
  maskOf,
  type Names,
  rowToWire,
} from './wire.ts';

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

const messagesOf = (rows: readonly SentMessageRow[], role: Role): Detail['messages'] =>
  rows.map((row) => ({
    id: row.id,
    type: row.type,
    endpoint_id: row.endpoint_id,
    endpoint_url: endpointUrlFor(role, row.url),
    state: row.state,
    attempts: row.attempts,
    created_at: formatTime(row.created_at),
    ended_at: timeOrNull(row.ended_at),
  }));

// More than a person reads.
const mostCallbacks = 20;

const callbacksOf = async (
  db: Db,
  { supplierId, left, id }: Purchase,
  mask: Mask,
): Promise<Detail['callbacks']> => {
  const suppliers = supplierId === null ? left : [supplierId, ...left];
  if (suppliers.length === 0) return [];
  const rows = await readCallbacks(db, { suppliers, ref: id }, mostCallbacks);
  return rows.map((row) => callbackToWire(row, mask));
};

/** The suppliers that were left, and why. */
const leftOf = async (db: Db, purchase: Purchase, mask: Mask): Promise<Detail['left']> => {
  if (purchase.left.length === 0) return [];
  return (await readAttempts(db, purchase)).map((row) => ({
    supplier_id: row.supplier_id,
    left_at: formatTime(row.left_at),
    fact: factToWire(readFact(row.code, row.fact_values), mask),
  }));
};

const costsOf = async (
  db: Db,
  purchase: Purchase,
  postings: Awaited<ReturnType<typeof readPostings>>,
): Promise<Detail['cost']> => {
  const learnt = await readLearntCosts(db, purchase);
  return costToWire(costOfPurchase(purchase, postings, learnt), learnt);
};

/** A purchase as a role sees it. */
export const readDetail = async (
  db: Db,
  id: string,
  { role, names }: { readonly role: Role; readonly names: Names },
): Promise<Detail> => {
  const row = await readOne(db, id);
  if (row === undefined) throw new AdminError('PURCHASE_NOT_FOUND');
  const purchase = toPurchase(row);
  const mask = maskOf(row, names);
  const notes = await readNotes(db, purchase);
  const decisions = decisionsOf(await readDecisions(db, id));
  const sentMessages = await messagesAbout(
    db,
    purchase,
    notes.map(({ at }) => at),
  );
  const resolves = mayDo(role, 'resolve');
  const postings = await readPostings(db, purchase);
  const { answer } = purchase;
  return {
    ...rowToWire(row, names),
    offer_code: maskOrNull(purchase.offer?.code ?? null, mask),
    offer_type: maskOrNull(purchase.offer?.type ?? null, mask),
    profile_id: maskOrNull(row.profile_id, mask),
    request_id: row.request_id,
    attempts: row.attempts,
    supplier_id: purchase.supplierId,
    cost: mayDo(role, 'cost') ? await costsOf(db, purchase, postings) : null,
    left: await leftOf(db, purchase, mask),
    inquiries: row.inquiries,
    due_at: timeOrNull(row.due_at),
    operator_ref: maskOrNull(row.operator_ref, mask),
    answer: answer === null ? null : { status: answer.status, body: mask(answer.body) },
    timeline: historyOf(purchase, notes).map((one) => historyToWire(one, mask)),
    callbacks: await callbacksOf(db, purchase, mask),
    postings: postingsOf(postings),
    messages: messagesOf(sentMessages, role),
    decisions: decisions.map((one) => ({
      ...one,
      at: formatTime(one.at),
      reason: mask(one.reason),
      evidence: one.evidence.map((fact) => factToWire(fact, mask)),
      before: maskRecord(one.before, mask),
      after: maskRecord(one.after, mask),
    })),
    may: {
      inquire: resolves && isOpen(purchase),
      resolve: resolves && isUndecided(purchase),
    },
  };
};
