/** Defines the errors of the library: a refusal, a refusal of an operator, and no final answer. */
import type { ErrorBody, ErrorCode } from './types.ts';

/** The gateway refused the request. Base your program on `code`, `charged` and `retry`. */
export class SimgateError extends Error {
  override readonly name: string = 'SimgateError';
  readonly status: number;
  /** What happened. Newer gateways may send codes that are not listed here. */
  readonly code: ErrorCode;
  /** Whether this request charged your account. */
  readonly charged: ErrorBody['charged'];
  /** `new_key`: a new purchase may succeed once the cause is gone. `no`: sending it again changes nothing. */
  readonly retry: ErrorBody['retry'];
  /** Quote it when you ask about this answer. */
  readonly requestId: string;
  /** The invalid fields, each with a list of messages. */
  readonly errors: Readonly<Record<string, readonly string[]>>;
  /** The whole body, with the additional fields of some codes. */
  readonly body: ErrorBody;

  constructor(status: number, body: ErrorBody) {
    super(body.message);
    this.status = status;
    this.code = body.code;
    this.charged = body.charged;
    this.retry = body.retry;
    this.requestId = body.request_id;
    this.errors = body.errors ?? {};
    this.body = body;
  }
}

/** What an operator answers where it lists no offers for a number. */
type Refusal = {
  readonly message: string;
  readonly operator: string;
  readonly resultCode: number;
  readonly transactionId: string;
};

/** The operator refused to list offers: the number is not its subscriber, or is barred. It may have offers elsewhere. */
export class OffersRefusedError extends Error {
  override readonly name = 'OffersRefusedError';
  /** The name of the operator. */
  readonly operator: string;
  /** The code of the operator. */
  readonly resultCode: number;
  /** Quote it when you ask the operator. */
  readonly transactionId: string;

  constructor({ message, operator, resultCode, transactionId }: Refusal) {
    super(message);
    this.operator = operator;
    this.resultCode = resultCode;
    this.transactionId = transactionId;
  }
}

type Unfinished = {
  readonly message: string;
  readonly key?: string | undefined;
  readonly cause?: unknown;
};

/**
 * There was no final answer: the gateway could not be reached, or did not know the outcome yet. To find out what
 * became of a purchase, buy again with the same fields and `key`.
 */
export class UnfinishedError extends Error {
  override readonly name: string = 'UnfinishedError';
  /** The idempotency key of the purchase; undefined for other requests. */
  readonly key: string | undefined;

  constructor({ message, key, cause }: Unfinished) {
    super(message, { cause });
    this.key = key;
  }
}

/** The gateway could not be reached, and this call sent nothing. Check the URL. */
export class UnreachableError extends UnfinishedError {
  override readonly name = 'UnreachableError';
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Whether a body is an error of the gateway's, and not of a proxy before it. */
export const isErrorBody = (body: unknown): body is ErrorBody =>
  isObject(body) &&
  typeof body['message'] === 'string' &&
  typeof body['code'] === 'string' &&
  typeof body['charged'] === 'string' &&
  typeof body['retry'] === 'string';
