/** Owns the error table: every code a client can meet, its status, its sentence, and what to do. */

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
const passing = { charged: 'no', retry: 'same_key' } as const;

export const errorTable = {
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
  NOT_FOUND: {
    status: 404,
    message: 'There is nothing at this address. The routes are listed at /docs.',
    ...final,
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    message:
      'This address does not take that method. The header "Allow" lists those that it takes.',
    ...final,
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
  RATE_LIMITED: {
    status: 429,
    message:
      'Too many requests. Wait as long as the header "Retry-After" says, then send it again.',
    ...passing,
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
  /** Headers that belong to this error, such as Retry-After. */
  readonly headers?: Readonly<Record<string, string>>;
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

/** What whoever runs the gateway did wrong or has to mend; its message is for them. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The one error body, as every route prints it. */
export const errorBody = (error: GatewayError, requestId: string) => {
  const { charged, retry } = errorTable[error.code];
  return {
    message: error.message,
    code: error.code,
    charged,
    retry,
    request_id: requestId,
    ...(error.details.errors === undefined ? {} : { errors: error.details.errors }),
  };
};
