/** Lists what is recorded about a purchase: each fact as a code, with the values that belong to it. */
import { type Static, type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { causeValues, type Unknown } from '../../connector/cause.ts';
import { perKey } from '../../lib/memo.ts';
import { fieldOf, keysOf } from '../../lib/record.ts';

const none = Type.Object({});
/** When it happened, by the operator's word; null if it gives no readable time. */
const dated = Type.Object({ at: Type.Union([Type.Integer(), Type.Null()]) });
/** The reason, in the operator's own words. */
const because = Type.Object({ reason: Type.String() });
const ofOperator = Type.Object({ operator: Type.Union([Type.Integer(), Type.Null()]) });
const ofSupplier = Type.Object({ supplier: Type.Integer() });
const decided = Type.Object({ by: Type.String(), reason: Type.String(), forced: Type.Boolean() });

const plain = {
  /** Words that are not ours: a connector's, or an earlier version's in an unknown form. */
  text: Type.Object({ text: Type.String() }),
  ...causeValues,
  /** Why a purchase was refused or failed: a code of the error table. */
  error: Type.Object({
    name: Type.String(),
    /** The operator's own words, if any. */
    reason: Type.Optional(Type.String()),
  }),
  attempt: Type.Object({ attempt: Type.Integer() }),

  // The answer to an inquiry.
  answered_delivered: none,
  answered_reversed: none,
  answered_refused: none,
  answered_pending: none,
  not_found: none,
  /** The order may still arrive. */
  not_found_yet: none,
  ordered_again: Type.Object({ attempt: Type.Integer() }),
  /** Sent again instead of an inquiry. */
  sent_again: Type.Object({ attempt: Type.Integer() }),
  /** The order that was sent again was refused, which says nothing of the earlier one. */
  refused_again: because,
  /** The operator may deliver it twice if it is sent again now. */
  resend_over: none,
  /** No running instance has usable settings for the operator. */
  operator_unreachable: ofOperator,
  /** Only from earlier versions. */
  operator_removed: ofOperator,

  // Other suppliers.
  /** Ordered from this supplier, because the one before delivered nothing. */
  moved_on: ofSupplier,
  /** A supplier that was left behind delivered after all, and others of them. */
  left_delivered: Type.Object({
    supplier: Type.Integer(),
    also: Type.Optional(Type.Array(Type.Integer())),
  }),
  /** The same, and the supplier has reversed it since. */
  left_reversed: ofSupplier,
  /** A lost part of the database may hold an attempt at another supplier: all of them are asked. */
  may_be_elsewhere: none,

  // What the operator reported unasked, or answered late.
  reported_delivered: dated,
  reported_reversed: dated,
  /** It called back, and said nothing final. */
  called_back: none,
  called_back_delivered: none,
  called_back_reversed: dated,
  called_back_refused: because,
  late_delivered: none,
  late_refused: because,
  /** A recorded delivery was reversed. */
  reversed: dated,

  // The operator's certain answer, before a decision.
  said_delivered: none,
  said_reversed: dated,
  said_refused: because,
  said_not_found: none,

  // What a person decided.
  marked_delivered: decided,
  marked_not_delivered: decided,

  // The operator's answer while a decision is prepared.
  now_delivered: none,
  now_reversed: dated,
  now_refused: because,
  now_not_found: none,
  /** Not proof before the quiet time ends. */
  now_not_found_yet: none,
  now_pending: none,

  // Why the operator was not asked.
  operator_not_configured: ofOperator,
  /** The operator takes no inquiries. */
  no_inquiries: ofOperator,
  operator_in_process: ofOperator,
  operator_settings_unreadable: Type.Object({
    operator: Type.Union([Type.Integer(), Type.Null()]),
    reason: Type.String(),
  }),
};

/** A code without values has none. */
type ValuesOf<Schema extends TSchema> = keyof Static<Schema> extends never
  ? Readonly<Record<string, never>>
  : Readonly<Static<Schema>>;

type Table<Values extends Record<string, TSchema>> = {
  [Code in keyof Values]: { readonly code: Code; readonly values: ValuesOf<Values[Code]> };
}[keyof Values];

/** A fact that contains no other fact. */
export type PlainFact = Table<typeof plain>;

// On first use, because most codes are rare. Each row that is read is checked.
const checkOf = perKey((schema: TSchema) => Compile(schema));

/** Whether a value has a code of the table, with the values that belong to it. */
const isIn = (table: ReadonlyMap<unknown, TSchema>, value: unknown): boolean => {
  const schema = table.get(fieldOf(value, 'code'));
  return schema !== undefined && checkOf(schema).Check(fieldOf(value, 'values'));
};

// By code: a union would check every alternative, for each row that is read.
const plainTable = new Map<unknown, TSchema>(Object.entries(plain));

const isPlain = (value: unknown): value is PlainFact => isIn(plainTable, value);

/** Facts that contain another, the last one learnt. */
type AboutLast =
  /** Given up after this many inquiries. */
  | {
      readonly code: 'unresolved';
      readonly values: { readonly inquiries: number; readonly last: PlainFact };
    }
  | { readonly code: 'now_no_answer'; readonly values: { readonly last: PlainFact } };

export type Fact = PlainFact | AboutLast;
export type FactCode = Fact['code'];

export const factCodes: readonly FactCode[] = [...keysOf(plain), 'unresolved', 'now_no_answer'];

const aboutLastTable = new Map<unknown, TSchema>([
  ['unresolved', Type.Object({ inquiries: Type.Integer() })],
  ['now_no_answer', none],
]);

const isAboutLast = (value: unknown): value is AboutLast =>
  isIn(aboutLastTable, value) && isPlain(fieldOf(fieldOf(value, 'values'), 'last'));

export const textFact = (text: string): PlainFact => ({ code: 'text', values: { text } });

export const errorFact = (name: string, reason?: string): PlainFact => ({
  code: 'error',
  values: reason === undefined ? { name } : { name, reason },
});

/** Why an operator's answer is unknown. */
export const unknownFact = ({ cause, detail }: Unknown): PlainFact => cause ?? textFact(detail);

const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
};

/** Reads a value as a fact; undefined if it is not one. */
export const factFrom = (value: unknown): Fact | undefined =>
  isPlain(value) || isAboutLast(value) ? value : undefined;

/** Reads a fact from its two columns. An unreadable one is shown as written. */
export const readFact = (code: string, values: string): Fact =>
  factFrom({ code, values: parsed(values) }) ?? textFact(`${code} ${values}`);

/** A fact as stored in its two columns. */
export const factColumns = ({ code, values }: Fact): readonly [code: string, values: string] => [
  code,
  JSON.stringify(values),
];

/** Reads a list of facts that was written as JSON. */
export const readFacts = (json: string): Fact[] => {
  const list = parsed(json);
  return Array.isArray(list)
    ? list.map((one: unknown) => factFrom(one) ?? textFact(JSON.stringify(one)))
    : [textFact(json)];
};

/** Whether two facts are equal, including values. */
export const isSameFact = (one: Fact | null, other: Fact): boolean =>
  one !== null &&
  one.code === other.code &&
  JSON.stringify(one.values) === JSON.stringify(other.values);
