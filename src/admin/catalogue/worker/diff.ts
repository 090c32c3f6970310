/** Compares an import with the catalogue for its preview: product by product, field by field. Pure. */
import { isDeepStrictEqual } from 'node:util';
import { type Category, type Product, ProductSchema } from '../../../catalogue/product.ts';
import type { ImportPlan } from '../../../catalogue/write/import.ts';

export type FieldDiff = {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
};

export type ProductDiff = {
  readonly id: number;
  readonly name: string;
  readonly kind: 'new' | 'changed' | 'removed';
  readonly fields: readonly FieldDiff[];
};

const fieldNames = Object.keys(ProductSchema.properties);

/** Without the table that only repeats the two ids. */
const shownCategory = ({ pivot, ...category }: Category) => ({
  ...category,
  address: pivot.address,
});

const valuesOf = (product: Product | undefined): Map<string, unknown> =>
  new Map(
    product === undefined
      ? []
      : Object.entries({ ...product, categories: product.categories.map(shownCategory) }),
  );

/** `undated`: without the time that each change sets, which need not be shown. */
export const fieldsOf = (
  before: Product | undefined,
  after: Product,
  undated: string,
): readonly FieldDiff[] => {
  const [old, next] = [valuesOf(before), valuesOf(after)];
  return fieldNames
    .map((field) => ({ field, before: old.get(field) ?? null, after: next.get(field) ?? null }))
    .filter(({ field, after }) => !field.endsWith('_at') || after !== undated)
    .filter((one) => !isDeepStrictEqual(one.before, one.after));
};

/** The first ones: new and changed products in the file's order, then removed ones. */
export const diffOf = (
  products: readonly Product[],
  { changed, removed }: Pick<ImportPlan, 'changed' | 'removed'>,
  { undated, most }: { readonly undated: string; readonly most: number },
): ProductDiff[] => {
  const existing = new Map(products.map((one) => [one.id, one]));
  const shown = changed.slice(0, most).map((after): ProductDiff => {
    const before = existing.get(after.id);
    const kind = before === undefined ? 'new' : 'changed';
    return { id: after.id, name: after.name, kind, fields: fieldsOf(before, after, undated) };
  });
  const gone = removed
    .slice(0, most - shown.length)
    .map(({ id, name }): ProductDiff => ({ id, name, kind: 'removed', fields: [] }));
  return [...shown, ...gone];
};
