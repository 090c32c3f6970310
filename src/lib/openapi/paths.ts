/** Describes routes as the paths of an OpenAPI document, by their own schemas. */
import { perKey } from '../memo.ts';
import { isPart, mapSchemas, mapValues, type Part, partIn } from './part.ts';

/** A route, and what the document shows of it. */
export type DescribedRoute = {
  readonly method: string | readonly string[];
  readonly url: string;
  readonly schema: Part;
};

type Convert = (schema: unknown) => unknown;

const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Replaces what many tools do not know: `const` and `patternProperties`. Each schema is converted once. */
const createConvert = (): Convert => {
  const convertPart = perKey(({ const: only, patternProperties, ...others }: Part): Part => {
    const [pattern] = isPart(patternProperties) ? Object.values(patternProperties) : [];
    return {
      ...mapSchemas(others, convert),
      ...(only === undefined ? {} : { enum: [only] }),
      ...(pattern === undefined ? {} : { additionalProperties: convert(pattern) }),
    };
  });
  const convert: Convert = (value) => {
    if (Array.isArray(value)) return value.map(convert);
    return isPart(value) ? convertPart(value) : value;
  };
  return convert;
};

const numbered = (value: unknown, index: number) => [`example${index + 1}`, { value }] as const;

/** A schema, with its examples beside it. */
const mediaOf = (given: unknown, convert: Convert): Part => {
  const { examples, ...schema } = isPart(given) ? given : {};
  const all = listIn(examples);
  return {
    schema: convert(schema),
    ...(all.length === 1 ? { example: all[0] } : {}),
    ...(all.length > 1 ? { examples: Object.fromEntries(all.map(numbered)) } : {}),
  };
};

/** The same body in each of the media types. */
const contentOf = (types: readonly unknown[], schema: unknown, convert: Convert): Part => {
  const media = mediaOf(schema, convert);
  return Object.fromEntries(types.map((type) => [String(type), media]));
};

const json = ['application/json'];

const requestBodyOf = ({ body, consumes }: Part, convert: Convert): Part => {
  if (isPart(body) && isPart(body['content'])) {
    const content = mapValues(body['content'], (media) =>
      mediaOf(partIn(media, 'schema'), convert),
    );
    return { required: true, content };
  }
  const description = isPart(body) ? body['description'] : undefined;
  const types = Array.isArray(consumes) ? consumes : json;
  return { required: true, content: contentOf(types, body, convert), description };
};

const parametersIn = (place: string, schema: unknown, convert: Convert): readonly Part[] => {
  const required = isPart(schema) ? listIn(schema['required']) : [];
  return Object.entries(partIn(schema, 'properties')).map(([name, property]) => {
    const { description, ...others } = isPart(property) ? property : {};
    return {
      ...mediaOf(others, convert),
      in: place,
      name,
      required: required.includes(name),
      description,
    };
  });
};

const describeResponse = (given: unknown, convert: Convert): Part => {
  if (!isPart(given)) throw new TypeError('A response is described by an object.');
  const { 'x-response-description': own, headers, content, ...schema } = given;
  const { description, type } = schema;
  const described = isPart(content)
    ? mapValues(content, (media) => ({
        ...(isPart(media) ? media : {}),
        schema: convert(partIn(media, 'schema')),
      }))
    : contentOf(json, schema, convert);
  return {
    description: own ?? description,
    ...(headers === undefined ? {} : { headers }),
    ...(type === 'null' ? {} : { content: described }),
  };
};

const operationOf = (
  schema: Part,
  convert: Convert,
  responseOf: (given: unknown) => Part,
): Part => {
  const parameters = [
    ...parametersIn('query', schema['querystring'], convert),
    ...parametersIn('path', schema['params'], convert),
    ...parametersIn('header', schema['headers'], convert),
  ];
  const extensions = Object.entries(schema).filter(([name]) => name.startsWith('x-'));
  return {
    operationId: schema['operationId'],
    summary: schema['summary'],
    tags: schema['tags'],
    description: schema['description'],
    ...(schema['body'] === undefined ? {} : { requestBody: requestBodyOf(schema, convert) }),
    ...(parameters.length === 0 ? {} : { parameters }),
    deprecated: schema['deprecated'],
    security: schema['security'],
    ...Object.fromEntries(extensions),
    responses: mapValues(partIn(schema, 'response'), responseOf),
  };
};

/** The framework adds a HEAD to each GET, which needs no description of its own. */
const methodsOf = ({ method }: DescribedRoute): readonly string[] =>
  [method].flat().filter((one) => one !== 'HEAD');

/** The paths of the document: all routes that are not hidden, in their order. */
export const describePaths = (routes: readonly DescribedRoute[]): Part => {
  const convert = createConvert();
  // Many routes share a response too.
  const responseOf = perKey((given: unknown) => describeResponse(given, convert));
  const paths: Record<string, Part> = {};
  for (const route of routes) {
    const methods = methodsOf(route);
    if (route.schema['hide'] === true || methods.length === 0) continue;
    const path = route.url.replaceAll(/:(\w+)/g, '{$1}');
    const operation = operationOf(route.schema, convert, responseOf);
    const operations = methods.map((method) => [method.toLowerCase(), operation] as const);
    paths[path] = { ...paths[path], ...Object.fromEntries(operations) };
  }
  return paths;
};
