/** Generates the Postman collection from the OpenAPI document, so that both always agree. */
import { at, keysOf, listOf } from './answers.ts';

const schemaOfCollection = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

/** The example that stands beside a schema, or in it. */
const exampleAt = (described: unknown): unknown => {
  const [named] = keysOf(at(described, 'examples'));
  const beside = named === undefined ? undefined : at(described, 'examples', named, 'value');
  return at(described, 'example') ?? beside ?? sampleOf(at(described, 'schema'));
};

const exampleOf = (parameter: unknown): string => {
  const example = exampleAt(parameter);
  return typeof example === 'string' || typeof example === 'number' ? String(example) : '';
};

const parametersIn = (operation: unknown, place: string): unknown[] =>
  listOf(at(operation, 'parameters') ?? []).filter((one) => at(one, 'in') === place);

const textAt = (value: unknown, ...path: readonly string[]): string => {
  const text = at(value, ...path);
  return typeof text === 'string' ? text : '';
};

/** The example of a schema: its own, or one made of those of its required fields. */
const sampleOf = (schema: unknown): unknown => {
  const [own] = listOf(at(schema, 'examples') ?? []);
  if (own !== undefined) return own;
  if (at(schema, 'const') !== undefined) return at(schema, 'const');
  const [choice] = listOf(at(schema, 'enum') ?? []);
  if (choice !== undefined) return choice;
  const required = listOf(at(schema, 'required') ?? []).map(String);
  return Object.fromEntries(
    required.map((name) => [name, sampleOf(at(schema, 'properties', name))]),
  );
};

/** What is sent as JSON, where anything is. */
const jsonOf = (operation: unknown): string | undefined => {
  const content = at(operation, 'requestBody', 'content', 'application/json');
  if (content === undefined) return undefined;
  return JSON.stringify(exampleAt(content), null, 2);
};

const itemOf = (path: string, method: string, operation: unknown) => {
  const json = jsonOf(operation);
  const keyed = parametersIn(operation, 'header').some(
    (one) => String(at(one, 'name')).toLowerCase() === 'idempotency-key',
  );
  const segments = path.split('/').slice(1);
  const required = method === 'get' && keyed;
  const query = parametersIn(operation, 'query').map((one) => ({
    key: String(at(one, 'name')),
    value: exampleOf(one),
    description: textAt(one, 'description') || textAt(one, 'schema', 'description'),
    // Ready to be switched on: most of them narrow what is found. What is bought by GET needs them all.
    ...(required && at(one, 'required') === true ? {} : { disabled: true }),
  }));
  return {
    name: String(at(operation, 'summary')),
    request: {
      method: method.toUpperCase(),
      description: textAt(operation, 'description'),
      header: [
        ...(keyed ? [{ key: 'Idempotency-Key', value: '{{$guid}}' }] : []),
        ...(json === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
      ],
      ...(json === undefined ? {} : { body: { mode: 'raw', raw: json } }),
      url: {
        raw: `{{url}}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
        host: ['{{url}}'],
        path: segments.map((segment) => segment.replace(/^\{(\w+)\}$/, ':$1')),
        ...(query.length === 0 ? {} : { query }),
        variable: parametersIn(operation, 'path').map((one) => ({
          key: String(at(one, 'name')),
          value: exampleOf(one),
        })),
      },
    },
  };
};

/** The collection: a folder for each tag, a request for each operation that takes a token. */
export const collectionOf = (api: unknown): unknown => {
  const operations = keysOf(at(api, 'paths')).flatMap((path) =>
    keysOf(at(api, 'paths', path)).map((method) => ({
      path,
      method,
      operation: at(api, 'paths', path, method),
    })),
  );
  const folders = listOf(at(api, 'tags')).map((tag) => ({
    name: String(at(tag, 'name')),
    description: String(at(tag, 'description')),
    item: operations
      .filter(({ operation }) => listOf(at(operation, 'tags') ?? []).includes(at(tag, 'name')))
      .map(({ path, method, operation }) => itemOf(path, method, operation)),
  }));
  return {
    info: {
      name: 'Simgate',
      description: String(at(api, 'info', 'description')),
      schema: schemaOfCollection,
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
    variable: [
      { key: 'url', value: 'http://127.0.0.1:3000' },
      { key: 'token', value: '' },
    ],
    item: folders.filter(({ item }) => item.length > 0),
  };
};
