/** Defines the errors of the back office: every code its answers carry besides the gateway's own. */
import type { FieldErrors } from '../lib/errors.ts';
import type { Text } from '../lib/text.ts';
import { persianErrors } from './persian-errors.ts';

/** What happened and what to do, by the status of the answer. The Persian messages are in a file of their own. */
export const adminErrors = {
  401: {
    SIGN_IN_FAILED: 'The name or password is wrong, or the account is disabled.',
    SESSION_MISSING: 'You are not signed in, or your session has ended. Sign in again.',
    SETUP_INVALID:
      'This link was already used, has expired or is not valid. Ask an owner for a new one.',
    CODE_WRONG: 'The code is wrong or was already used. Send the next code from the app.',
    PASSKEY_WRONG: 'The passkey could not be verified, or it took too long. Try again.',
  },
  403: {
    CODE_NEEDED:
      'Two-factor authentication is required. Send the code from the app, or use a passkey.',
    SECOND_FACTOR_REQUIRED: 'Your role requires two-factor authentication. Set it up to continue.',
    PROOF_NEEDED:
      'Confirm your identity: send your password or a code to /admin/api/me/proof, then repeat the request.',
    PASSWORD_WRONG: 'The password is wrong.',
    RIGHT_MISSING: 'Your role does not allow this.',
    NUMBER_SEARCH_REFUSED:
      'Your role cannot search by mobile number. Search by ID, idempotency key or tracking code, or ask support.',
    FORGED_ORIGIN: 'The request does not come from a page of this gateway and was rejected.',
  },
  404: {
    SESSION_NOT_FOUND: 'You have no such session, or it has ended.',
    ACCOUNT_NOT_FOUND: 'There is no such account.',
    PASSKEY_NOT_FOUND: 'There is no such passkey.',
    CLIENT_NOT_FOUND: 'There is no such client.',
    TOKEN_NOT_FOUND: 'The client has no such token.',
    ENDPOINT_NOT_FOUND: 'The client has no such endpoint, or has deleted it.',
    MESSAGE_NOT_FOUND:
      'The endpoint has no such message. Old messages are deleted after some weeks.',
    PRODUCT_NOT_FOUND: 'There is no such product.',
    PRICE_CHANGE_NOT_FOUND: 'There is no such price change.',
    OPERATOR_NOT_FOUND: 'There is no such operator.',
    PURCHASE_NOT_FOUND: 'There is no such purchase.',
    ROUTE_NOT_FOUND: 'There is no such route.',
    INVOICE_NOT_FOUND: 'There is no such invoice.',
    PRICE_LIST_NOT_FOUND: 'There is no such price list.',
  },
  409: {
    NAME_TAKEN: 'An account with this name already exists.',
    LAST_OWNER: 'This is the last owner who can sign in. Create another owner first.',
    ACCOUNT_DISABLED: 'The account is disabled.',
    SIGNED_IN: 'You are signed in. Sign out to sign in again.',
    TOTP_ON: 'Two-factor authentication is already on. Remove it first.',
    TOTP_NOT_BEGUN: 'No two-factor setup is waiting for a code. Start the setup again.',
    PASSKEY_KNOWN: 'This passkey is already registered.',
    PASSKEYS_FULL: 'The account has reached the maximum number of passkeys. Remove one first.',
    PASSKEYS_UNAVAILABLE:
      'Passkeys need HTTPS and a domain name, or localhost. They do not work on an IP address.',
    SECOND_FACTOR_OFF: 'You do not have two-factor authentication. Set it up first.',
    KEY_REUSED: 'This key was already used with another request. Nothing was done. Use a new key.',
    ALREADY_DONE: 'This was already done. Nothing was done now.',
    BALANCE_TOO_SMALL:
      'The client’s own money is less than this amount. Nothing was changed. Subtract less, or wait until held money is released.',
    TOKEN_ENDED: 'The token has expired or was revoked. Nothing was changed. Create a new one.',
    CATALOGUE_CHANGED:
      'The catalogue has changed since the preview, or this is another request. Nothing was changed. Create a new preview and try again.',
    ROUTES_CHANGED:
      'The routes have changed since the preview. Nothing was changed. Create a new preview and try again.',
    PRICES_CHANGED:
      'The price lists have changed since the preview. Nothing was changed. Create a new preview and try again.',
    PRODUCT_CHANGED:
      'The product has changed since you loaded it. Nothing was changed. Load it again and repeat your change.',
    PRODUCT_EXISTS: 'A product with this ID already exists. Nothing was changed. Use another ID.',
    NOTHING_TO_REVERT:
      'No price is as this change left it, so there is nothing to revert. Nothing was changed.',
    IMPORT_UNDER_WAY:
      'Another import is in progress. Nothing was changed. Try again when it has finished.',
    SECRET_UNREADABLE:
      'The two-factor secret was encrypted with a key that is not configured. Add the key to oldSecretsKeys, or ask an owner to reset two-factor authentication.',
    SETTINGS_CHANGED:
      'These settings have changed since you loaded them. Nothing was changed. Load them again and repeat your change.',
    SECRETS_KEY_MISSING:
      'Settings are stored encrypted, and no key is configured. Nothing was changed. Set SIMGATE_SECRETS_KEY to 32 random bytes in base64url, the same for all servers, and restart them.',
    SUPPLIER_IN_FILE:
      'The configuration file defines this operator or supplier. Nothing was changed. Change it there, and restart all servers.',
    SUPPLIER_IN_USE:
      'A route names this supplier, or once did, so there may be purchases of it. Nothing was changed. Suspend it, and switch off its routes.',
    NOT_IN_FILE:
      'The configuration file has no settings for this supplier. Nothing was changed. Change its settings, or suspend it.',
    NOT_SIMULATED: 'This operator is not simulated, so it has no faults to set.',
    PURCHASE_BUSY:
      'An order of this purchase is in progress. Nothing was changed. Try again in a few seconds.',
    OPERATOR_NOT_CONFIGURED:
      'The operator of this purchase is not configured in the instance that answered, and was not asked. Nothing was changed. Configure it the same in all instances, or try again: another may answer.',
    NO_INQUIRIES:
      'The operator takes no inquiries, and was not asked. Nothing was changed. The gateway sends the order again while that is safe.',
    NOT_OPEN:
      'The purchase is final or needs review, so the operator is not asked again. Nothing was changed.',
    NOT_UNDECIDED: 'The purchase does not need review. Nothing was changed.',
    PURCHASE_CHANGED:
      'The purchase has changed since you loaded it. Nothing was changed. Load it again.',
    EVIDENCE_AGAINST:
      'The evidence contradicts the decision. Nothing was changed. Send "force" to decide against it.',
  },
  422: {
    NAME_INVALID:
      'The name must have 2 to 64 characters: a to z, digits, and . _ @ - after the first.',
    PASSWORD_WEAK: 'The password is too weak.',
    PASSWORD_COMMON: 'The password is easy to guess. Choose another, such as four random words.',
    FILE_INVALID: 'The file has problems. Nothing was changed. A preview lists them by line.',
    SECRETS_NEEDED:
      'These settings send requests to another address, so saved secrets cannot be kept. Nothing was changed. Enter the secrets named in "errors" again, or remove them.',
    SETTINGS_REFUSED:
      'The connector rejects these settings. Nothing was changed; the old settings stay in use.',
  },
  429: {
    TOO_MANY_TRIES:
      'Too many attempts. Wait for the time in the Retry-After header, then try again.',
    TOO_MANY_REQUESTS:
      'Too many requests. Wait for the time in the Retry-After header, then try again.',
    UNMASK_LIMIT_REACHED:
      'You have reached your limit of shown numbers. Wait for the time in the Retry-After header, then try again.',
    EXPORT_BUSY:
      'Another export is in progress. Wait for the time in the Retry-After header, then try again.',
  },
  500: {
    CATALOGUE_BROKE:
      'The catalogue job ended without a result; the file may be too large for this machine. Check whether it was done before you try again.',
  },
  503: {
    OUTCOME_UNKNOWN:
      'The database connection was lost at the end, so it is not known whether this was done. Check before you repeat it. A request with a key can be repeated with the same key.',
    DONE_NOT_SHOWN:
      'This was done, but the current state could not be read. Do not repeat it; read it again in a moment.',
    TOO_MANY_LISTENERS:
      'Too many pages show the live overview. Close some of them, or try again later.',
    CATALOGUE_STOPPED:
      'The catalogue job was stopped because the gateway is shutting down or the request was cancelled. Nothing was changed. Try again.',
  },
} as const;

