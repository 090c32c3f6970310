/** Owns the headers that every answer carries, also one that is written before a route is found. */

/** Answers are data for programs: no browser should guess, frame, or keep them. */
const always = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

const overHttps = { 'strict-transport-security': 'max-age=31536000' } as const;

export type CommonHeaders = (requestId: string) => Readonly<Record<string, string>>;

export const commonHeaders = (publicUrl: string | undefined): CommonHeaders => {
  const headers = publicUrl?.startsWith('https:') ? { ...always, ...overHttps } : always;
  return (requestId) => ({ ...headers, 'request-id': requestId });
};
