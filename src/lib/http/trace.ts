/** Parses and prints request IDs and the W3C trace context. Pure. */
import { maskText } from '../log/log.ts';
import { type MobileFormat, readTypedMobile } from '../mobile.ts';
import type { NewId, Random } from '../random.ts';

/** A raw header: Node gives a list for repeated ones. */
type Header = string | readonly string[] | undefined;

// Safe in JSON, in a header and in a spreadsheet. It begins with a letter or a digit, unlike a formula.
const requestIdForm = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$/;

export type RequestIdFrom = (sent: Header) => string;

// These contain arbitrary digits by chance.
const randomIds = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b[0-9a-f]{32}\b/gi;

/** Whether an id may contain a mobile number, in any notation, or contains a token. */
const isPrivate = (format: MobileFormat): ((id: string) => boolean) => {
  const mask = maskText(format);
  return (id) => {
    const runs = id.replace(randomIds, '-').match(/\d+/g) ?? [];
    return mask(id) !== id || runs.some((run) => readTypedMobile(run, format) !== undefined);
  };
};

/** The id of a request: the caller's if it is safe to store and log, else a new one. */
export const createRequestIdReader = (newId: NewId, format: MobileFormat): RequestIdFrom => {
  const mayNotBeKept = isPrivate(format);
  return (sent) =>
    typeof sent === 'string' && requestIdForm.test(sent) && !mayNotBeKept(sent) ? sent : newId();
};

const parentForm = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const isZero = (digits: string): boolean => /^0+$/.test(digits);

/**
 * What is kept of a `traceparent`: the trace id, whether the trace is recorded (01) or not (00), and the span that
 * comes before, as `<trace id>-<flags>-<span id>`. Undefined where the header is not valid; a later version is read
 * as far as this one goes.
 */
export const traceFrom = (sent: Header): string | undefined => {
  const parts = typeof sent === 'string' ? parentForm.exec(sent) : null;
  if (parts === null) return undefined;
  const [, version, traceId = '', parentId = '', flags = '', rest] = parts;
  const isKnown = version === '00' ? rest === undefined : version !== 'ff';
  if (!isKnown || isZero(traceId) || isZero(parentId)) return undefined;
  return traceOf({ traceId, isSampled: Number.parseInt(flags, 16) % 2 === 1, spanId: parentId });
};

type TraceParts = {
  readonly traceId: string;
  readonly isSampled: boolean;
  readonly spanId: string;
};

const flagsOf = (isSampled: boolean): string => (isSampled ? '01' : '00');

export const traceOf = ({ traceId, isSampled, spanId }: TraceParts): string =>
  `${traceId}-${flagsOf(isSampled)}-${spanId}`;

/** There is no span in what an earlier version of the gateway has kept. */
export const traceParts = (
  trace: string,
): Omit<TraceParts, 'spanId'> & { readonly spanId: string | undefined } => {
  const [traceId = '', flags, spanId] = trace.split('-');
  return { traceId, isSampled: flags === '01', spanId };
};

export const traceIdOf = (trace: string): string => trace.slice(0, 32);

/** The request that something goes back to. */
export type Origin = {
  readonly requestId: string;
  /** From `traceFrom`; null if the request had none. */
  readonly trace: string | null;
};

/** An HTTP request that was sent within a call, as its span tells it. */
export type HttpExchange = {
  readonly method: string;
  readonly url: URL;
  /** Undefined where no answer came. */
  readonly status?: number | undefined;
};

/** The request that a call is made for, as the other side gets it. */
export type CallContext = {
  readonly requestId: string;
  /** With this call's own span. */
  readonly traceparent?: string;
  /** Hears of HTTP requests within the call, where it is traced. A transport tells them. */
  readonly exchanged?: (exchange: HttpExchange) => void;
};

const spanBytes = 8;

/** A span id that no other call has. */
export const newSpanId = (random: Random): string => {
  const span = Buffer.from(random(spanBytes)).toString('hex');
  return isZero(span) ? span.replace(/0$/, '1') : span;
};

/** What a call carries that is made under a span: its request, and the trace with that span. */
export const callContext = ({ requestId, trace }: Origin): CallContext => {
  const { traceId, isSampled, spanId } = traceParts(trace ?? '');
  if (spanId === undefined) return { requestId };
  return { requestId, traceparent: `00-${traceId}-${spanId}-${flagsOf(isSampled)}` };
};

export const contextHeaders = (context: CallContext | undefined): Record<string, string> => {
  if (context === undefined) return {};
  const { requestId, traceparent } = context;
  return {
    'x-request-id': requestId,
    ...(traceparent === undefined ? {} : { traceparent }),
  };
};
