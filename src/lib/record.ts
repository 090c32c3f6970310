/** Recognizes records, lists their keys, and makes one from keys. */

/** Whether a value is an object with keys, and not a list. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value of a key; undefined for anything but an object. */
export const fieldOf = (whole: unknown, name: string): unknown =>
  typeof whole === 'object' && whole !== null ? Reflect.get(whole, name) : undefined;

/** The keys of a literal record, in order. */
export const keysOf = <T extends object>(record: T): (keyof T & string)[] => {
  const isKey = (name: string): name is keyof T & string => name in record;
  return Object.keys(record).filter(isKey);
};

/** A record with a value for each key. */
export const recordOf = <Key extends string, Value>(
  keys: readonly Key[],
  valueOf: (key: Key) => Value,
): Record<Key, Value> => {
  const made: object = Object.fromEntries(keys.map((key) => [key, valueOf(key)]));
  const hasAll = (record: object): record is Record<Key, Value> =>
    keys.every((key) => key in record);
  if (!hasAll(made)) throw new Error('A key has no value.');
  return made;
};
