/** Contains the English error messages, by error code. */
export const errors = {
  SIGN_IN_FAILED: 'The name or password is wrong, or the account is disabled.',
  SESSION_MISSING: 'You are not signed in, or your session has ended. Sign in again.',
  SETUP_INVALID:
    'This link was already used, has expired or is not valid. Ask an owner for a new one.',
  CODE_WRONG: 'The code is wrong or was already used. Enter the next code from the app.',
  PASSKEY_WRONG: 'The passkey could not be verified, or it took too long. Try again.',
  PASSKEY_NOT_FOUND: 'There is no such passkey.',
  PASSKEY_KNOWN: 'This passkey is already registered.',
  PASSKEYS_FULL: 'The account has reached the maximum number of passkeys. Remove one first.',
  PASSKEYS_UNAVAILABLE:
    'Passkeys need HTTPS and a domain name, or localhost. They do not work on an IP address.',
  PASSKEY_CANCELLED: 'The passkey was cancelled, or it took too long. Try again.',
  CODE_NEEDED: 'Enter the code from the app, or use a passkey.',
  SECOND_FACTOR_REQUIRED: 'Your role requires two-factor authentication. Set it up first.',
  SECOND_FACTOR_OFF: 'You do not have two-factor authentication. Set it up first.',
  PROOF_NEEDED: 'Confirm your identity to continue. Nothing was done.',
  SESSION_NOT_FOUND: 'This session has already ended.',
  PASSWORD_WRONG: 'The password is wrong.',
  RIGHT_MISSING: 'Your role does not allow this.',
  NUMBER_SEARCH_REFUSED:
    'Your role cannot search by mobile number. Search by ID, idempotency key or tracking code, or ask support.',
  FORGED_ORIGIN: 'The request does not come from a page of this gateway and was rejected.',
  ACCOUNT_NOT_FOUND: 'There is no such account.',
  PRODUCT_NOT_FOUND: 'There is no such product.',
  PRICE_CHANGE_NOT_FOUND: 'There is no such price change.',
  PRODUCT_CHANGED:
    'The product has changed since you loaded it. Nothing was changed. Load it again and repeat your change.',
  PRODUCT_EXISTS: 'A product with this ID already exists. Use another ID.',
  NOTHING_TO_REVERT: 'No price is as this change left it, so there is nothing to revert.',
  CATALOGUE_CHANGED:
    'The catalogue has changed since the preview. Nothing was changed. Create a new preview and try again.',
  CATALOGUE_BROKE:
    'The catalogue job ended without a result. Check whether it was done before you try again.',
  CATALOGUE_STOPPED:
    'The gateway is shutting down, and the catalogue job was stopped. Nothing was changed. Try again in a moment.',
  IMPORT_UNDER_WAY:
    'Another import is in progress. Nothing was changed. Try again when it has finished.',
  ROUTE_NOT_FOUND: 'There is no such route. It may have been removed.',
  ROUTES_CHANGED:
    'The routes have changed since the preview. Nothing was changed. Create a new preview and try again.',
  INVOICE_NOT_FOUND: 'There is no such invoice.',
  PRICE_LIST_NOT_FOUND: 'There is no such price list. It may have been removed.',
  PRICES_CHANGED:
    'The price lists have changed since the preview. Nothing was changed. Create a new preview and try again.',
  FILE_INVALID: 'The file has problems. Nothing was changed. Create a new preview.',
  ANSWER_CUT:
    'The connection was lost before the result arrived. Check whether it was done before you try again.',
  CLIENT_NOT_FOUND: 'There is no such client.',
  TOKEN_NOT_FOUND: 'The client has no such token.',
  ENDPOINT_NOT_FOUND: 'The client has no such endpoint, or has deleted it.',
  MESSAGE_NOT_FOUND: 'The endpoint has no such message. Old messages are deleted after some weeks.',
  NAME_TAKEN: 'An account with this name already exists.',
  LAST_OWNER: 'This is the last owner who can sign in. Create another owner first.',
  ACCOUNT_DISABLED: 'The account is disabled.',
  SIGNED_IN: 'You are signed in. Sign out to sign in again.',
  TOTP_ON: 'Two-factor authentication is already on. Remove it first.',
  TOTP_NOT_BEGUN: 'No two-factor setup is waiting for a code. Start the setup again.',
  PURCHASE_NOT_FOUND: 'There is no such purchase.',
  PURCHASE_BUSY:
    'An order of this purchase is in progress. Nothing was changed. Try again in a few seconds.',
  OPERATOR_NOT_CONFIGURED:
    'The operator of this purchase is not configured in the instance that answered, and was not asked. Nothing was changed. Try again: another instance may answer.',
  NO_INQUIRIES:
    'The operator takes no inquiries, and was not asked. Nothing was changed. The gateway sends the order again while that is safe.',
  NOT_OPEN:
    'The purchase is final or needs review, so the operator is not asked again. Nothing was changed.',
  NOT_UNDECIDED: 'The purchase does not need review. Nothing was changed.',
  PURCHASE_CHANGED:
    'The purchase has changed since you loaded it. Nothing was changed. Load it again.',
  EVIDENCE_AGAINST:
    'The evidence contradicts the decision. Nothing was changed. Review the preview again.',
  OUTCOME_UNKNOWN:
    'The database connection was lost at the end, so it is not known whether this was done. Check before you repeat it. Pressing the same button again is safe where money moves.',
  DONE_NOT_SHOWN:
    'This was done, but the current state could not be read. Do not repeat it; reload the page in a moment.',
  TOO_MANY_REQUESTS: 'Too many requests. Wait a few seconds and try again.',
  UNMASK_LIMIT_REACHED:
    'You have reached your limit of shown numbers. Try again later, or ask an owner.',
  EXPORT_BUSY: 'Another export is in progress. Try again when it has finished.',
  TOO_MANY_LISTENERS: 'Too many pages show the live overview. Close some of them.',
  KEY_REUSED:
    'This request was already sent with other values. Nothing was done. Close this and start over.',
  ALREADY_DONE:
    'This was already done. The token was shown once; if you do not have it, rotate it.',
  BALANCE_TOO_SMALL:
    'The client’s own money is less than this amount. Nothing was changed. Subtract less, or wait until held money is released.',
  TOKEN_ENDED: 'The token has expired or was revoked. Nothing was changed. Create a new one.',
  NAME_INVALID:
    'The name must have 2 to 64 characters: a to z, digits, and . _ @ - after the first.',
  PASSWORD_WEAK:
    'The password is too weak. It needs 12 to 256 characters, at least 5 different ones, and must not contain your name.',
  PASSWORD_COMMON: 'The password is easy to guess. Choose another, such as four random words.',
  TOO_MANY_TRIES: 'Too many attempts. Wait a little, then try again.',
  OPERATOR_NOT_FOUND: 'There is no such operator.',
  SETTINGS_CHANGED:
    'These settings have changed since you loaded them. Nothing was changed. Review them and try again.',
  SECRETS_NEEDED:
    'These settings send requests to another address. Nothing was changed. Enter the secrets again, or remove them.',
  SETTINGS_REFUSED:
    'The connector rejects these settings. Nothing was changed; the old settings stay in use.',
  SECRETS_KEY_MISSING:
    'Settings are stored encrypted, and this gateway has no key. Nothing was changed. Ask your administrator to set SIMGATE_SECRETS_KEY (32 random bytes in base64url) on all servers and to restart them. Your input stays here until you leave the page.',
  NOT_SIMULATED: 'This operator is not simulated, so it has no faults to set.',
  NETWORK: 'The gateway cannot be reached. Check your connection and try again.',
  UNKNOWN: 'The gateway sent an unexpected response.',
  VALIDATION_FAILED: 'Some fields are not valid.',
  SECRET_UNREADABLE:
    'The two-factor secret cannot be read: its key is not configured. Ask an owner to reset your two-factor authentication.',
  OVERLOADED: 'The gateway is overloaded. Nothing was done. Try again in a moment.',
  RATE_LIMITED: 'Too many requests. Wait a few seconds and try again.',
  NOT_FOUND: 'The gateway has no such address. Reload the page.',
  PAYLOAD_TOO_LARGE: 'The request is too large.',
  MALFORMED_REQUEST: 'The gateway could not parse the request. Reload the page and try again.',
  DRAINING: 'The gateway is being restarted. Try again in a moment.',
  DATABASE_UNAVAILABLE: 'The database does not answer. Try again in a moment.',
  INTERNAL_ERROR: 'Something went wrong in the gateway.',
} as const;
