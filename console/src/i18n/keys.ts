/** Owns which texts there are, by their keys. Pure. */
import type { own } from './en/index.ts';

type Leaves<T> = {
  [Key in keyof T & string]: T[Key] extends string ? Key : `${Key}.${Leaves<T[Key]>}`;
}[keyof T & string];

/** Every key of the texts, as `area.key`. */
export type TextKey = Leaves<typeof own>;

export type Values = Readonly<Record<string, string | number>>;
export type Say = (key: TextKey, values?: Values) => string;
