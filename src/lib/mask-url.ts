/** Masks what may be a secret in an address. Pure. */

const none: ReadonlySet<string> = new Set();

/**
 * An address fit for a screen: without its password, and without the values of its query but for those named.
 * It need not be a right one: a password may hold any sign.
 */
export const maskUrl = (url: string, shown = none): string =>
  url
    .replace(/\/\/([^:@/]*):.*@/, '//$1:***@')
    .replace(/([?&])([^=&#]*)=[^&#]*/g, (parameter, mark: string, name: string) =>
      shown.has(name) ? parameter : `${mark}${name}=***`,
    );
