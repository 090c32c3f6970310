/** Traces calls to operators: one span for each, with the outcome and what was sent over HTTP. */
import {
  type CallContext,
  callContext,
  type HttpExchange,
  type Origin,
} from '../lib/http/trace.ts';
import { isRecord } from '../lib/record.ts';
import type { Asked } from '../metrics/metrics.ts';
import { httpAttributes } from '../tracing/http.ts';
import type { Attributes, Spans } from '../tracing/spans.ts';
import type { Unknown } from './cause.ts';

/** The operator, the call, and its request. Calls without a request are not traced. */
export type About = Asked & {
  readonly origin?: Origin | undefined;
  readonly purchaseId?: string;
};

const textIn = (value: unknown, name: string): string | undefined => {
  const text = isRecord(value) ? value[name] : undefined;
  return typeof text === 'string' || typeof text === 'number' ? String(text) : undefined;
};

type Result = { readonly kind: 'answer'; readonly value: unknown } | Unknown;

/** The operator's answer, as codes: its words may name a subscriber. */
const outcomeOf = (result: Result) => {
  const outcome: unknown = result.kind === 'answer' ? result.value : result;
  const kind = textIn(outcome, 'kind') ?? 'other';
  const code = textIn(isRecord(outcome) ? (outcome['cause'] ?? outcome) : outcome, 'code');
  const failed = kind === 'unknown' || code === 'unreachable';
  return { kind, code, error: failed ? (code ?? kind) : undefined };
};

export type CallSpan = {
  readonly context: CallContext | undefined;
  readonly end: (result: Result) => void;
};

const untraced: CallSpan = { context: undefined, end: () => {} };

/** Begins the span of a call. Its context goes to the operator. */
export const beginCall = (spans: Spans, about: About | undefined): CallSpan => {
  if (about?.origin === undefined) return untraced;
  const { operatorId, kind, origin, purchaseId } = about;
  const span = spans.begin({ name: `operator ${kind}`, kind: 'client', trace: origin.trace });
  const context = callContext({ requestId: origin.requestId, trace: span.trace });
  if (!span.isRecorded) return { context, end: () => span.end() };
  let sent: HttpExchange | undefined;
  const exchanged = (exchange: HttpExchange): void => {
    sent = exchange;
  };
  return {
    context: { ...context, exchanged },
    end: (result) => {
      const { kind: outcome, code, error } = outcomeOf(result);
      const attributes: Attributes = {
        'simgate.operator.id': operatorId,
        'simgate.purchase.id': purchaseId,
        'simgate.outcome': outcome,
        'simgate.outcome.code': code,
        ...(sent === undefined ? {} : httpAttributes(sent)),
      };
      span.end(attributes, error);
    },
  };
};
