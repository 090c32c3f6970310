/** Finds the only listener of an event, so that another can go before it. */

/** The only listener of an event. More than one means that Node or the framework has changed. */
export const onlyListener = <T>(listeners: readonly T[]): T => {
  const [only, ...others] = listeners;
  if (only === undefined || others.length > 0) throw new Error('One listener was expected.');
  return only;
};
