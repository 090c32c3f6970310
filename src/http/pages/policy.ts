/** Builds the headers that pages share: only what this origin serves, and images inside its style sheets. */

/** The content security policy of a page; inline scripts and styles need a hash or a nonce. */
export const pagePolicy = (allowed: {
  readonly scripts?: readonly string[];
  readonly styles?: readonly string[];
}): string =>
  [
    "default-src 'none'",
    ["script-src 'self'", ...(allowed.scripts ?? [])].join(' '),
    ["style-src 'self'", ...(allowed.styles ?? [])].join(' '),
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

export const pageHeaders = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
} as const;
