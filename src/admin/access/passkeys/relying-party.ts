/** Derives the WebAuthn relying party from a base URL: passkeys are bound to a domain name. Pure. */
import { isIP } from 'node:net';

export type RelyingParty = { readonly id: string; readonly origin: string };

/** Undefined where browsers offer no passkeys: on an IP address, and over plain http except on localhost. */
export const relyingPartyOf = (base: string): RelyingParty | undefined => {
  if (!URL.canParse(base)) return undefined;
  const { hostname, origin, protocol } = new URL(base);
  // An IPv6 address is in brackets.
  if (isIP(hostname) !== 0 || hostname.startsWith('[')) return undefined;
  const isSecure = protocol === 'https:' || hostname === 'localhost';
  return isSecure ? { id: hostname, origin } : undefined;
};
