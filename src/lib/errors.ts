/** Defines the error table: every code with its status, sentence and advice. */

type ErrorRow = {
  readonly status: number;
  /** What happened, and what to do about it. */
  readonly message: string;
  /** Whether this request took money. */
  readonly charged: 'no' | 'unknown';
  /** `same_key`: send the same again, later. `new_key`: a new purchase may succeed. `no`: neither. */
  readonly retry: 'same_key' | 'new_key' | 'no';
};

const final = { charged: 'no', retry: 'no' } as const;
const newKey = { charged: 'no', retry: 'new_key' } as const;
const passing = { charged: 'no', retry: 'same_key' } as const;

export const errorTable = {
  IDEMPOTENCY_KEY_MISSING: {
    status: 400,
    message:
      'No Idempotency-Key was sent, so nothing was bought. Send a new unique key with each purchase.',
    ...final,
  },
  IDEMPOTENCY_KEY_INVALID: {
    status: 400,
    message: 'The Idempotency-Key must be 1 to 255 visible ASCII characters, sent once.',
    ...final,
  },
  MALFORMED_REQUEST: {
    status: 400,
    message: 'The request could not be read. Correct it before you send it again.',
    ...final,
  },
  TOKEN_MISSING: {
    status: 401,
    message: 'No access token was sent. Add the header "Authorization: Bearer <ACCESS_TOKEN>".',
    ...final,
  },
  TOKEN_INVALID: {
    status: 401,
    message:
      'The access token is not valid: mistyped, unknown or revoked. Use one that was issued to you.',
    ...final,
  },
  TOKEN_EXPIRED: {
    status: 401,
    message: 'The access token has expired. Ask the operator of this gateway for a new one.',
    ...final,
  },
  INSUFFICIENT_BALANCE: {
    status: 402,
    message: 'Your balance does not cover the price. Add funds, then buy again with a new key.',
    ...newKey,
  },
  CLIENT_SUSPENDED: {
    status: 403,
    message: 'This client is suspended. Ask the operator of this gateway why.',
    ...final,
  },
  IP_NOT_ALLOWED: {
    status: 403,
    message: 'The access token may not be used from this network address.',
    ...final,
  },
  SCOPE_MISSING: {
    status: 403,
    message: 'The access token does not carry the scope that this route needs.',
    ...final,
  },
  PRODUCT_NOT_ALLOWED: {
    status: 403,
    message:
      'You may not buy this product, or nothing of its operator. GET /api/account tells what you may.',
    ...final,
  },
  DAILY_LIMIT_REACHED: {
    status: 403,
    message:
      'This would be more than you may spend on a day. Nothing was done; the next day begins at 00:00 UTC.',
    ...passing,
  },
  NOT_FOUND: {
    status: 404,
    message: 'There is nothing at this address. The routes are listed at /docs.',
    ...final,
  },
  PRODUCT_NOT_FOUND: {
    status: 404,
    message: 'There is no such product in the catalogue.',
    ...final,
  },
  PURCHASE_NOT_FOUND: {
    status: 404,
    message: 'You have no such purchase.',
    ...final,
  },
  WEBHOOK_NOT_FOUND: {
    status: 404,
    message: 'You have no such webhook endpoint, or it has no such message.',
    ...final,
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    message:
      'This address does not take that method. The header "Allow" lists those that it takes.',
    ...final,
  },
  OFFER_EXPIRED: {
    status: 409,
    message:
      'The operator no longer makes this offer. Choose one of "offers" and buy with a new key.',
    ...newKey,
  },
  PRICE_CHANGED: {
    status: 409,
    message: 'The operator has changed the price. Look at "offers" and buy with a new key.',
    ...newKey,
  },
  LIKELY_DUPLICATE: {
    status: 409,
    message:
      'You have just bought the same for this number, under another key. If you mean it, send it with allow_repeat=1 and a new key.',
    ...newKey,
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    message: 'The request is larger than this gateway reads. Send less.',
    ...final,
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    message: 'The body is of a kind that this route does not read. Send "application/json".',
    ...final,
  },
  VALIDATION_FAILED: {
    status: 422,
    message:
      'Some fields are not as they should be. Correct what "errors" names and send it again.',
    ...final,
  },
  INVALID_MOBILE: {
    status: 422,
    message: 'The mobile number is not in the format that this gateway sells to.',
    ...final,
  },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    message:
      'This Idempotency-Key came with other fields before. Nothing was done; use a new key for a new purchase.',
    ...newKey,
  },
  PRICE_MISMATCH: {
    status: 422,
    message: 'The price is not what this costs. Send "expected_price" with a new key.',
    ...newKey,
  },
  AMOUNT_OUT_OF_RANGE: {
    status: 422,
    message: 'The price is outside the range of this product.',
    ...newKey,
  },
  PRODUCT_INACTIVE: {
    status: 422,
    message: 'This product is switched off and cannot be bought now.',
    ...newKey,
  },
  OPERATOR_MISMATCH: {
    status: 422,
    message: "The number is not a subscriber of this product's operator.",
    ...final,
  },
  SIM_TYPE_MISMATCH: {
    status: 422,
    message: 'The product is for the other kind of SIM card, prepaid or postpaid.',
    ...final,
  },
  OFFER_NOT_FOUND: {
    status: 422,
    message:
      'The subscriber has no such offer. Choose one of "offers" by code and type, with a new key.',
    ...newKey,
  },
  OPERATOR_DECLINED: {
    status: 422,
    message: 'The mobile operator declined. Nothing was charged.',
    ...newKey,
  },
  ORDER_NOT_RECEIVED: {
    status: 422,
    message:
      'The mobile operator has no record of the order. Nothing was delivered and nothing was charged; you may buy again with a new key.',
    ...newKey,
  },
  NOT_DELIVERED: {
    status: 422,
    message:
      'The purchase was checked by hand and was not delivered. Nothing was charged; you may buy again with a new key.',
    ...newKey,
  },
  RATE_LIMITED: {
    status: 429,
    message:
      'Too many requests. Wait as long as the header "Retry-After" says, then send it again.',
    ...passing,
  },
  TRANSACTION_PENDING: {
    status: 202,
    message:
      'Not finished: it is not known yet whether this purchase went through. Do not hand anything out; send the same request with the same key again later.',
    charged: 'unknown',
    retry: 'same_key',
  },
  INTERNAL_ERROR: {
    status: 500,
    message:
      'Something went wrong on our side. Send it again later; if it stays, report the request_id.',
    ...passing,
  },
  OPERATOR_UNAVAILABLE: {
    status: 503,
    message: 'The mobile operator did not give a usable answer in time. Send it again later.',
    ...passing,
  },
  OVERLOADED: {
    status: 503,
    message:
      'More is under way than this gateway takes on at once. Nothing was done; send it again in a moment.',
    ...passing,
  },
  DRAINING: {
    status: 503,
    message: 'This server is being stopped and takes no new work. Send it again in a moment.',
    ...passing,
  },
  DATABASE_UNAVAILABLE: {
    status: 503,
    message: 'The gateway cannot reach its database. Nothing was done; send it again later.',
    ...passing,
  },
} as const satisfies Record<string, ErrorRow>;

