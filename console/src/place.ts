/** Reads the console's base path and style nonce from the page. */

const meta = (selector: string): HTMLElement | null => document.querySelector(selector);

/** The path of the console itself, below whatever the gateway is served at. */
export const consoleBase = meta('meta[name="simgate-base"]')?.getAttribute('content') ?? '/console';

/** What comes before the paths of the gateway's API. */
export const apiBase = consoleBase.replace(/\/console$/, '');

/** Allows the styles of this page, and no others. */
export const styleNonce = meta('meta[property="csp-nonce"]')?.nonce ?? '';

/** The address of a page of the console, to be handed to somebody. */
export const addressOf = (path: string): string => `${location.origin}${consoleBase}${path}`;
