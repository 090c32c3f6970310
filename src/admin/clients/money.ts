/** Owns money that people move in the back office or by a command: written down with who did it, and told. */
import {
  type Correction,
  correctIn,
  type Deposit,
  depositIn,
  longestReason,
} from '../../clients/money.ts';
import type { Posted } from '../../ledger/store.ts';
import { formatTime } from '../../lib/time.ts';
import { tellBalance } from '../../webhooks/balance.ts';
import type { Person } from '../audit.ts';
import { once } from '../once/once.ts';
import {
  type ActDeps,
  type Acting,
  act,
  type ClientsDeps,
  fieldFault,
  noteDown,
} from './acting.ts';
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

/** Corrects a balance in a transaction, with its audit, and tells the client where it fell; gives whom. */
export const correctBalance = async (
  acting: Acting,
  wanted: Correction,
): Promise<{ readonly posted: Posted; readonly endpoints: readonly string[] }> => {
  const { clientId, amount } = wanted;
  const reason = wanted.reason.trim();
  const posted = await correctIn(acting, { clientId, amount, reason });
  const { before, after, at } = posted;
  const fall = { clientId, before: before.available, after: after.available, at };
  const endpoints = await tellBalance(acting.db, fall, acting.newId);
  await noteDown(acting, {
    action: 'client correct',
    subject: clientId,
    before: moneyOf(before),
    after: { ...moneyOf(after), amount, reason, seq: after.seq },
  });
  return { posted, endpoints };
};

/** Adds to a balance in a transaction, with its audit. */
export const depositBalance = async (
  acting: Acting,
  { clientId, amount, note }: Deposit,
): Promise<Posted> => {
  const noted = note === undefined || note === '' ? {} : { note };
  const posted = await depositIn(acting, { clientId, amount, ...noted });
  await noteDown(acting, {
    action: 'client deposit',
    subject: clientId,
    before: moneyOf(posted.before),
    after: { ...moneyOf(posted.after), amount, ...noted, seq: posted.after.seq },
  });
  return posted;
};

export const depositOnce = async (
  deps: ActDeps,
  actor: Person,
  { key, ...wanted }: Deposit & { readonly key: string },
): Promise<Money> => {
  const { clientId, amount } = wanted;
  const note = wanted.note?.trim() ?? '';
  if (note.length > longestReason) {
    throw fieldFault('note', `The note must have at most ${longestReason} characters.`);
  }
  const wish = { clientId, amount, note };
  const asked = { key, accountId: actor.accountId, action: 'client deposit', wish } as const;
  const { answer } = await act(deps, actor, (acting) =>
    once(acting.db, acting.clock, asked, {
      answers: MoneySchema,
      work: async () => toWire('deposit', amount, await depositBalance(acting, wish)),
    }),
  );
  return answer;
};

export const correctOnce = async (
  deps: ActDeps & { readonly clients: Pick<ClientsDeps['clients'], 'wake'> },
  actor: Person,
  { key, ...wanted }: Correction & { readonly key: string },
): Promise<Money> => {
  const { clientId, amount } = wanted;
  const wish = { clientId, amount, reason: wanted.reason.trim() };
  const asked = { key, accountId: actor.accountId, action: 'client correct', wish } as const;
  let told: readonly string[] = [];
  const { answer } = await act(deps, actor, (acting) =>
    once(acting.db, acting.clock, asked, {
      answers: MoneySchema,
      work: async () => {
        const { posted, endpoints } = await correctBalance(acting, wish);
        told = endpoints;
        return toWire('correction', amount, posted);
      },
    }),
  );
  if (told.length > 0) deps.clients.wake(told);
  return answer;
};
