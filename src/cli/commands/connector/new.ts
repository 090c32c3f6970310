/** Defines the command that writes a new connector from the template. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { UsageError } from '../../../lib/errors.ts';
import { type Command, InvalidUsage, operand, textOption } from '../../definition.ts';

const template = new URL('../../../../templates/connector/', import.meta.url);

/** The name in the template's files, which the new one replaces. */
const placeholder = 'my-operator';

const namePattern = /^[a-z][a-z0-9-]{0,39}$/;

const nameFor = (given: string | undefined, folder: string): string => {
  const name = given ?? basename(folder).toLowerCase();
  if (namePattern.test(name)) return name;
  throw new InvalidUsage(
    `"${name}" cannot be the name of a connector: use --name with up to 40 lower-case letters, digits and "-".`,
  );
};

/** Creates the folder; one that is not empty is left alone. */
const makeFolder = async (folder: string): Promise<void> => {
  await mkdir(folder, { recursive: true });
  if ((await readdir(folder)).length === 0) return;
  throw new UsageError(`The folder ${folder} is not empty. Nothing was written.`);
};

export const connectorNew: Command = {
  name: 'connector new',
  summary: 'Write a new connector: wire mapping, tests and a fake operator.',
  operands: ['DIR'],
  options: {
    name: { value: 'NAME', about: 'The name of the connector. Without it, that of the folder.' },
  },
  run: async (args) => {
    const folder = resolve(operand(args, 0));
    const name = nameFor(textOption(args, 'name'), folder);
    await makeFolder(folder);
    const files = (await readdir(template)).sort();
    for (const file of files) {
      const text = await readFile(new URL(file, template), 'utf8');
      await writeFile(join(folder, file), text.replaceAll(placeholder, name));
    }
    const text = [
      `The connector "${name}" is in ${folder}:`,
      ...files.map((file) => `  ${file}`),
      `Next: simgate connector check ${join(operand(args, 0), 'index.js')}`,
    ].join('\n');
    return { data: { name, folder, files }, text };
  },
};
