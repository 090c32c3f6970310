/** Finds the suppliers that an operator's products can be ordered from, by the routes in force. Pure. */
import { isOperatorWide, type Route } from './route.ts';
import { isValidAt } from './table.ts';

/** The operator's own connection counts, unless its route is off. */
export const suppliersOf = (
  routes: readonly Route[],
  operatorId: number,
  moment: number,
): readonly number[] => {
  const current = routes.filter(
    (route) => route.operatorId === operatorId && isValidAt(route, moment),
  );
  const isReplaced = current.some(
    (route) => route.supplierId === operatorId && isOperatorWide(route),
  );
  const named = current.filter(({ enabled }) => enabled).map(({ supplierId }) => supplierId);
  return [...new Set([...(isReplaced ? [] : [operatorId]), ...named])];
};
