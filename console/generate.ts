/** Generates the console's types from the OpenAPI document of the admin API. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { comment, listIn, type Schema, schemaIn, typePrinter } from '../sdk/print.ts';
import { request, startServer, type TestServer } from '../test/support/server.ts';

const header = `/** Declares the types of the admin API. Written by console/generate.ts: change the routes, not this file. */\n`;

const printType = typePrinter();
const inner = '    ';

const within = (value: unknown, ...path: readonly string[]): Schema =>
  path.reduce<Schema>((found, key) => schemaIn(found[key]), schemaIn(value));

/** The parameters of a kind as one object; undefined if there are none. */
const parameters = (operation: Schema, place: string): string => {
  const found = listIn(operation['parameters'])
    .map(schemaIn)
    .filter((one) => one['in'] === place);
  const fields = found.map((one) => {
    const mark = one['required'] === true ? '' : '?';
    const type = printType(schemaIn(one['schema']), `${inner}  `);
    return `${comment(one, `${inner}  `)}${inner}  readonly ${String(one['name'])}${mark}: ${type};\n`;
  });
  return found.length === 0 ? 'undefined' : `{\n${fields.join('')}${inner}}`;
};

const jsonOf = (value: Schema): string => {
  const schema = within(value, 'content', 'application/json', 'schema');
  return Object.keys(schema).length === 0 ? 'undefined' : printType(schema, inner);
};

/** What a success answers. */
const answerOf = (operation: Schema): string => {
  const responses = schemaIn(operation['responses']);
  const success = Object.keys(responses).find((status) => status.startsWith('2')) ?? '';
  const type = jsonOf(within(responses, success));
  return type === 'null' ? 'undefined' : type;
};

type Operation = { readonly id: string; readonly method: string; readonly path: string } & {
  readonly is: Schema;
};

/** A parameter, wherever the document has it. */
const resolveIn = (text: unknown, parameter: unknown): Schema => {
  const one = schemaIn(parameter);
  const { $ref: ref } = one;
  return typeof ref === 'string' ? within(text, ...ref.split('/').slice(1)) : one;
};

const operationsIn = (text: unknown): readonly Operation[] =>
  Object.entries(within(text, 'paths')).flatMap(([path, methods]) =>
    Object.entries(schemaIn(methods)).map(([method, given]) => {
      const described = schemaIn(given);
      const resolve = (one: unknown): Schema => resolveIn(text, one);
      const is: Schema = { ...described, parameters: listIn(described['parameters']).map(resolve) };
      return { id: String(is['operationId']), method: method.toUpperCase(), path, is };
    }),
  );

const printOperation = ({ id, is }: Operation): string =>
  `  /** ${String(is['summary'])}. */\n  readonly ${id}: {\n` +
  `${inner}readonly params: ${parameters(is, 'path')};\n` +
  `${inner}readonly query: ${parameters(is, 'query')};\n` +
  `${inner}readonly body: ${jsonOf(schemaIn(is['requestBody']))};\n` +
  `${inner}readonly answer: ${answerOf(is)};\n  };\n`;

const printPlace = ({ id, method, path }: Operation): string =>
  `  ${id}: { method: '${method}', path: '${path}' },\n`;

/** The schemas that operations share, by name. */
const printSchemas = (text: unknown): string =>
  Object.entries(within(text, 'components', 'schemas'))
    .map(([name, given]) => {
      const schema = schemaIn(given);
      return `\n${comment(schema, '')}export type ${name} = ${printType(schema, '')};\n`;
    })
    .join('');

/** The text of the types. */
export const printConsoleTypes = async (server: TestServer): Promise<string> => {
  const { body } = await request(server, '/admin/openapi.json', { token: null });
  const operations = [...operationsIn(body)].sort((one, other) => (one.id < other.id ? -1 : 1));
  return (
    `${header}${printSchemas(body)}\nexport type Operations = {\n${operations.map(printOperation).join('')}};\n\n` +
    `/** Where each is found. */\nexport const places = {\n${operations.map(printPlace).join('')}} as const;\n`
  );
};

export const consoleTypesFile = fileURLToPath(new URL('./src/api/types.ts', import.meta.url));

if (import.meta.main) {
  const server = await startServer({ engine: 'sqlite' });
  writeFileSync(consoleTypesFile, await printConsoleTypes(server));
  await server.stop();
}
