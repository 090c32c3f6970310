/** Spectral's rules: `spectral:oas`, with three exceptions. */
import rulesets from '@stoplight/spectral-rulesets';

export const ruleset = {
  extends: [rulesets.oas],
  rules: {
    // A self-hosted gateway has no contact that this project could name.
    'info-contact': 'off',
    // The contract writes three paths with a trailing slash, and existing clients call them so.
    'path-keys-no-trailing-slash': 'off',
    // It takes the fields of an operator's settings in an example for schemas. `oas3-valid-media-example`
    // checks the same examples as a whole.
    'oas3-valid-schema-example': 'off',
  },
};
