/** Describes deposits, corrections and statements as the back office's API shows them. */
import { type Static, Type } from 'typebox';
import { longestReason, shortestReason } from '../../clients/money.ts';
import type { Entry } from '../../ledger/store.ts';
import { formatTime } from '../../lib/time.ts';
import { KeySchema } from '../audit/idempotency.ts';
import { type Mask, maskOrNull } from '../mask.ts';
import { bodyOf, exampleTime, textOrNull } from '../wire.ts';

const most = Number.MAX_SAFE_INTEGER;
const exampleKey = '0b9d3c1e-6a52-4f8e-9c37-2d41f5a6b7c8';

export const DepositBody = bodyOf(
  {
    amount: Type.Integer({ minimum: 1, maximum: most, description: 'How much is added.' }),
    note: Type.Optional(
      Type.String({
        maxLength: longestReason,
        description: 'Why; the client reads it in its statement.',
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
      description: 'How much is added, or taken away where it is below zero.',
    }),
    reason: Type.String({
      minLength: shortestReason,
      maxLength: longestReason,
      description: 'Why; the client reads it in its statement.',
    }),
    key: KeySchema,
  },
  { amount: -10_000, reason: 'deposited twice', key: exampleKey },
);

const balances = {
  available: Type.Integer({ description: 'What the client may spend now.' }),
  held: Type.Integer({ description: 'What is held for purchases under way.' }),
};

export const MoneySchema = Type.Object({
  posting: Type.Object(
    {
      seq: Type.Integer({ description: 'Its number among those of the client.' }),
      kind: Type.Enum(['deposit', 'correction'], { description: 'What it is.' }),
      amount: Type.Integer({ description: 'As it was sent.' }),
      at: Type.String({ description: 'When.' }),
      available_after: Type.Integer({ description: 'What the client might spend after it.' }),
    },
    { description: 'What was written.' },
  ),
  ...balances,
});

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

const BalanceSchema = Type.Object({
  ...balances,
  balance: Type.Integer({ description: 'Both together.' }),
});

export const EntrySchema = Type.Object({
  seq: Type.Integer({ description: 'Numbered from 1, without a gap.' }),
  at: Type.String({ description: 'When it was made.' }),
  kind: Type.String({
    description: '`deposit`, `hold`, `capture`, `release`, `reverse` or `correction`.',
  }),
  amount: Type.Integer({ description: 'How much moved, as in the statement of the client.' }),
  from: Type.String({ description: 'Where it came from.' }),
  to: Type.String({ description: 'Where it went.' }),
  available_after: Type.Integer({ description: 'What the client might spend after it.' }),
  held_after: Type.Integer({ description: 'What was held after it.' }),
  purchase_id: textOrNull('For which purchase.'),
  note: textOrNull('Why, in words; with numbers masked for a role that does not see them.'),
});

export const StatementSchema = Type.Object({
  data: Type.Array(EntrySchema, { description: 'The entries, the newest first.' }),
  next: textOrNull('To be sent as `before` for those before them; null: there are none.'),
  opening: { ...BalanceSchema, description: 'Before the first entry of the whole span.' },
  closing: { ...BalanceSchema, description: 'After the last entry of the whole span.' },
});

/** As a role sees it that `mask` is for. */
export const entryToWire = (entry: Entry, mask: Mask): Static<typeof EntrySchema> => ({
  seq: entry.seq,
  at: formatTime(entry.at),
  kind: entry.kind,
  amount: entry.amount,
  from: entry.from_account,
  to: entry.to_account,
  available_after: entry.available_after,
  held_after: entry.held_after,
  purchase_id: entry.purchase_id,
  note: maskOrNull(entry.note, mask),
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
      note: 'transfer 4711',
    },
  ],
  next: null,
  opening: { available: 0, held: 0, balance: 0 },
  closing: { available: 5_000_000, held: 0, balance: 5_000_000 },
};
