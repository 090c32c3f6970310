/** Defines the wire format of accounts and entries. */
import { type Static, Type } from 'typebox';
import type { StatementEntry } from '../../ledger/entries.ts';
import { type Account, type Balance, creditUsed, spendable } from '../../ledger/posting.ts';
import { pagingSchemas } from '../../lib/openapi/page.ts';
import { pageEnvelope } from '../../lib/page.ts';
import { formatTime } from '../../lib/time.ts';

const held = Type.Integer({ description: 'What is held for purchases in progress.' });
const balance = Type.Integer({ description: '`available` plus `held`.' });

/** Money as postings move it: without credit. */
export const BalanceSchema = Type.Object({
  available: Type.Integer({
    description: 'Your own money that is not held. Below zero: what you use of your credit.',
  }),
  held,
  balance,
});

export const balanceToWire = ({ available, held }: Balance): Static<typeof BalanceSchema> => ({
  available,
  held,
  balance: available + held,
});

/** What a client has now, with its credit. */
export const FundsSchema = Type.Object({
  available: Type.Integer({
    description: 'What you can spend, with your credit. It is never below zero.',
  }),
  held,
  balance,
  credit_limit: Type.Integer({
    description: 'How much you can spend beyond your own money; 0 without credit.',
  }),
  credit_used: Type.Integer({
    description: 'How much of your credit is used: above `credit_limit` if that was lowered since.',
  }),
});

export const fundsToWire = (account: Account): Static<typeof FundsSchema> => {
  const available = spendable(account);
  return {
    available,
    held: account.held,
    balance: available + account.held,
    credit_limit: account.credit,
    credit_used: creditUsed(account),
  };
};

const kinds = ['deposit', 'hold', 'capture', 'release', 'reverse', 'correction'] as const;

const amountOrNull = (description: string) =>
  Type.Union([Type.Integer(), Type.Null()], { description });

export const EntrySchema = Type.Object(
  {
    number: Type.Integer({
      description: 'The number of the entry. Your entries are numbered from 1 without gaps.',
    }),
    at: Type.String({ description: 'When the entry was posted.' }),
    kind: Type.Enum([...kinds], {
      description:
        '`deposit`: funds were added. `hold`: a purchase began. `capture`: it succeeded. `release`: it failed, and the hold was released. `reverse`: the operator reversed it. `correction`: a manual correction, with a note.',
    }),
    amount: Type.Integer({ description: 'The amount moved.' }),
    from: Type.String({ description: 'The account it was moved from.' }),
    to: Type.String({ description: 'The account it was moved to.' }),
    ...BalanceSchema.properties,
    purchase_id: Type.Union([Type.String(), Type.Null()], {
      description: 'The ID of the purchase; null if there is none.',
    }),
    note: Type.Union([Type.String(), Type.Null()], {
      description: 'The reason of a correction; otherwise null.',
    }),
    price: amountOrNull('The price of the purchase; null if there is none.'),
    commission: amountOrNull('Your commission on it; null if there is none.'),
    charged_amount: amountOrNull('The price less the commission; null if there is none.'),
  },
  { title: 'StatementEntry', description: 'A movement of money, with the balance after it.' },
);

const kindOf = (text: string): (typeof kinds)[number] => {
  const kind = kinds.find((one) => one === text);
  if (kind === undefined) throw new Error(`There is no kind of entry ${text}.`);
  return kind;
};

export const entryToWire = (entry: StatementEntry): Static<typeof EntrySchema> => ({
  number: entry.seq,
  at: formatTime(entry.at),
  kind: kindOf(entry.kind),
  amount: entry.amount,
  from: entry.from_account,
  to: entry.to_account,
  available: entry.available_after,
  held: entry.held_after,
  balance: entry.available_after + entry.held_after,
  purchase_id: entry.purchase_id,
  note: entry.note,
  price: entry.price,
  commission: entry.price === null || entry.charged === null ? null : entry.price - entry.charged,
  charged_amount: entry.charged,
});

export const StatementSchema = Type.Object(
  {
    opening: Type.Object(BalanceSchema.properties, {
      title: 'Balance',
      description: 'The balance before the first entry.',
    }),
    data: Type.Array(EntrySchema, { description: 'The entries of the page, oldest first.' }),
    closing: Type.Object(BalanceSchema.properties, {
      title: 'Balance',
      description: 'The balance after the last entry of all pages.',
    }),
    ...pagingSchemas,
  },
  { title: 'Statement', description: 'A page of your statement.' },
);

const address = { path: 'https://gateway.example/api/statement', query: 'from=2026-01-01' };
const paging = { total: 2, page: 1, perPage: 100 };
const purchase = '019a8f3e-6c1d-7b52-9a41-3f0c5d2e7b18';

export const exampleStatement: Static<typeof StatementSchema> = {
  opening: { available: 5_000_000, held: 0, balance: 5_000_000 },
  data: [
    {
      number: 2,
      at: '2026-01-31T09:30:00.000000Z',
      kind: 'hold',
      amount: 418_000,
      from: 'available',
      to: 'held',
      available: 4_582_000,
      held: 418_000,
      balance: 5_000_000,
      purchase_id: purchase,
      note: null,
      price: 435_000,
      commission: 17_000,
      charged_amount: 418_000,
    },
    {
      number: 3,
      at: '2026-01-31T09:30:01.000000Z',
      kind: 'capture',
      amount: 418_000,
      from: 'held',
      to: 'sales',
      available: 4_582_000,
      held: 0,
      balance: 4_582_000,
      purchase_id: purchase,
      note: null,
      price: 435_000,
      commission: 17_000,
      charged_amount: 418_000,
    },
  ],
  closing: { available: 4_582_000, held: 0, balance: 4_582_000 },
  ...pageEnvelope(paging, address),
};
