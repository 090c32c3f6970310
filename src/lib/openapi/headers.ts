/** Defines the response headers of the API, by name, and which response has which. */
import { isPart, type Part } from './part.ts';

const text = { type: 'string' };

const header = (description: string, schema: object, example: string) => ({
  description,
  schema,
  example,
});

export const responseHeaders = {
  'Request-Id': header(
    'The ID of this request. Quote it when you contact support.',
    text,
    '019a8f3e-6c1d-7b52-9a41-3f0c5d2e7b18',
  ),
  'Purchase-Id': header(
    'The ID of the purchase. It is absent if the request was refused before a purchase was recorded.',
    text,
    '019a8f3e-6c1d-7b52-9a41-3f0c5d2e7b18',
  ),
  'Idempotent-Replayed': header(
    'Present on a retry: the response is the recorded one of the first request.',
    { type: 'string', enum: ['true'] },
    'true',
  ),
  'Retry-After': header(
    'How many seconds to wait before you send the request again.',
    { type: 'string', pattern: '^[0-9]+$' },
    '5',
  ),
  RateLimit: header(
    'Present if a rate limit applies: how many requests remain (`r`), and in how many seconds the limit resets (`t`).',
    text,
    '"default";r=99;t=1',
  ),
  'RateLimit-Policy': header(
    'Present if a rate limit applies: how many requests (`q`) are allowed in how many seconds (`w`).',
    text,
    '"default";q=100;w=10',
  ),
  ETag: header(
    'The version of this page. Send it back as `If-None-Match`.',
    text,
    '"q1Yk3sVnXJm8bC0tR5uW2zA7dE4="',
  ),
  Allow: header('The methods that this address accepts.', text, 'GET, HEAD'),
  'WWW-Authenticate': header('The authentication scheme: `Bearer`.', text, 'Bearer'),
} as const;

type ResponseHeader = keyof typeof responseHeaders;

/** Declares headers of one response, beside those of its status. */
export const sends = (...names: readonly ResponseHeader[]) => ({
  headers: Object.fromEntries(names.map((name) => [name, {}])),
});

const byStatus: Readonly<Record<string, readonly ResponseHeader[]>> = {
  405: ['Allow'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

const rateLimit = ['RateLimit', 'RateLimit-Policy'] as const;

/** The headers that every response of a status has. Tokens add theirs. */
export const headersOf = (status: string, operation: Part): readonly ResponseHeader[] => {
  const { security } = operation;
  const takesToken =
    Array.isArray(security) && security.some((one) => isPart(one) && 'token' in one);
  return [
    'Request-Id',
    ...(byStatus[status] ?? []),
    ...(takesToken && status === '401' ? (['WWW-Authenticate'] as const) : []),
    ...(takesToken && /^(?:[23]|429)/.test(status) ? rateLimit : []),
  ];
};
