/** Contains the English error messages, by error code. */
export const errors = {
  SIGN_IN_FAILED: 'The name or the password is not right, or the account is disabled.',
  SESSION_MISSING: 'You are not signed in, or your session is over. Sign in again.',
  SETUP_INVALID:
    'This link was used before, has expired or never was one. Ask an owner for a new one.',
  CODE_WRONG: 'The code is not right, or was used before. Send the one that the app shows next.',
  PASSKEY_WRONG:
    'The passkey could not be verified, or it took too long. Nothing was done; try again.',
  PASSKEY_NOT_FOUND: 'There is no such passkey.',
  PASSKEY_KNOWN: 'This passkey is registered already.',
  PASSKEYS_FULL: 'The account has as many passkeys as it can have. Remove one first.',
  PASSKEYS_UNAVAILABLE:
    'Passkeys work over https on a domain name, and on localhost; not on an IP address. Open the console there.',
  PASSKEY_CANCELLED: 'No passkey was used: you cancelled, or it took too long. Try again.',
  CODE_NEEDED: 'The second factor is missing. Send the code that the app shows, or use a passkey.',
  SECOND_FACTOR_REQUIRED: 'Your role requires two-factor authentication. Set it up first.',
  SECOND_FACTOR_OFF: 'You do not have two-factor authentication. Set it up first.',
  PROOF_NEEDED: 'This needs a fresh proof that it is you. Nothing was done; try again.',
  SESSION_NOT_FOUND: 'This session is over already.',
  PASSWORD_WRONG: 'The password is not right.',
  RIGHT_MISSING: 'Your role does not allow this.',
  NUMBER_SEARCH_REFUSED:
    'Your role cannot search by mobile number. Search by ID, idempotency key or tracking code, or ask support.',
  FORGED_ORIGIN: 'The request does not come from a page of this gateway, and was not looked at.',
  ACCOUNT_NOT_FOUND: 'There is no such account.',
  PRODUCT_NOT_FOUND: 'There is no such product.',
  CATALOGUE_CHANGED:
    'The catalogue has changed since the preview. Nothing was changed. Create a new preview and try again.',
  CATALOGUE_BROKE:
    'The catalogue job ended without a result. Check whether it was done before you try again.',
  CATALOGUE_STOPPED:
    'The gateway is shutting down, and the catalogue job was stopped. Nothing was changed. Try again in a moment.',
  IMPORT_UNDER_WAY: 'Another import is under way. Nothing was changed; try again when it is over.',
  FILE_INVALID: 'The file has problems. Nothing was changed; look at a new preview.',
  ANSWER_CUT:
    'The connection broke before the result came. Look whether it was done before you try again.',
  CLIENT_NOT_FOUND: 'There is no such client.',
  TOKEN_NOT_FOUND: 'The client has no such token.',
  ENDPOINT_NOT_FOUND: 'The client has no such endpoint, or has deleted it.',
  MESSAGE_NOT_FOUND: 'The endpoint has no such message; old ones are deleted after some weeks.',
  NAME_TAKEN: 'There is an account of that name.',
  LAST_OWNER: 'Without this account no owner could sign in. Make another owner first.',
  ACCOUNT_DISABLED: 'The account is disabled.',
  SIGNED_IN: 'You are signed in. Sign out to sign in again.',
  TOTP_ON: 'Two-factor authentication is already on. Remove it first.',
  TOTP_NOT_BEGUN: 'No two-factor setup is waiting for a code. Start the setup again.',
  PURCHASE_NOT_FOUND: 'There is no such purchase.',
  PURCHASE_BUSY:
    'Its order is under way at this moment, and nothing was changed. Look again in some seconds.',
  OPERATOR_NOT_CONFIGURED:
    'The operator of this purchase is not configured in the instance that answered, and was not asked. Nothing was changed. Try again: another instance may answer.',
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
  TOO_MANY_REQUESTS: 'Too many requests. Wait some seconds and try again.',
  UNMASK_LIMIT_REACHED:
    'You have looked at as many numbers as your account may for now. Try again later, or ask an owner.',
  EXPORT_BUSY:
    'An export of yours is under way, or others have all places. Nothing was made; try again when one is over.',
  TOO_MANY_LISTENERS: 'Too many pages show the overview live. Close some of them.',
  KEY_REUSED:
    'Another request was sent with this key before. Nothing was done now. Close this and start over.',
  ALREADY_DONE:
    'This was done before, and nothing was done now. The token was shown once; if you do not have it, rotate it.',
  BALANCE_TOO_SMALL:
    'The available balance is smaller than this amount. Nothing was changed. Subtract less, or wait until held money is released.',
  TOKEN_ENDED: 'The token has expired or was revoked. Nothing was changed; make a new one.',
  NAME_INVALID:
    'A name has 2 to 64 characters: letters of a to z, digits, and . _ @ - after the first.',
  PASSWORD_WEAK:
    'The password is too weak. It needs 12 to 256 characters, at least 5 different ones, and must not contain your name.',
  PASSWORD_COMMON:
    'The password is easy to guess: a common one, a sequence or a repetition. Choose another, such as four random words.',
  TOO_MANY_TRIES: 'Too many attempts. Wait a little, then try again.',
  OPERATOR_NOT_FOUND: 'There is no such operator.',
  SETTINGS_CHANGED:
    'These settings have changed since you loaded them. Nothing was changed. Review them and try again.',
  SECRETS_NEEDED:
    'These settings send requests to another address. Nothing was changed. Enter the secrets again, or remove them.',
  SETTINGS_REFUSED:
    'The connector rejects these settings. Nothing was changed; the old settings stay in use.',
  SECRETS_KEY_MISSING:
    'Settings are stored encrypted, and this gateway has no key, so nothing was changed. Ask your administrator to set SIMGATE_SECRETS_KEY to 32 random bytes in base64url, the same for all servers, and to restart them. Your input stays here until you leave the page.',
  NOT_SIMULATED: 'This operator is not simulated, so it has no faults to set.',
  NETWORK: 'The gateway cannot be reached. Check your connection and try again.',
  UNKNOWN: 'The gateway sent an unexpected response.',
  VALIDATION_FAILED: 'Some fields are not valid.',
  DRAINING: 'The gateway is being restarted. Try again in a moment.',
  DATABASE_UNAVAILABLE: 'The database does not answer. Try again in a moment.',
  INTERNAL_ERROR: 'Something went wrong in the gateway.',
} as const;
