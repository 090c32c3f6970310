/** Turns errors into responses: one body for all, without internal details. */
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CallerStatus } from '../clients/auth.ts';
import { isUnavailable } from '../db/errors.ts';
import { isRowLocked } from '../db/postgres/errors.ts';
import {
  type ErrorCode,
  errorBody,
  errorTable,
  GatewayError,
  languageHeaders,
  statusOf,
} from '../lib/errors.ts';
import { STATUS_CODES } from '../lib/http/node-http.ts';
import type { Log } from '../lib/log/log.ts';
import type { NewId } from '../lib/random.ts';
import { fieldOf } from '../lib/record.ts';
import { type Locale, preferredLocale, type Text } from '../lib/text.ts';
import type { CommonHeaders } from './headers.ts';

const frameworkCodes: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'PAYLOAD_TOO_LARGE',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'UNSUPPORTED_MEDIA_TYPE',
};

const rowLocked = {
  message: {
    en: 'Another change of the same data takes too long. Nothing was done. Send the request again in a moment.',
    fa: 'تغییر دیگری روی همین داده در جریان است و کاری انجام نشد. کمی بعد دوباره بفرستید.',
  },
};

const tooSlow: Text = {
  en: 'The request did not arrive in time. Send it again over a faster connection.',
  fa: 'درخواست به‌موقع نرسید. آن را با اتصال سریع‌تری دوباره بفرستید.',
};

/** The error of our table for any thrown value. */
const toGatewayError = (error: unknown): GatewayError => {
  if (error instanceof GatewayError) return error;
  const known = frameworkCodes[String(fieldOf(error, 'code'))];
  if (known !== undefined) return new GatewayError(known, {}, { cause: error });
  const status = Number(fieldOf(error, 'statusCode'));
  if (status >= 400 && status < 500) {
    return new GatewayError('MALFORMED_REQUEST', {}, { cause: error });
  }
  if (isUnavailable(error)) {
    return new GatewayError('DATABASE_UNAVAILABLE', {}, { cause: error });
  }
  if (isRowLocked(error)) return new GatewayError('OVERLOADED', rowLocked, { cause: error });
  return new GatewayError('INTERNAL_ERROR', {}, { cause: error });
};

// By then most temporary faults have passed.
const retryAfterSeconds = '5';

const headersOf = (error: GatewayError, locale: Locale): Record<string, string> => ({
  ...languageHeaders(locale),
  ...(errorTable[error.code].status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
  ...(errorTable[error.code].status === 503 ? { 'retry-after': retryAfterSeconds } : {}),
  ...(error.code === 'DRAINING' ? { connection: 'close' } : {}),
  ...error.details.headers,
});

/** The parts of a request that its error answer depends on. */
export type FailedRequest = {
  readonly id: string;
  readonly callerStatus: CallerStatus;
  readonly headers: { readonly 'accept-language'?: string | undefined };
};

export type ErrorAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** Receives errors: the log, and the counter of their codes. */
export type ErrorReporter = {
  readonly log: Pick<Log, 'warn' | 'error'>;
  readonly refused: (code: ErrorCode, caller: CallerStatus) => void;
  /** The public URL of the gateway, if configured. */
  readonly publicUrl: string | undefined;
};

/**
 * The only place where an error becomes an answer, and is logged and counted. These answers are never
 * recorded, so they use the language that the request prefers.
 */
export const errorAnswer = (
  { log, refused, publicUrl }: ErrorReporter,
  thrown: unknown,
  { id: requestId, callerStatus, headers }: FailedRequest,
): ErrorAnswer => {
  const error = toGatewayError(thrown);
  const status = statusOf(error);
  refused(error.code, callerStatus);
  if (status === 500 || (error.code === 'DATABASE_UNAVAILABLE' && error.cause !== undefined)) {
    log.error({ request: requestId, err: error.cause }, 'a request failed');
  } else if (error.code === 'OPERATOR_UNAVAILABLE' && error.cause !== undefined) {
    log.warn({ request: requestId, err: error.cause }, 'an operator gave no usable answer');
  }
  const locale = preferredLocale(headers['accept-language']);
  return {
    status,
    headers: headersOf(error, locale),
    body: JSON.stringify(errorBody(error, requestId, { locale, base: publicUrl })),
  };
};

export const errorHandler =
  (reporter: ErrorReporter) =>
  async (thrown: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { status, headers, body } = errorAnswer(reporter, thrown, request);
    return reply.code(status).headers(headers).type('application/json; charset=utf-8').send(body);
  };

export type ClientErrorDeps = {
  readonly newId: NewId;
  readonly log: Log;
  readonly publicUrl: string | undefined;
};

/** Answers invalid, oversized or slow requests on the bare socket. */
export const clientErrorHandler =
  ({ newId, log, publicUrl }: ClientErrorDeps, headersOf: CommonHeaders) =>
  (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const code = error.code === 'HPE_HEADER_OVERFLOW' ? 'PAYLOAD_TOO_LARGE' : 'MALFORMED_REQUEST';
    const isSlow = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
    const answer = new GatewayError(code, isSlow ? { message: tooSlow } : {});
    const requestId = newId();
    const body = JSON.stringify(errorBody(answer, requestId, { base: publicUrl }));
    const { status } = errorTable[code];
    log.info({ request: requestId, status, code: error.code ?? null }, 'not a request');
    const headers = {
      ...headersOf(requestId),
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  };
