/** Reads the console's base path and style nonce from the page. */

const meta = (selector: string): HTMLElement | null => document.querySelector(selector);

/** The path of the console itself, below the gateway's own prefix. */
export const consoleBase = meta('meta[name="simgate-base"]')?.getAttribute('content') ?? '/console';

/** The prefix of the gateway's API paths. */
export const apiBase = consoleBase.replace(/\/console$/, '');

/** Allows the styles of this page, and no others. */
export const styleNonce = meta('meta[property="csp-nonce"]')?.nonce ?? '';

/** The full address of a page of the console, to be shared. */
export const addressOf = (path: string): string => `${location.origin}${consoleBase}${path}`;
