/** Decides which connection gets a purchase's orders: a test client's go to the simulator, never out. */

/** The simulated connection of an operator, apart from its own. Of no operator: 0. */
export const testSupplierId = (operatorId: number): number => 0 - operatorId;

export const isTestSupplier = (id: number | null): boolean => id !== null && id <= 0;

/** The connection for a new purchase. */
export const supplierFor = ({ test }: { readonly test: boolean }, operatorId: number): number =>
  test ? testSupplierId(operatorId) : operatorId;

/** Whether a purchase is a test client's: it moves play money, and counts nowhere. */
export const isTestPurchase = ({ supplierId }: { readonly supplierId: number | null }): boolean =>
  isTestSupplier(supplierId);
