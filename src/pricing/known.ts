/** Finds the products and categories that entries name and that do not exist. */
import type { FileProblem } from '../catalogue/file/lines.ts';
import { aboutField } from '../catalogue/file/texts.ts';
import type { Db } from '../db/types.ts';
import type { ReadEntry } from './csv.ts';
import { priceFaults } from './texts.ts';

// Far below the number of parameters that a statement may have.
const idsAtATime = 500;

const knownIn = async (
  db: Db,
  table: 'products' | 'categories',
  ids: readonly (number | null)[],
): Promise<ReadonlySet<number>> => {
  const all = [...new Set(ids.filter((id) => id !== null))];
  const known = new Set<number>();
  for (let start = 0; start < all.length; start += idsAtATime) {
    const some = all.slice(start, start + idsAtATime);
    const rows = await db.selectFrom(table).select('id').where('id', 'in', some).execute();
    for (const { id } of rows) known.add(id);
  }
  return known;
};

export const unknownParts = async (
  db: Db,
  entries: readonly ReadEntry[],
): Promise<FileProblem[]> => {
  const ids = (part: 'productId' | 'categoryId') => entries.map(({ terms }) => terms[part]);
  const products = await knownIn(db, 'products', ids('productId'));
  const categories = await knownIn(db, 'categories', ids('categoryId'));
  return entries.flatMap(({ line, terms: { productId, categoryId } }) => {
    const unknown = (field: string, id: number): FileProblem => ({
      line,
      field,
      message: aboutField(field, priceFaults.unknown(id)),
    });
    return [
      ...(productId === null || products.has(productId) ? [] : [unknown('product_id', productId)]),
      ...(categoryId === null || categories.has(categoryId)
        ? []
        : [unknown('category_id', categoryId)]),
    ];
  });
};
