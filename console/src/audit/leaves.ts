/** Takes a recorded object apart into its single values, each under its path. Pure. */

export type Leaf = {
  readonly path: readonly string[];
  /** The name that says how the value is written. */
  readonly field: string;
  readonly value: unknown;
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isName = (part: unknown): part is string | number =>
  typeof part === 'string' || typeof part === 'number';

/** What tells an item of a list apart: its id and the field it is about; else its place. */
const identityOf = (item: Readonly<Record<string, unknown>>, place: number): readonly string[] =>
  'id' in item ? [item['id'], item['field']].filter(isName).map(String) : [String(place + 1)];

/** A price move is one value: that of its field. */
const isMove = (item: Readonly<Record<string, unknown>>): boolean =>
  'id' in item && typeof item['field'] === 'string' && 'value' in item;

const within = (
  value: unknown,
  path: readonly string[],
  field: string,
  isWhole: (value: unknown) => boolean,
): readonly Leaf[] => {
  if (Array.isArray(value) && value.some(isObject)) {
    return value.flatMap((item: unknown, place) => {
      if (!isObject(item)) return [{ path: [...path, String(place + 1)], field, value: item }];
      const at = [...path, ...identityOf(item, place)];
      if (isMove(item)) return [{ path: at, field: String(item['field']), value: item['value'] }];
      return within(item, at, field, isWhole);
    });
  }
  if (!isObject(value) || isWhole(value)) return [{ path, field, value }];
  return Object.entries(value).flatMap(([name, inner]) =>
    within(inner, [...path, name], name, isWhole),
  );
};

/** The values by their paths. `isWhole` says which objects are one value. */
export const leavesOf = (
  record: Readonly<Record<string, unknown>>,
  isWhole: (value: unknown) => boolean,
): ReadonlyMap<string, Leaf> =>
  new Map(
    Object.entries(record)
      .flatMap(([name, value]) => within(value, [name], name, isWhole))
      .map((leaf) => [leaf.path.join('\n'), leaf]),
  );
