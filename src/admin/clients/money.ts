/** Records deposits, corrections and credit limits by people, with an audit entry and webhook events. */

import * as money from '../../clients/money.ts';
import { creditUsed, spendable } from '../../ledger/posting.ts';
import type { Posted } from '../../ledger/store.ts';
import { persianDigits } from '../../lib/text.ts';
import { formatTime } from '../../lib/time.ts';
import { notifyLowBalance } from '../../webhooks/announce.ts';
import { auditChange, type Person } from '../audit/audit.ts';
import { AdminError } from '../errors.ts';
import {
  type ActDeps,
  type ActionContext,
  actOnce,
  type ClientsDeps,
  fieldFault,
  runAction,
} from './act.ts';
import { type Credit, type Money, MoneySchema } from './money-wire.ts';

const moneyOf = ({ available, held }: Posted['after']) => ({ available, held });

/** Notifies the client if it can spend less than before; returns the endpoints to notify. */
const notifyFall = (
  { db, newId }: ActionContext,
  clientId: string,
  { before, after, at }: Posted,
): Promise<readonly string[]> =>
  notifyLowBalance(db, { clientId, before: spendable(before), after: spendable(after), at }, newId);

const toWire = (kind: Money['posting']['kind'], amount: number, { after, at }: Posted): Money => ({
  posting: {
    seq: after.seq,
    kind,
    amount,
    at: formatTime(at),
    available_after: after.available,
  },
  available: spendable(after),
  held: after.held,
});

/** Corrects a balance, and notifies the client if it fell; returns the endpoints to notify. */
export const correct = async (
  acting: ActionContext,
  { clientId, amount, ...wanted }: money.Correction,
): Promise<Posted & { readonly endpoints: readonly string[] }> => {
  const reason = wanted.reason.trim();
  const posted = await money.correct(acting, { clientId, amount, reason });
  const { before, after } = posted;
  const endpoints = await notifyFall(acting, clientId, posted);
  await auditChange(acting, {
    action: 'client correct',
    subject: clientId,
    before: moneyOf(before),
    after: { ...moneyOf(after), amount, reason, seq: after.seq },
  });
  return { ...posted, endpoints };
};

export const deposit = async (
  acting: ActionContext,
  { clientId, amount, note }: money.Deposit,
): Promise<Posted> => {
  const noted = note === undefined || note === '' ? {} : { note };
  const posted = await money.deposit(acting, { clientId, amount, ...noted });
  await auditChange(acting, {
    action: 'client deposit',
    subject: clientId,
    before: moneyOf(posted.before),
    after: { ...moneyOf(posted.after), amount, ...noted, seq: posted.after.seq },
  });
  return posted;
};

type Keyed = { readonly key: string };

export const depositOnce = async (
  deps: ActDeps,
  actor: Person,
  { key, clientId, amount, ...wanted }: money.Deposit & Keyed,
): Promise<Money> => {
  const note = wanted.note?.trim() ?? '';
  if (note.length > money.longestReason) {
    throw fieldFault('note', {
      en: `The note must have at most ${money.longestReason} characters.`,
      fa: `یادداشت باید حداکثر ${persianDigits(money.longestReason)} نویسه داشته باشد.`,
    });
  }
  const input = { clientId, amount, note };
  const { answer } = await actOnce(
    deps,
    actor,
    { key, action: 'client deposit', input },
    {
      answers: MoneySchema,
      work: (acting) => deposit(acting, input),
      answerOf: (posted) => toWire('deposit', amount, posted),
    },
  );
  return answer;
};

export const correctOnce = async (
  deps: ActDeps & { readonly clients: Pick<ClientsDeps['clients'], 'wake'> },
  actor: Person,
  { key, clientId, amount, ...wanted }: money.Correction & Keyed,
): Promise<Money> => {
  const input = { clientId, amount, reason: wanted.reason.trim() };
  const { answer, made } = await actOnce(
    deps,
    actor,
    { key, action: 'client correct', input },
    {
      answers: MoneySchema,
      work: (acting) => correct(acting, input),
      answerOf: (posted) => toWire('correction', amount, posted),
    },
  );
  if (made !== undefined && made.endpoints.length > 0) deps.clients.wake(made.endpoints);
  return answer;
};

/** Sets a credit limit; `seen` fails if another one is in force. Returns the endpoints to notify. */
export const setCreditLimit = async (
  acting: ActionContext,
  { clientId, ...wanted }: money.CreditLimit,
  seen?: number,
): Promise<Posted & { readonly endpoints: readonly string[] }> => {
  const { reason, ...changed } = await money.setCreditLimit(acting, { clientId, ...wanted });
  const { before, after } = changed;
  if (before.credit === after.credit) return { ...changed, endpoints: [] };
  // An error rolls back the change.
  if (seen !== undefined && seen !== before.credit) throw new AdminError('SETTINGS_CHANGED');
  const endpoints = await notifyFall(acting, clientId, changed);
  await auditChange(acting, {
    action: 'client credit',
    subject: clientId,
    before: { credit_limit: before.credit },
    after: { credit_limit: after.credit, reason },
  });
  return { ...changed, endpoints };
};

export const setCredit = async (
  deps: ActDeps & { readonly clients: Pick<ClientsDeps['clients'], 'wake'> },
  actor: Person,
  { seen, ...wanted }: money.CreditLimit & { readonly seen: number },
): Promise<Credit> => {
  const { after, endpoints } = await runAction(deps, actor, (acting) =>
    setCreditLimit(acting, wanted, seen),
  );
  if (endpoints.length > 0) deps.clients.wake(endpoints);
  return {
    available: spendable(after),
    credit_limit: after.credit,
    credit_used: creditUsed(after),
  };
};