export type ErrorCode = keyof typeof errorTable;

/** Field by field, what is wrong with it, in sentences. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

export type ErrorDetails = {
  /** Says more than the table's sentence can. Shown to the client. */
  readonly message?: string;
  readonly errors?: FieldErrors;
  /** What a code carries besides, as `expected_price` or `offers`. */
  readonly more?: Readonly<Record<string, unknown>>;
  /** Headers that belong to this error, such as Retry-After. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Where it is not what the table says. */
  readonly status?: number;
  readonly retry?: ErrorRow['retry'] | undefined;
};

/** The one error class: a code of the table, and what this case adds to it. */
export class GatewayError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, details: ErrorDetails = {}, options: { cause?: unknown } = {}) {
    super(details.message ?? errorTable[code].message, options);
    this.name = 'GatewayError';
    this.code = code;
    this.details = details;
  }
}

/** A mistake that the people who run the gateway have to correct; its message is for them. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** With it a command ends that meets the error. */
  readonly exitStatus: number = 1;
}

export const statusOf = ({ code, details }: GatewayError): number =>
  details.status ?? errorTable[code].status;

/** Where the documentation explains a code. */
export const docsOf = (code: ErrorCode, base = ''): string =>
  `${base}/docs/errors#${code.toLowerCase()}`;

/**
 * The one error body, as every route prints it. `base` is the public address of the gateway. What is recorded
 * has none: it outlives a move, and is written by processes that need not know it.
 */
export const errorBody = (error: GatewayError, requestId: string, base = '') => {
  const { charged, retry } = errorTable[error.code];
  return {
    message: error.message,
    code: error.code,
    charged,
    retry: error.details.retry ?? retry,
    request_id: requestId,
    docs: docsOf(error.code, base),
    ...(error.details.errors === undefined ? {} : { errors: error.details.errors }),
    ...error.details.more,
  };
};
