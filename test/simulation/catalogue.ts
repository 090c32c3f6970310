/** Defines the products of a simulated world: a fixed price, a range, a top-up, a personal offer and an item code. */

import type { Product } from '../../src/catalogue/product.ts';
import { personalProduct } from './declarations.ts';

const product = (id: number, fields: Partial<Product>): Product => ({
  id,
  name: `Product ${id}`,
  name_en: null,
  description: '',
  description_full: null,
  sku: null,
  price: 0,
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
  order: id,
  created_at: null,
  updated_at: null,
  categories: [],
  ...fields,
});

const products = new Map(
  [
    product(1, { price: 300 }),
    product(2, { price: 100, second_price: 500, operator_id: 3 }),
    product(3, { price: 200, type: 'cell_direct_charge', operator_id: 2 }),
    product(4, { price: 250, status: 0 }),
    product(5, { price: 150, operator_id: 4 }),
    product(6, { price: 120, profile_id: 'data-6' }),
    product(personalProduct, { operator_id: 2 }),
  ].map((one) => [one.id, one]),
);

export const productOf = (id: number): Product | undefined => products.get(id);
