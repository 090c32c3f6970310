/** Asks a supplier about one order. */
import type { Call } from '../connector/call.ts';
import type { Inquire, StatusOutcome } from '../connector/connector.ts';
import type { Operator } from '../operators/registry.ts';

type About = Omit<NonNullable<Parameters<Call>[2]>, 'operatorId' | 'kind'> & {
  readonly purchaseId: string;
};

export const inquire = async (
  call: Call,
  { id: operatorId, connection }: Operator,
  status: Inquire,
  about: About,
): Promise<StatusOutcome> => {
  const result = await call(connection.deadlineMs, (context) => status(about.purchaseId, context), {
    ...about,
    operatorId,
    kind: 'inquiry',
  });
  return result.kind === 'answer' ? result.value : result;
};
