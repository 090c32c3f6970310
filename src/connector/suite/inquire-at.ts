/** Asks about an order over a connection under test. */
import type { CallContext, Connection, StatusOutcome } from '../connector.ts';

/** Rejects if the operator takes no inquiries. */
export const inquireAt = async (
  { status }: Pick<Connection, 'status'>,
  ref: string,
  context?: CallContext,
): Promise<StatusOutcome> => {
  if (typeof status !== 'function') throw new TypeError('This operator takes no inquiries.');
  return status(ref, context);
};
