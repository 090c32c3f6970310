/** Redocly's rules: the recommended ones, with one exception. */
export const redocly = {
  extends: ['recommended'],
  rules: {
    // The contract writes three paths with a trailing slash, and existing clients call them so.
    'no-path-trailing-slash': 'off',
  },
};
