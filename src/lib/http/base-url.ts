/** Builds the base of absolute URLs from the public URL or the request's Host header. */
import { GatewayError } from '../errors.ts';

/** A host with an optional port, as RFC 9112 allows in the header. */
const hostPattern = /^(?:[A-Za-z0-9._~%-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/;

/** The base of a direct request; undefined if the header is not a host. */
export const plainBase = (host: string | undefined): string | undefined =>
  host !== undefined && hostPattern.test(host) ? `http://${host}` : undefined;

/** The configured public URL, else the request's own scheme and host. */
export const baseUrl = (
  publicUrl: string | undefined,
  request: { readonly protocol: string; readonly host: string },
): string => {
  if (publicUrl !== undefined) return publicUrl;
  if (!hostPattern.test(request.host)) {
    throw new GatewayError('MALFORMED_REQUEST', {
      message: { en: 'The Host header is not valid.', fa: 'سرآیند Host معتبر نیست.' },
    });
  }
  return `${request.protocol}://${request.host}`;
};
