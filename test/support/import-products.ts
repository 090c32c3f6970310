/** Imports products in a transaction of its own. */
import type { ImportedProduct } from '../../src/catalogue/product.ts';
import {
  type ImportOptions,
  type ImportResult,
  importInto,
} from '../../src/catalogue/write/import.ts';
import type { WriteDeps } from '../../src/catalogue/write/write.ts';
import { runTransaction } from '../../src/db/transaction.ts';

export const importProducts = (
  deps: WriteDeps,
  imported: readonly ImportedProduct[],
  options?: ImportOptions,
): Promise<ImportResult> =>
  runTransaction(deps, (db) => importInto({ ...deps, db }, imported, options));
