/** Defines the errors of the back office: every code its answers carry besides the gateway's own. */
import type { FieldErrors } from '../lib/errors.ts';

/** What happened and what to do, by the status of the answer. */
export const adminErrors = {
  401: {
    SIGN_IN_FAILED: 'The name or the password is not right, or the account is disabled.',
    SESSION_MISSING: 'You are not signed in, or your session is over. Sign in again.',
    SETUP_INVALID:
      'This link was used before, has expired or never was one. Ask an owner for a new one.',
    CODE_WRONG: 'The code is not right, or was used before. Send the one that the app shows next.',
    PASSKEY_WRONG:
      'The passkey could not be verified, or it took too long. Nothing was done; try again.',
  },
  403: {
    CODE_NEEDED:
      'The second factor is missing. Send the code that the app shows, or use a passkey.',
    SECOND_FACTOR_REQUIRED:
      'Your role requires two-factor authentication. Set it up; until then you can do nothing else.',
    PROOF_NEEDED:
      'This needs a fresh proof that it is you. Send your password or a code to /admin/api/me/proof, then send this again.',
    PASSWORD_WRONG: 'The password is not right.',
    RIGHT_MISSING: 'Your role does not allow this.',
    NUMBER_SEARCH_REFUSED:
      'Your role cannot search by mobile number. Search by ID, idempotency key or tracking code, or ask support.',
    FORGED_ORIGIN: 'The request does not come from a page of this gateway, and was not looked at.',
  },
  404: {
    SESSION_NOT_FOUND: 'You have no such session, or it is over.',
    ACCOUNT_NOT_FOUND: 'There is no such account.',
    PASSKEY_NOT_FOUND: 'There is no such passkey.',
    CLIENT_NOT_FOUND: 'There is no such client.',
    TOKEN_NOT_FOUND: 'The client has no such token.',
    ENDPOINT_NOT_FOUND: 'The client has no such endpoint, or has deleted it.',
    MESSAGE_NOT_FOUND: 'The endpoint has no such message; old ones are deleted after some weeks.',
    PRODUCT_NOT_FOUND: 'There is no such product.',
    OPERATOR_NOT_FOUND: 'There is no such operator.',
    PURCHASE_NOT_FOUND: 'There is no such purchase.',
  },
  409: {
    NAME_TAKEN: 'There is an account of that name.',
    LAST_OWNER: 'Without this account no owner could sign in. Make another owner first.',
    ACCOUNT_DISABLED: 'The account is disabled.',
    SIGNED_IN: 'You are signed in. Sign out to sign in again.',
    TOTP_ON: 'There is a second factor already. Remove it first.',
    TOTP_NOT_BEGUN: 'No second factor waits for a code. Begin with one.',
    PASSKEY_KNOWN: 'This passkey is registered already.',
    PASSKEYS_FULL: 'The account has as many passkeys as it can have. Remove one first.',
    PASSKEYS_UNAVAILABLE:
      'Passkeys work over https on a domain name, and on localhost; not on an IP address. Open the console there.',
    SECOND_FACTOR_OFF: 'You do not have two-factor authentication. Set it up first.',
    KEY_REUSED: 'This key came with another request before. Nothing was done; make a new key.',
    ALREADY_DONE: 'This was done before, and nothing was done now.',
    BALANCE_TOO_SMALL:
      'The client may spend less than this would take away. Nothing was changed; take less, or wait until held money is free.',
    TOKEN_ENDED: 'The token has expired or was revoked. Nothing was changed; make a new one.',
    CATALOGUE_CHANGED:
      'The catalogue has changed since the preview, or this is another request. Nothing was changed. Create a new preview and try again.',
    IMPORT_UNDER_WAY:
      'Another import is under way. Nothing was changed; try again when it is over.',
    SECRET_UNREADABLE:
      'The second factor cannot be checked: its secret is sealed with a key that is not here. Set secretsKey to it, or let an owner take the second factor away.',
    SETTINGS_CHANGED:
      'These settings have changed since you loaded them. Nothing was changed. Load them again and repeat your change.',
    SECRETS_KEY_MISSING:
      'Settings are kept sealed, and there is no key for it, so nothing was changed. Set SIMGATE_SECRETS_KEY to 32 random bytes in base64url, the same for all servers, and start them again.',
    NOT_SIMULATED: 'This operator is not simulated in the gateway, so it has no faults to set.',
    PURCHASE_BUSY:
      'Its order is under way at this moment, and nothing was changed. Look again in some seconds.',
    OPERATOR_NOT_CONFIGURED:
      'The operator of this purchase is not configured in the instance that answered, and was not asked. Nothing was changed. Configure it the same in all instances, or try again: another may answer.',
    NOT_OPEN:
      'The purchase is final or needs review, so the operator is not asked again. Nothing was changed.',
    NOT_UNDECIDED: 'The purchase does not need review. Nothing was changed.',
    PURCHASE_CHANGED:
      'Something happened to the purchase since you looked at it. Nothing was changed; look at it again.',
    EVIDENCE_AGAINST:
      'The evidence contradicts the decision. Nothing was changed; with "force" it is done all the same.',
  },
  422: {
    NAME_INVALID:
      'A name has 2 to 64 characters: letters of a to z, digits, and . _ @ - after the first.',
    PASSWORD_WEAK: 'The password is too weak.',
    PASSWORD_COMMON:
      'The password is easy to guess: a common one, a sequence or a repetition. Choose another, such as four random words.',
    FILE_INVALID:
      'The file has problems, which a preview tells by their lines. Nothing was changed.',
    SECRETS_NEEDED:
      'These settings send requests to another address, so saved secrets cannot be kept. Nothing was changed. Enter the secrets named in "errors" again, or remove them.',
    SETTINGS_REFUSED:
      'The connector does not take these settings. Nothing was changed: those before stay in use.',
  },
  429: {
    TOO_MANY_TRIES:
      'Too many tries. Wait as long as the header "Retry-After" says; then the right one gets in.',
    TOO_MANY_REQUESTS:
      'Too many requests, and this one was not looked at. Wait as long as the header "Retry-After" says.',
    UNMASK_LIMIT_REACHED:
      'Your account has been shown as many numbers as it may be for now, and this one was not shown. Wait as long as the header "Retry-After" says.',
    EXPORT_BUSY:
      'An export of yours is under way, or as many are as this server makes at once. Nothing was made; try again when one is over, as the header "Retry-After" says.',
  },
  500: {
    CATALOGUE_BROKE:
      'The work on the catalogue ended before it told its result; the file may be too large for this machine. Look whether it was done before you try again.',
  },
  503: {
    OUTCOME_UNKNOWN:
      'The database went away at the end, and it is not known whether this was done. Look before you do it again; what has a key can be sent again with the same key.',
    DONE_NOT_SHOWN:
      'This was done, but how things are now could not be read. Do not do it again; look at it in a moment.',
    TOO_MANY_LISTENERS:
      'Too many pages show the overview live. Close some of them, or ask for it again later.',
    CATALOGUE_STOPPED:
      'The catalogue job was stopped because the gateway is shutting down or the request was cancelled. Nothing was changed. Try again.',
  },
} as const;

type Status = keyof typeof adminErrors;

export type AdminErrorCode = { [One in Status]: keyof (typeof adminErrors)[One] }[Status];

const rows = new Map(
  Object.entries(adminErrors).flatMap(([status, messages]) =>
    Object.entries(messages).map(([code, message]) => [code, { status: Number(status), message }]),
  ),
);

export const adminErrorOf = (
  code: AdminErrorCode,
): { readonly status: number; readonly message: string } => {
  const row = rows.get(code);
  if (row === undefined) throw new Error(`There is no error ${code}.`);
  return row;
};

type Details = {
  readonly message?: string;
  /** What is wrong with which field. */
  readonly errors?: FieldErrors;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
};

export class AdminError extends Error {
  override readonly name = 'AdminError';
  readonly code: AdminErrorCode;
  readonly headers: Readonly<Record<string, string>>;
  readonly errors: FieldErrors | undefined;

  constructor(code: AdminErrorCode, { message, errors, headers = {}, cause }: Details = {}) {
    super(message ?? adminErrorOf(code).message, { cause });
    this.code = code;
    this.errors = errors;
    this.headers = headers;
  }
}
