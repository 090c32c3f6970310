/** Loads the demo catalogue that a first start sells. */
import products from './demo.json' with { type: 'json' };
import type { FileProblem } from './file/lines.ts';
import { readProduct } from './file/read-product.ts';
import type { ImportedProduct } from './product.ts';

/** The demo catalogue, the same at every call. */
export const demoCatalogue = (): ImportedProduct[] => {
  const problems: FileProblem[] = [];
  return products.map((value, index) => {
    const { product } = readProduct({ line: index + 2, value }, problems);
    if (product === undefined) throw new Error(`The demo catalogue: ${problems[0]?.message.en}`);
    return product;
  });
};
