/** Describes suppliers' floats as the back office's API shows them. */
import { type Static, Type } from 'typebox';
import { longestReason, shortestReason } from '../../clients/money.ts';
import { formatTime } from '../../lib/time.ts';
import {
  type FloatBooks,
  floatLevels,
  floatOf,
  heldIn,
  levelOf,
  type SaidBalance,
} from '../../purchases/floats/float.ts';
import type { FloatEntry } from '../../purchases/floats/store.ts';
import { KeySchema } from '../audit/idempotency.ts';
import { bodyOf, exampleTime, NamesSchema, orNull, textOrNull } from '../wire.ts';

const most = Number.MAX_SAFE_INTEGER;
const amountOrNull = (description: string) => orNull(Type.Integer(), description);

const kinds = ['top_up', 'correction'] as const;

export const EntrySchema = Type.Object(
  {
    number: Type.Integer({ description: 'Its number among those of the supplier, without gaps.' }),
    at: Type.String({ description: 'When it was recorded.' }),
    kind: Type.Enum([...kinds], { description: 'Money that was sent, or a correction.' }),
    amount: Type.Integer({ description: 'What was added; negative if it was subtracted.' }),
    reference: Type.String({
      description: 'The reference of the transfer; empty if there is none.',
    }),
    reason: Type.String({ description: 'The reason.' }),
    by: Type.String({ description: 'Who recorded it.' }),
  },
  { title: 'FloatEntry', description: 'A top-up at a supplier, or a correction of its float.' },
);

export const entryToWire = (entry: FloatEntry): Static<typeof EntrySchema> => ({
  number: entry.number,
  at: formatTime(entry.at),
  kind: entry.kind,
  amount: entry.amount,
  reference: entry.reference,
  reason: entry.reason,
  by: entry.author,
});

export const exampleEntry: Static<typeof EntrySchema> = {
  number: 3,
  at: exampleTime,
  kind: 'top_up',
  amount: 50_000_000,
  reference: 'transfer 4711',
  reason: 'for the weekend',
  by: 'sara',
};

const fields = {
  supplier_id: Type.Integer({ description: 'The ID of the operator or supplier.' }),
  names: NamesSchema,
  level: orNull(
    Type.Enum([...floatLevels]),
    'How long it lasts: `approaching` below 24 hours, `low` below 6, `empty` if nothing is free. Null without any entry: then it is not watched.',
  ),
  held: Type.Integer({
    description: 'What lies there by our books: entries less what its deliveries cost.',
  }),
  in_flight: Type.Integer({ description: 'What orders without an end would cost.' }),
  free: Type.Integer({ description: 'What lies there less what is in flight.' }),
  per_hour: Type.Integer({ description: 'What an hour costs, by the last six.' }),
  cover_hours: orNull(Type.Number(), 'For how many hours it lasts; null while nothing is sold.'),
  balance: amountOrNull('What the supplier said of its own book; null if it says nothing.'),
  balance_at: textOrNull('When it said so.'),
  drift: amountOrNull('How far that is from our books; 0 within what was in flight.'),
};

export const FloatSchema = Type.Object(fields, {
  title: 'Float',
  description: 'What lies at a supplier.',
});

const wholeFloat = (books: FloatBooks) => floatOf({ ...books, entries: books.entries ?? 0 });

export const floatToWire = (
  supplier: { readonly id: number; readonly names: { readonly en: string; readonly fa: string } },
  books: FloatBooks,
  told: SaidBalance | undefined,
): Static<typeof FloatSchema> => {
  const watched = floatOf(books);
  const { perHour = 0, coverHours = null } = wholeFloat(books) ?? {};
  const held = heldIn(books);
  return {
    supplier_id: supplier.id,
    names: { en: supplier.names.en, fa: supplier.names.fa },
    level: watched === undefined ? null : levelOf(watched),
    held,
    in_flight: books.inFlight,
    free: held - books.inFlight,
    per_hour: perHour,
    cover_hours: coverHours === null ? null : Math.round(coverHours * 10) / 10,
    balance: told?.balance ?? null,
    balance_at: told === undefined ? null : formatTime(told.at),
    drift: told?.drift ?? null,
  };
};

export const exampleFloat: Static<typeof FloatSchema> = {
  supplier_id: 101,
  names: { en: 'A partner', fa: 'یک شریک' },
  level: 'approaching',
  held: 41_250_000,
  in_flight: 401_280,
  free: 40_848_720,
  per_hour: 2_100_000,
  cover_hours: 19.6,
  balance: 41_250_000,
  balance_at: exampleTime,
  drift: 0,
};

export const RecordBody = bodyOf(
  {
    kind: Type.Enum([...kinds], { description: 'Money that was sent, or a correction.' }),
    amount: Type.Integer({
      minimum: -most,
      maximum: most,
      description: 'What is added. A correction may be negative.',
    }),
    reference: Type.Optional(
      Type.String({ maxLength: 200, description: 'The reference of the transfer.' }),
    ),
    reason: Type.String({
      minLength: shortestReason,
      maxLength: longestReason,
      description: 'The reason, also for the audit log.',
    }),
    key: KeySchema,
  },
  {
    kind: 'top_up',
    amount: 50_000_000,
    reference: 'transfer 4711',
    reason: 'for the weekend',
    key: '0b9d3c1e-6a52-4f8e-9c37-2d41f5a6b7c8',
  },
);
