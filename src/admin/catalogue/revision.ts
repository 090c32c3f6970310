/** Identifies the state of a product, so that a change of an outdated one is noticed. Pure. */
import { hash } from 'node:crypto';
import type { Product } from '../../catalogue/product.ts';

/** Changes whenever the product does. */
export const revisionOf = (product: Product): string =>
  hash('sha256', JSON.stringify(product), 'base64url');
