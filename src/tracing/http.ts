/** Describes HTTP requests on spans by OpenTelemetry's semantic conventions, without what may be private. */
import type { HttpExchange } from '../lib/http/trace.ts';
import type { Attributes } from './spans.ts';

const portOf = ({ port, protocol }: URL): number => {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
};

/**
 * Of a request that the gateway sends. Of its address only host and port: the rest may contain numbers and
 * secrets.
 */
export const httpAttributes = ({ method, url, status }: HttpExchange): Attributes => ({
  'http.request.method': method,
  'server.address': url.hostname,
  'server.port': portOf(url),
  'http.response.status_code': status,
});
