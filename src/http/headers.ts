/** Defines the headers that every response carries. */

/** Answers are data for programs: no browser should sniff, frame, or store them. */
const always = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

const overHttps = { 'strict-transport-security': 'max-age=31536000' } as const;

/** For answers that do not say how long they may be cached. */
export const uncached = { 'cache-control': 'no-store' } as const;

export type CommonHeaders = (requestId: string) => Readonly<Record<string, string>>;

/** Those that are the same in every answer, cacheable or not. */
export const fixedHeaders = (publicUrl: string | undefined): Readonly<Record<string, string>> =>
  publicUrl?.startsWith('https:') ? { ...always, ...overHttps } : always;

export const commonHeaders = (publicUrl: string | undefined): CommonHeaders => {
  const headers = { ...uncached, ...fixedHeaders(publicUrl) };
  return (requestId) => ({ ...headers, 'request-id': requestId });
};
