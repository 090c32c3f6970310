/** Lists the bounds of histograms: seconds, or items of a batch. */
// From a cached page to the 25 seconds after which a waiting request is answered 202.
export const requestBounds = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
];
// Up to a day, after which a purchase needs review.
export const purchaseBounds = [
  0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 600, 3600, 86_400,
];
export const callBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
export const batchBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5];
export const sizeBounds = [1, 2, 4, 8, 16, 32, 64];
