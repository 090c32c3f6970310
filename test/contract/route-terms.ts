/** Gives a route whatever it may leave open: for everything, always, without a cost. */
export const routeTerms = {
  product_id: null,
  category_id: null,
  product_type: null,
  client_id: null,
  product_code: null,
  cost: null,
  allow_dearer: false,
  weight: 1,
  hours: null,
  days: [],
  valid_from: null,
  valid_until: null,
  enabled: true,
};
