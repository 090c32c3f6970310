/** Says which version of the library this is. Written by scripts/set-version.js. */
export const version = '0.9.0';
