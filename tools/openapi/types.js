/** Writes the TypeScript types of an OpenAPI document. */
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import openapiTypescript, { astToString } from 'openapi-typescript';

const [document = '', file = ''] = process.argv.slice(2);
writeFileSync(file, astToString(await openapiTypescript(pathToFileURL(document))));
