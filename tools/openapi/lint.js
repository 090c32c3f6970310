/** Prints what Redocly and Spectral find in an OpenAPI document, as JSON. */
import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral from '@stoplight/spectral-core';
import { redocly } from './redocly.js';
import { ruleset } from './spectral.js';

const [file = ''] = process.argv.slice(2);
const source = readFileSync(file, 'utf8');

const problems = await lintFromString({
  source,
  absoluteRef: file,
  config: await createConfig(redocly),
});
const linter = new spectral.Spectral();
linter.setRuleset(ruleset);
const findings = await linter.run(JSON.parse(source));

console.log(
  JSON.stringify({
    redocly: problems.map(
      ({ severity, ruleId, message, location }) =>
        `${severity} ${ruleId} ${location[0]?.pointer}: ${message}`,
    ),
    spectral: findings.map(({ code, path, message }) => `${code} ${path.join('/')}: ${message}`),
  }),
);
