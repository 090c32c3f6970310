/** Tells from a failed exchange whether its request was sent, and whether another attempt can help. */

/**
 * `untrusted`: the other side has no valid certificate. `unresolved`: the host name does not exist. `unsent`: there
 * was no connection. `lost`: the request may have arrived.
 */
export type Failure = 'untrusted' | 'unresolved' | 'unsent' | 'lost';

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** An error and its causes, outermost first. `fetch` wraps what the network says. */
const chainOf = (error: unknown): readonly Readonly<Record<string, unknown>>[] =>
  isObject(error) ? [error, ...chainOf(error['cause'])] : [];

// As Node.js names them: https://nodejs.org/api/tls.html#x509-certificate-error-codes
const certificateCode =
  /^(CERT_|UNABLE_TO_|ERR_TLS_CERT_|(DEPTH_ZERO_)?SELF_SIGNED_CERT|INVALID_(CA|PURPOSE)$|HOSTNAME_MISMATCH$|PATH_LENGTH_EXCEEDED$)/;

// What answers https on this port speaks plain HTTP, or another protocol.
const protocolCode = /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/;

const codeOf = ({ code }: Readonly<Record<string, unknown>>): string =>
  typeof code === 'string' ? code : '';

/** Where a host has several addresses, there is an error for each. */
const isBeforeSending = (error: unknown): boolean => {
  if (!isObject(error)) return false;
  const { errors, syscall } = error;
  if (Array.isArray(errors) && errors.length > 0) return errors.every(isBeforeSending);
  return (
    syscall === 'connect' ||
    syscall === 'getaddrinfo' ||
    codeOf(error) === 'UND_ERR_CONNECT_TIMEOUT'
  );
};

export const failureOf = (error: unknown): Failure => {
  const chain = chainOf(error);
  const codes = chain.map(codeOf);
  if (codes.some((code) => certificateCode.test(code) || protocolCode.test(code))) {
    return 'untrusted';
  }
  if (codes.includes('ENOTFOUND')) return 'unresolved';
  return chain.some(isBeforeSending) ? 'unsent' : 'lost';
};

/** What one error says, in one line, with its code. */
const lineOf = (error: Readonly<Record<string, unknown>>): string => {
  const { message } = error;
  const code = codeOf(error);
  const text = typeof message === 'string' ? message.replaceAll(/\s+/g, ' ').trim() : '';
  if (code === '' || text.includes(code)) return text;
  return text === '' ? code : `${text} (${code})`;
};

/** The innermost reason: `fetch` itself says only that it failed. */
export const reasonOf = (error: unknown): string =>
  chainOf(error)
    .map(lineOf)
    .findLast((line) => line !== '') ?? 'There was no answer.';
