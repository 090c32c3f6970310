/** Defines the SDK's errors: a refusal, an answer that is not final yet, and no answer. */

/** What an error of the gateway tells, as its body has it. */
export type ErrorBody = {
  readonly message: string;
  readonly code: string;
  readonly charged: 'no' | 'unknown' | 'yes';
  readonly retry: 'same_key' | 'new_key' | 'no';
  readonly request_id: string;
  /** The page that explains the code; absent in responses recorded by older gateways. */
  readonly docs?: string;
  readonly errors?: Readonly<Record<string, readonly string[]>>;
  readonly expected_price?: number;
  readonly purchase_id?: string;
  readonly began_at?: string;
  readonly daily_limit?: number;
  readonly left_today?: number;
  readonly offers?: readonly Readonly<Record<string, string>>[];
};

/** The gateway said no. Go by `code`, `charged` and `retry`. */
export class SimgateError extends Error {
  override readonly name: string = 'SimgateError';
  readonly status: number;
  readonly code: string;
  /** Whether this request took money. */
  readonly charged: ErrorBody['charged'];
  /** `new_key`: a new purchase may succeed once the cause is gone. `no`: sending it again changes nothing. */
  readonly retry: ErrorBody['retry'];
  /** Name it when you ask about this answer. */
  readonly requestId: string;
  /** Field by field, what is wrong with it. */
  readonly errors: Readonly<Record<string, readonly string[]>>;
  /** The whole body, with what a code carries besides. */
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

/** How far a request had come when there was no more patience. */
type Unfinished = {
  readonly message: string;
  /** Sent again with this key it is the same purchase; undefined where nothing was bought. */
  readonly key?: string | undefined;
  readonly cause?: unknown;
};

/**
 * No final answer within the time given: the gateway could not be reached, or did not know yet itself.
 * Nothing of a purchase is lost by it: buy again with the same fields and `key`, and you get its answer.
 */
export class UnfinishedError extends Error {
  override readonly name = 'UnfinishedError';
  readonly key: string | undefined;

  constructor({ message, key, cause }: Unfinished) {
    super(message, { cause });
    this.key = key;
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Whether a body is an error of the gateway's, and not of whatever stands before it. */
export const isErrorBody = (body: unknown): body is ErrorBody =>
  isObject(body) &&
  typeof body['message'] === 'string' &&
  typeof body['code'] === 'string' &&
  typeof body['charged'] === 'string' &&
  typeof body['retry'] === 'string';
