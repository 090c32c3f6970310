/** Begins and ends spans by OpenTelemetry's API, under the stored trace of their subject. */
import {
  type Attributes,
  type Context,
  ProxyTracerProvider,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace as tracingApi,
} from '@opentelemetry/api';
import { newSpanId, traceOf, traceParts } from '../lib/http/trace.ts';
import type { Random } from '../lib/random.ts';

export type { Attributes } from '@opentelemetry/api';

export type SpanStart = {
  readonly name: string;
  /** `server` takes a request, `client` makes one, `internal` is neither. */
  readonly kind: 'server' | 'client' | 'internal';
  /** Its trace, from `traceFrom`; null if it begins one. */
  readonly trace: string | null;
  readonly attributes?: Attributes;
};

export type Span = {
  /** The trace with this span in it: what it causes is its child. */
  readonly trace: string | null;
  /** Whether it is recorded: otherwise attributes need not be collected. */
  readonly isRecorded: boolean;
  /** Ends it, with what is known by now; an error by its code. */
  readonly end: (attributes?: Attributes, error?: string) => void;
};

export type Spans = {
  readonly begin: (start: SpanStart) => Span;
};

const nothing = (): void => {};

/** A span that is not recorded. */
export const unrecorded = (trace: string | null): Span => ({
  trace,
  isRecorded: false,
  end: nothing,
});

/** Neither records nor passes anything on. */
export const noSpans: Spans = { begin: () => unrecorded(null) };

/** Records nothing, and passes a caller's trace on: each call gets its own span id. */
export const passOnly = (random: Random): Spans => ({
  begin: ({ kind, trace }) => {
    if (trace === null || kind !== 'client') return unrecorded(trace);
    return unrecorded(traceOf({ ...traceParts(trace), spanId: newSpanId(random) }));
  },
});

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
} as const;

/** Records spans with a tracer. Which of them, its sampler decides. */
export const recordWith = (tracer: Tracer, random: Random): Spans => {
  const parentOf = (trace: string | null): Context => {
    if (trace === null) return ROOT_CONTEXT;
    const { traceId, isSampled, spanId = newSpanId(random) } = traceParts(trace);
    const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
    return tracingApi.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
  };
  return {
    begin: ({ name, kind, trace, attributes = {} }) => {
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes }, parentOf(trace));
      const { traceId, spanId, traceFlags } = span.spanContext();
      return {
        trace: traceOf({ traceId, spanId, isSampled: (traceFlags & TraceFlags.SAMPLED) !== 0 }),
        isRecorded: span.isRecording(),
        end: (more, error) => {
          if (more !== undefined) span.setAttributes(more);
          if (error !== undefined) {
            span.setAttribute('error.type', error).setStatus({ code: SpanStatusCode.ERROR });
          }
          span.end();
        },
      };
    },
  };
};

/** Whether a tracer is registered with the API: by this process, or by something loaded before it. */
export const isTracerRegistered = (): boolean => {
  const provider = tracingApi.getTracerProvider();
  return (
    !(provider instanceof ProxyTracerProvider) ||
    provider.getDelegate() !== new ProxyTracerProvider().getDelegate()
  );
};
