/** Describes deposits, corrections and statements as the back office's API shows them. */
import { type Static, Type } from 'typebox';
import { longestReason, shortestReason } from '../../clients/money.ts';
import type { RecentEntry } from '../../ledger/entries.ts';
import { maskMobile } from '../../lib/mobile.ts';
import { formatTime } from '../../lib/time.ts';
import { KeySchema } from '../audit/idempotency.ts';
import { maskOrNull } from '../mask.ts';
import { type Names, ProductNameSchema, productNames } from '../purchases/wire.ts';
import { bodyOf, exampleTime, orNull, textOrNull } from '../wire.ts';
import { credit } from './wire.ts';

const most = Number.MAX_SAFE_INTEGER;
const exampleKey = '0b9d3c1e-6a52-4f8e-9c37-2d41f5a6b7c8';

export const DepositBody = bodyOf(
  {
    amount: Type.Integer({ minimum: 1, maximum: most, description: 'The amount to add.' }),
    note: Type.Optional(
      Type.String({
        maxLength: longestReason,
        description: 'The reason. The client sees it in its statement.',
      }),
    ),
    key: KeySchema,
  },
  { amount: 5_000_000, note: 'transfer 4711', key: exampleKey },
);

export const CorrectionBody = bodyOf(
  {
    amount: Type.Integer({
      minimum: -most,
      maximum: most,
      description: 'The amount to add, or to subtract if negative.',
    }),
    reason: Type.String({
      minLength: shortestReason,
      maxLength: longestReason,
      description: 'The reason. The client sees it in its statement.',
    }),
    key: KeySchema,
  },
  { amount: -10_000, reason: 'deposited twice', key: exampleKey },
);

export const CreditBody = bodyOf(
  {
    credit_limit: Type.Integer({
      minimum: 0,
      maximum: most,
      description: 'The new limit. A client that uses more cannot buy until it has paid.',
    }),
    seen: Type.Integer({ minimum: 0, maximum: most, description: 'The limit that you loaded.' }),
    reason: Type.String({
      minLength: shortestReason,
      maxLength: longestReason,
      description: 'The reason, for the audit log.',
    }),
  },
  { credit_limit: 2_000_000, seen: 0, reason: 'contract of 1 March' },
);

const held = Type.Integer({ description: 'What is held for purchases in progress.' });

const spendable = Type.Integer({
  description: 'What the client can spend, with its credit.',
});

export const CreditSchema = Type.Object(
  { available: spendable, ...credit },
  { title: 'Credit', description: 'The credit of a client.' },
);

export type Credit = Static<typeof CreditSchema>;

export const exampleCredit: Credit = {
  available: 6_582_000,
  credit_limit: 2_000_000,
  credit_used: 0,
};

const availableAfter = Type.Integer({
  description: 'Its own money after it; below zero on credit.',
});

export const MoneySchema = Type.Object(
  {
    posting: Type.Object(
      {
        seq: Type.Integer({ description: 'The number of the entry.' }),
        kind: Type.Enum(['deposit', 'correction'], { description: 'The kind of entry.' }),
        amount: Type.Integer({ description: 'The amount.' }),
        at: Type.String({ description: 'When it was posted.' }),
        available_after: availableAfter,
      },
      { description: 'The entry.' },
    ),
    available: spendable,
    held,
  },
  { title: 'BalanceChange', description: 'An entry and the balance after it.' },
);

export type Money = Static<typeof MoneySchema>;

export const exampleMoney: Money = {
  posting: {
    seq: 12,
    kind: 'deposit',
    amount: 5_000_000,
    at: exampleTime,
    available_after: 9_582_000,
  },
  available: 9_582_000,
  held: 418_000,
};

const BalanceSchema = Type.Object(
  {
    available: Type.Integer({
      description: 'Its own money; below zero on credit.',
    }),
    held,
    balance: Type.Integer({ description: '`available` plus `held`.' }),
  },
  { title: 'Balance', description: 'A balance.' },
);

export const EntrySchema = Type.Object(
  {
    seq: Type.Integer({ description: 'The number of the entry, from 1 without gaps.' }),
    at: Type.String({ description: 'When it was posted.' }),
    kind: Type.String({
      description: '`deposit`, `hold`, `capture`, `release`, `reverse` or `correction`.',
    }),
    amount: Type.Integer({ description: 'The amount moved.' }),
    from: Type.String({ description: 'The account it was moved from.' }),
    to: Type.String({ description: 'The account it was moved to.' }),
    available_after: availableAfter,
    held_after: Type.Integer({ description: 'What was held after it.' }),
    purchase_id: textOrNull('The ID of the purchase; null if there is none.'),
    product: orNull(ProductNameSchema, 'What was bought; null if there is no purchase.'),
    mobile: textOrNull('The mobile number, masked; null if there is no purchase.'),
    price: orNull(Type.Integer(), 'The price of the purchase; null if there is none.'),
    commission: orNull(Type.Integer(), 'What the client got of it; null if there is no purchase.'),
    note: textOrNull(
      'The reason; null if there is none. Mobile numbers are masked for roles that cannot see them.',
    ),
  },
  { title: 'StatementEntry', description: 'A movement of money, with the balance after it.' },
);

export const StatementSchema = Type.Object(
  {
    data: Type.Array(EntrySchema, { description: 'The entries, newest first.' }),
    next: textOrNull('Send it as `before` for the next page; null on the last page.'),
    opening: { ...BalanceSchema, description: 'The balance at the start of the period.' },
    closing: { ...BalanceSchema, description: 'The balance at the end of the period.' },
  },
  { title: 'Statement', description: 'A page of a statement.' },
);

export const entryToWire = (entry: RecentEntry, names: Names): Static<typeof EntrySchema> => ({
  seq: entry.seq,
  at: formatTime(entry.at),
  kind: entry.kind,
  amount: entry.amount,
  from: entry.from_account,
  to: entry.to_account,
  available_after: entry.available_after,
  held_after: entry.held_after,
  purchase_id: entry.purchase_id,
  product: entry.product_id === null ? null : productNames(entry.product_id, names),
  mobile: entry.mobile === null ? null : maskMobile(entry.mobile, names.mobile),
  price: entry.price,
  commission: entry.price === null || entry.charged === null ? null : entry.price - entry.charged,
  note: maskOrNull(entry.note, names.others),
});

export const exampleStatement: Static<typeof StatementSchema> = {
  data: [
    {
      seq: 1,
      at: exampleTime,
      kind: 'deposit',
      amount: 5_000_000,
      from: 'funding',
      to: 'available',
      available_after: 5_000_000,
      held_after: 0,
      purchase_id: null,
      product: null,
      mobile: null,
      price: null,
      commission: null,
      note: 'transfer 4711',
    },
  ],
  next: null,
  opening: { available: 0, held: 0, balance: 0 },
  closing: { available: 5_000_000, held: 0, balance: 5_000_000 },
};
