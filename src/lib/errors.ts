/** Defines the one error class, and prints errors in the language of the request. */
import { type ErrorCode, type ErrorRow, errorTable } from './error-table.ts';
import type { Locale, Text } from './text.ts';

export { type ErrorCode, errorTable } from './error-table.ts';

/** What is wrong, field by field, in sentences. */
export type FieldErrors = Readonly<Record<string, readonly Text[]>>;

export type ErrorDetails = {
  /** More than the table's sentence says. Shown to the client. */
  readonly message?: Text;
  readonly errors?: FieldErrors;
  /** The extra fields of a code, such as `expected_price` or `offers`. */
  readonly more?: Readonly<Record<string, unknown>>;
  /** Headers that belong to this error, such as Retry-After. */
  readonly headers?: Readonly<Record<string, string>>;
  /** If it differs from the table. */
  readonly status?: number;
  readonly retry?: ErrorRow['retry'] | undefined;
};

/** The one error class: a code of the table, and what this case adds to it. */
export class GatewayError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetails;

  constructor(code: ErrorCode, details: ErrorDetails = {}, options: { cause?: unknown } = {}) {
    super(details.message?.en ?? errorTable[code].message, options);
    this.name = 'GatewayError';
    this.code = code;
    this.details = details;
  }
}

/** A mistake in how the gateway is configured or run. Its message is for the administrator. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  /** The exit status of a command that fails with it. */
  readonly exitStatus: number = 1;
}

export const statusOf = ({ code, details }: GatewayError): number =>
  details.status ?? errorTable[code].status;

/** Where the documentation explains a code. */
export const docsOf = (code: ErrorCode, base = ''): string =>
  `${base}/docs/errors#${code.toLowerCase()}`;

/** The sentences about fields in one language. */
export const textsIn = (errors: FieldErrors, locale: Locale): Readonly<Record<string, string[]>> =>
  Object.fromEntries(
    Object.entries(errors).map(([field, texts]) => [field, texts.map((text) => text[locale])]),
  );

type BodyFor = {
  readonly locale?: Locale;
  /** The public address of the gateway. */
  readonly base?: string | undefined;
};

/**
 * The one error body, as every route prints it. Recorded bodies are always English and have no base: they
 * outlive a change of address, and are written by processes that do not know it.
 */
export const errorBody = (
  error: GatewayError,
  requestId: string,
  { locale = 'en', base }: BodyFor = {},
) => {
  const { charged, retry, fa } = errorTable[error.code];
  const { message, errors, more, retry: advice } = error.details;
  return {
    message: locale === 'fa' ? (message?.fa ?? fa) : error.message,
    code: error.code,
    charged,
    retry: advice ?? retry,
    request_id: requestId,
    docs: docsOf(error.code, base),
    ...(errors === undefined ? {} : { errors: textsIn(errors, locale) }),
    ...more,
  };
};

/** The language of an answer; caches store one for each. */
export const languageHeaders = (locale: Locale): Readonly<Record<string, string>> => ({
  'content-language': locale,
  vary: 'accept-language',
});
