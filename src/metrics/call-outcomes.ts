/** Lists the outcomes by which calls are counted. */

/** The known outcomes. Any other would be a connector's own invention, and there may be many. */
export const callOutcomes = new Set([
  'done',
  'refused',
  'unknown',
  'pending',
  'not_found',
  'reversed',
  'offers',
  'subscriber',
  'not_subscriber',
  'reports',
  'balance',
]);
