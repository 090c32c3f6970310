/** Creates a sample product for the catalogue's tests, with plain values by default. */
import type { Category, ImportedProduct } from '../../src/catalogue/product.ts';

export const sampleProduct = (
  fields: Partial<ImportedProduct> & { readonly id: number },
): ImportedProduct => ({
  name: `Product ${fields.id}`,
  name_en: null,
  description: 'A package',
  description_full: null,
  sku: null,
  price: 10_000,
  second_price: null,
  showable_price: null,
  type: 'cell_internet',
  minimum_sale: null,
  dimension: null,
  score: 0,
  status: 1,
  options: null,
  deliverable: 0,
  third_party_id: null,
  capacity: null,
  period: null,
  sim_card_type: 'credit',
  operator_id: 1,
  order: 0,
  created_at: null,
  updated_at: null,
  categories: [],
  ...fields,
});

/** The link of a product to a sample category. */
export const sampleCategory = (productId: number, categoryId: number): Category => ({
  id: categoryId,
  name: `Category ${categoryId}`,
  data: `[{"id":${categoryId}1,"text":"30 days","parent":0}]`,
  created_at: '2026-01-01T00:00:00.000000Z',
  updated_at: null,
  pivot: {
    categorizable_type: 'Product',
    categorizable_id: productId,
    category_id: categoryId,
    address: `${categoryId}1`,
  },
});
