/** Records deposits and corrections by people, with an audit entry and webhook events. */

import * as money from '../../clients/money.ts';
import type { Posted } from '../../ledger/store.ts';
import { persianDigits } from '../../lib/text.ts';
import { formatTime } from '../../lib/time.ts';
import { notifyLowBalance } from '../../webhooks/announce.ts';
import { auditChange, type Person } from '../audit/audit.ts';
import { type ActDeps, type ActionContext, actOnce, type ClientsDeps, fieldFault } from './act.ts';
import { type Money, MoneySchema } from './money-wire.ts';

const moneyOf = ({ available, held }: Posted['after']) => ({ available, held });

const toWire = (kind: Money['posting']['kind'], amount: number, { after, at }: Posted): Money => ({
  posting: {
    seq: after.seq,
    kind,
    amount,
    at: formatTime(at),
    available_after: after.available,
  },
  ...moneyOf(after),
});

/** Corrects a balance, and notifies the client if it fell; returns the endpoints to notify. */
export const correct = async (
  acting: ActionContext,
  { clientId, amount, ...wanted }: money.Correction,
): Promise<Posted & { readonly endpoints: readonly string[] }> => {
  const reason = wanted.reason.trim();
  const posted = await money.correct(acting, { clientId, amount, reason });
  const { before, after, at } = posted;
  const fall = { clientId, before: before.available, after: after.available, at };
  const endpoints = await notifyLowBalance(acting.db, fall, acting.newId);
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
