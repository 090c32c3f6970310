/** Prints what publint and "Are the types wrong?" find in the tarball of a package, as JSON. */
import { readFileSync } from 'node:fs';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

const [file = ''] = process.argv.slice(2);
const bytes = readFileSync(file);

const { messages, pkg } = await publint({ pack: { tarball: new Uint8Array(bytes).buffer } });
const checked = await checkPackage(createPackageFromTarballData(new Uint8Array(bytes)));

console.log(
  JSON.stringify({
    publint: messages.map((message) => formatMessage(message, pkg, { color: false })),
    types: checked.types === false ? [{ kind: 'NoTypes' }] : checked.problems,
  }),
);
