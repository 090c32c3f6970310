/** Traces the two transactions of a purchase: a span for its beginning, and one for each step that settles it. */
import { GatewayError } from '../lib/errors.ts';
import type { Attributes, Spans } from '../tracing/spans.ts';
import type { AdvanceItem, AdvanceResult } from './commit/advance.ts';
import type { BeginItem, BeginResult } from './commit/begin.ts';
import type { Purchase } from './purchase.ts';

type TraceDeps = { readonly spans?: Spans };

type Step<T> = {
  readonly name: string;
  readonly purchase: Pick<Purchase, 'id' | 'trace'>;
  /** The result. Undefined is no result: whether it was written is unknown. */
  readonly describe: (result: NonNullable<T>) => Attributes;
};

const nameOf = (error: unknown): string => {
  if (error instanceof GatewayError) return error.code;
  return error instanceof Error ? error.name : 'unknown';
};

const traced = async <T>(
  { spans }: TraceDeps,
  { name, purchase, describe }: Step<T>,
  work: () => Promise<T>,
): Promise<T> => {
  const span = spans?.begin({ name, kind: 'internal', trace: purchase.trace });
  if (span?.isRecorded !== true) return work();
  const about = { 'simgate.purchase.id': purchase.id };
  try {
    const result = await work();
    if (result === undefined || result === null) span.end(about, 'not_written');
    else span.end({ ...about, ...describe(result) });
    return result;
  } catch (error) {
    span.end(about, nameOf(error));
    throw error;
  }
};

const stateOf = ({ state, operatorId }: Purchase): Attributes => ({
  'simgate.purchase.state': state,
  'simgate.operator.id': operatorId ?? undefined,
});

/** The error that was recorded as its end. */
const refusalIn = ({ reason }: Purchase): string | undefined =>
  reason?.code === 'error' ? reason.values.name : undefined;

export const tracedBegin = <T extends BeginResult>(
  deps: TraceDeps,
  { requested }: BeginItem,
  begin: () => Promise<T | undefined>,
): Promise<T | undefined> => {
  const describe = ({ purchase, rejection }: BeginResult): Attributes => ({
    ...(rejection === undefined ? stateOf(purchase) : {}),
    'simgate.outcome.code': rejection?.code ?? refusalIn(purchase),
  });
  return traced(deps, { name: 'purchase begin', purchase: requested, describe }, begin);
};

export const tracedSettle = (
  deps: TraceDeps,
  { name: purchase, move }: AdvanceItem & { readonly name: Pick<Purchase, 'trace'> },
  settle: () => Promise<AdvanceResult | undefined>,
): Promise<AdvanceResult | undefined> => {
  const describe = (result: AdvanceResult): Attributes => ({
    ...stateOf(result.purchase),
    'simgate.purchase.move': move.kind,
    'simgate.outcome.code': refusalIn(result.purchase),
  });
  return traced(deps, { name: 'purchase settle', purchase, describe }, settle);
};
