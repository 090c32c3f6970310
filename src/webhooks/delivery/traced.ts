/** Traces attempts to deliver a webhook: one span for each. */
import { httpAttributes } from '../../tracing/http.ts';
import type { Spans } from '../../tracing/spans.ts';
import type { Claimed } from '../store.ts';
import { isDelivered } from './attempt.ts';
import type { Sent } from './send.ts';

/** Begins the span of an attempt. An event without a request, such as a change of the catalogue, has none. */
export const beginAttempt = (
  spans: Spans,
  endpoint: { readonly id: string; readonly url: string },
  { id, attempts, request_id, trace }: Pick<Claimed, 'id' | 'attempts' | 'request_id' | 'trace'>,
): { readonly trace: string | null; readonly end: (sent: Sent) => void } => {
  if (request_id === null) return { trace: null, end: () => {} };
  const span = spans.begin({ name: 'webhook attempt', kind: 'client', trace });
  return {
    trace: span.trace,
    end: (sent) => {
      if (!span.isRecorded) return;
      const status = sent.kind === 'answered' ? sent.status : undefined;
      const error = sent.kind === 'failed' ? sent.failure.code : String(sent.status);
      const attributes = {
        ...httpAttributes({ method: 'POST', url: new URL(endpoint.url), status }),
        'simgate.webhook.endpoint.id': endpoint.id,
        'simgate.webhook.message.id': id,
        'simgate.webhook.attempt': attempts,
      };
      span.end(attributes, isDelivered(sent) ? undefined : error);
    },
  };
};
