/** Lists what is recorded about a purchase: each fact as a code, with the values that belong to it. */
import { type Static, type TSchema, Type } from 'typebox';
import { Check } from 'typebox/value';
import { causeValues, type Unknown } from '../../connector/cause.ts';
import { keysOf } from '../../lib/record.ts';

const none = Type.Object({});
/** When the operator says that it happened; null where it tells no time that can be read. */
const dated = Type.Object({ at: Type.Union([Type.Integer(), Type.Null()]) });
/** Why, in the operator's own words. */
const because = Type.Object({ reason: Type.String() });
const ofOperator = Type.Object({ operator: Type.Union([Type.Integer(), Type.Null()]) });
const decided = Type.Object({ by: Type.String(), reason: Type.String(), forced: Type.Boolean() });

const plain = {
  /** Words that are not ours: a connector's, or of an earlier version in a form that is not known. */
  text: Type.Object({ text: Type.String() }),
  ...causeValues,
  /** Why a purchase was refused or failed: a code of the table of errors. */
  error: Type.Object({
    name: Type.String(),
    /** The operator's own words, where it gave some. */
    reason: Type.Optional(Type.String()),
  }),
  attempt: Type.Object({ attempt: Type.Integer() }),

  // What an inquiry said.
  answered_delivered: none,
  answered_reversed: none,
  answered_refused: none,
  answered_pending: none,
  not_found: none,
  /** The order may still be on its way. */
  not_found_yet: none,
  ordered_again: Type.Object({ attempt: Type.Integer() }),
  /** No running instance has settings with which the operator can be asked. */
  operator_unreachable: ofOperator,
  /** Only from earlier versions. */
  operator_removed: ofOperator,

  // What the operator said by itself, or later than it was waited for.
  reported_delivered: dated,
  reported_reversed: dated,
  /** It called back, and said nothing final. */
  called_back: none,
  called_back_delivered: none,
  called_back_reversed: dated,
  called_back_refused: because,
  late_delivered: none,
  late_refused: because,
  /** A delivery that was recorded is no more. */
  reversed: dated,

  // What the operator said for sure, asked before a decision.
  said_delivered: none,
  said_reversed: dated,
  said_refused: because,
  said_not_found: none,

  // What a person decided.
  marked_delivered: decided,
  marked_not_delivered: decided,

  // What the operator says while a decision is weighed.
  now_delivered: none,
  now_reversed: dated,
  now_refused: because,
  now_not_found: none,
  /** Before the quiet time is over it proves nothing. */
  now_not_found_yet: none,
  now_pending: none,

  // Why it was not asked then.
  operator_not_configured: ofOperator,
  operator_in_process: ofOperator,
  operator_settings_unreadable: Type.Object({
    operator: Type.Union([Type.Integer(), Type.Null()]),
    reason: Type.String(),
  }),
};

/** A code without values takes none. */
type ValuesOf<Schema extends TSchema> = keyof Static<Schema> extends never
  ? Readonly<Record<string, never>>
  : Readonly<Static<Schema>>;

type Table<Values extends Record<string, TSchema>> = {
  [Code in keyof Values]: { readonly code: Code; readonly values: ValuesOf<Values[Code]> };
}[keyof Values];

/** A fact that holds no other one. */
export type PlainFact = Table<typeof plain>;

const plainSchema = Type.Union(
  Object.entries(plain).map(([code, values]) => Type.Object({ code: Type.Literal(code), values })),
);

const isPlain = (value: unknown): value is PlainFact => Check(plainSchema, value);

/** Facts about another one, the last that was learnt. */
type AboutLast =
  /** Given up after so many inquiries. */
  | {
      readonly code: 'unresolved';
      readonly values: { readonly inquiries: number; readonly last: PlainFact };
    }
  | { readonly code: 'now_no_answer'; readonly values: { readonly last: PlainFact } };

export type Fact = PlainFact | AboutLast;
export type FactCode = Fact['code'];

export const factCodes: readonly FactCode[] = [...keysOf(plain), 'unresolved', 'now_no_answer'];

const aboutLastSchema = Type.Union([
  Type.Object({
    code: Type.Literal('unresolved'),
    values: Type.Object({ inquiries: Type.Integer(), last: plainSchema }),
  }),
  Type.Object({
    code: Type.Literal('now_no_answer'),
    values: Type.Object({ last: plainSchema }),
  }),
]);

const isAboutLast = (value: unknown): value is AboutLast => Check(aboutLastSchema, value);

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

/** Takes a value for a fact; undefined where it is none. */
export const factFrom = (value: unknown): Fact | undefined =>
  isPlain(value) || isAboutLast(value) ? value : undefined;

/** Reads a fact from its two columns. What is none is shown as it is written. */
export const readFact = (code: string, values: string): Fact =>
  factFrom({ code, values: parsed(values) }) ?? textFact(`${code} ${values}`);

/** A fact as its two columns hold it. */
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

/** Whether two facts are the same, values and all. */
export const isSameFact = (one: Fact | null, other: Fact): boolean =>
  one !== null &&
  one.code === other.code &&
  JSON.stringify(one.values) === JSON.stringify(other.values);
