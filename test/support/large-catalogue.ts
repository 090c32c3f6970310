/** Creates a catalogue of any size, with products as large as those of the demo catalogue. */
import { demoCatalogue } from '../../src/catalogue/demo.ts';
import type { ImportedProduct } from '../../src/catalogue/product.ts';

/** Products 1 to `count`; the English name of each ends with its own number. */
export const largeCatalogue = (count: number): ImportedProduct[] => {
  const samples = demoCatalogue();
  return Array.from({ length: count }, (_, index) => index + 1).flatMap((id) => {
    const sample = samples[id % samples.length];
    if (sample === undefined) return [];
    const categories = sample.categories.map((category) => ({
      ...category,
      pivot: { ...category.pivot, categorizable_id: id },
    }));
    return [{ ...sample, id, order: id, name_en: `${sample.name_en} no. ${id}`, categories }];
  });
};
