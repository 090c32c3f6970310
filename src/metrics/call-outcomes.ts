/** Lists the outcomes of calls by which they are counted. */

/** The outcomes of connectors. Another would be a connector's own invention, and there may be many. */
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
]);
