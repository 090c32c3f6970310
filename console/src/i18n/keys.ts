/** Derives the text keys, and the values each text needs, from the English texts. */
import type { own } from './en/index.ts';

type Own = typeof own;

type Leaves<T> = {
  [Key in keyof T & string]: T[Key] extends string ? Key : `${Key}.${Leaves<T[Key]>}`;
}[keyof T & string];

/** Every key of the texts, as `area.key`. */
export type TextKey = Leaves<Own>;

type TextAt<T, Key extends string> = Key extends `${infer Area}.${infer Rest}`
  ? Area extends keyof T
    ? TextAt<T[Area], Rest>
    : never
  : Key extends keyof T
    ? T[Key]
    : never;

/** The placeholders in a text, written as `%{name}`. */
type Names<Text> = Text extends `${string}%{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never;

type Value = string | number;
export type Values = Readonly<Record<string, Value>>;

/** The values that a text needs. A key that is known only at run time accepts any. */
export type ValuesOf<Key extends TextKey> = TextKey extends Key
  ? [values?: Values]
  : [Names<TextAt<Own, Key>>] extends [never]
    ? []
    : [values: Readonly<Record<Names<TextAt<Own, Key>>, Value>>];

export type Say = <Key extends TextKey>(key: Key, ...values: ValuesOf<Key>) => string;
