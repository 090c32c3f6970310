/** Defines the kinds of columns that tables have. */

/** A column: its type on PostgreSQL, and the TypeScript type of its values. */
export type Column<Value> = { readonly type: 'text' | 'bigint'; readonly value?: Value };

/** A row of such columns. */
export type RowOf<Columns> = {
  [Name in keyof Columns]: Columns[Name] extends Column<infer Value> ? Value : never;
};

/** Columns in order, and their types on PostgreSQL. */
export type ColumnTypes = Readonly<Record<string, Column<unknown>['type']>>;

export const text: Column<string> = { type: 'text' };
export const integer: Column<number> = { type: 'bigint' };
export const one: Column<1> = { type: 'bigint' };

export const oneOf = <Value extends string>(): Column<Value> => ({ type: 'text' });

export const orNull = <Value>({ type }: Column<Value>): Column<Value | null> => ({ type });
