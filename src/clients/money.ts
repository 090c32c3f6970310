/** Deposits to and corrects a client's account, and sets its credit limit, inside the caller's transaction. */

import * as credit from '../ledger/credit.ts';
import { LedgerError, type Posting } from '../ledger/posting.ts';
import { type Posted, writePosting } from '../ledger/store.ts';
import { persianDigits } from '../lib/text.ts';
import { type ClientDeps, ClientError, clientNotFound, invalidField } from './errors.ts';
import { findClient } from './store.ts';

export type Deposit = {
  readonly clientId: string;
  readonly amount: number;
  readonly note?: string;
};

export type Correction = {
  readonly clientId: string;
  /** Negative to deduct. */
  readonly amount: number;
  /** The reason; its client reads it in the statement. */
  readonly reason: string;
};

type MoneyDeps = Pick<ClientDeps, 'db' | 'clock'>;

const postTo = async (
  { db, clock }: MoneyDeps,
  clientId: string,
  posting: Posting,
): Promise<Posted> => {
  if ((await findClient(db, clientId)) === undefined) throw clientNotFound(clientId);
  return writePosting(db, clientId, posting, clock.now());
};

const tooMuch = (cause: LedgerError, done: string): ClientError =>
  invalidField('amount', {
    en: `${cause.message} Nothing was ${done}.`,
    fa: 'موجودی از سقف مجاز بیشتر می‌شود. چیزی ثبت نشد.',
  });

export const deposit = async (
  deps: MoneyDeps,
  { clientId, amount, note }: Deposit,
): Promise<Posted> => {
  const posting = { kind: 'deposit', amount, ...(note === undefined ? {} : { note }) } as const;
  try {
    return await postTo(deps, clientId, posting);
  } catch (cause) {
    if (cause instanceof LedgerError) throw tooMuch(cause, 'deposited');
    throw cause;
  }
};

export const shortestReason = 3;
export const longestReason = 500;

const readReason = (reason: string): string => {
  const read = reason.trim();
  if (read.length >= shortestReason && read.length <= longestReason) return read;
  throw invalidField('reason', {
    en: `The reason must have ${shortestReason} to ${longestReason} characters.`,
    fa: `دلیل باید ${persianDigits(shortestReason)} تا ${persianDigits(longestReason)} نویسه داشته باشد.`,
  });
};

/** Corrects a client's account. It never takes more than the client's own money: credit is for purchases. */
export const correct = async (
  deps: MoneyDeps,
  { clientId, amount, reason }: Correction,
): Promise<Posted> => {
  if (amount === 0)
    throw invalidField('amount', {
      en: 'The amount must not be zero.',
      fa: 'مبلغ نباید صفر باشد.',
    });
  const note = readReason(reason);
  try {
    return await postTo(deps, clientId, { kind: 'correction', amount, note });
  } catch (cause) {
    if (!(cause instanceof LedgerError)) throw cause;
    if (amount > 0) throw tooMuch(cause, 'corrected');
    throw new ClientError(
      'BALANCE_TOO_SMALL',
      'The client’s own money is less than this amount. Nothing was corrected.',
    );
  }
};

export type CreditLimit = {
  readonly clientId: string;
  readonly limit: number;
  /** The reason, for the audit log. */
  readonly reason: string;
};

/** Sets how far purchases may go beyond a client's own money. The limit may be less than what is used. */
export const setCreditLimit = async (
  { db, clock }: MoneyDeps,
  { clientId, limit, reason }: CreditLimit,
): Promise<Posted & { readonly reason: string }> => {
  const read = readReason(reason);
  if ((await findClient(db, clientId)) === undefined) throw clientNotFound(clientId);
  try {
    return { ...(await credit.setCreditLimit(db, clientId, limit, clock.now())), reason: read };
  } catch (cause) {
    if (!(cause instanceof LedgerError)) throw cause;
    throw invalidField('credit_limit', {
      en: 'The credit limit is too large. Nothing was changed.',
      fa: 'سقف اعتبار بیش از حد بزرگ است. چیزی تغییر نکرد.',
    });
  }
};