type Status = keyof typeof adminErrors;

export type AdminErrorCode = { [One in Status]: keyof (typeof adminErrors)[One] }[Status];

const persian: Readonly<Record<AdminErrorCode, string>> = persianErrors;

const rows = new Map(
  Object.entries(adminErrors).flatMap(([status, messages]) =>
    Object.entries(messages).map(([code, message]) => [code, { status: Number(status), message }]),
  ),
);

export const isAdminError = (code: string): code is AdminErrorCode => rows.has(code);

export const adminErrorOf = (
  code: AdminErrorCode,
): { readonly status: number; readonly message: string } => {
  const row = rows.get(code);
  if (row === undefined) throw new Error(`There is no error ${code}.`);
  return row;
};

type Details = {
  /** If it says more than the table. */
  readonly message?: Text;
  /** What is wrong with which field. */
  readonly errors?: FieldErrors;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
};

export class AdminError extends Error {
  override readonly name = 'AdminError';
  readonly code: AdminErrorCode;
  readonly text: Text;
  readonly headers: Readonly<Record<string, string>>;
  readonly errors: FieldErrors | undefined;

  constructor(code: AdminErrorCode, { message, errors, headers = {}, cause }: Details = {}) {
    const text = message ?? { en: adminErrorOf(code).message, fa: persian[code] };
    super(text.en, { cause });
    this.text = text;
    this.code = code;
    this.errors = errors;
    this.headers = headers;
  }
}
