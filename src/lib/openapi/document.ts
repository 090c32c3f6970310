/** Finishes an OpenAPI document: names shared parts in `components` and refers to them. */
import { headersOf, responseHeaders } from './headers.ts';
import { isPart, type Part, partIn } from './part.ts';
import { nameResponses } from './responses.ts';

const mapValues = (part: Part, map: (value: unknown, key: string) => unknown): Part =>
  Object.fromEntries(Object.entries(part).map(([key, value]) => [key, map(value, key)]));

const refTo = (kind: string, name: string): Part => ({ $ref: `#/components/${kind}/${name}` });

/** These contain values, in which a title does not name a schema. */
const valueKeys = new Set(['example', 'examples', 'default', 'const', 'enum']);

/** Moves each schema that has a title into `schemas`, and leaves a reference. */
const hoistSchemas = (schemas: Map<string, Part>) => {
  const refer = (title: string, { description, ...schema }: Part): Part => {
    const { description: known, ...same } = schemas.get(title) ?? { description, ...schema };
    if (JSON.stringify(same) !== JSON.stringify(schema)) {
      throw new Error(`Two different schemas have the title ${title}.`);
    }
    // A parameter has the description beside its schema, not in it.
    const kept = known ?? description;
    schemas.set(title, { ...(kept === undefined ? {} : { description: kept }), ...schema });
    const isOther = description !== undefined && description !== kept;
    return { ...refTo('schemas', title), ...(isOther ? { description } : {}) };
  };
  const hoist = (value: unknown, isMap = false): unknown => {
    if (Array.isArray(value)) return value.map((one: unknown) => hoist(one));
    if (!isPart(value)) return value;
    const { title, ...rest } = mapValues(value, (one, key) =>
      !isMap && valueKeys.has(key) ? one : hoist(one, !isMap && key === 'properties'),
    );
    if (isMap) return title === undefined ? rest : { ...rest, title };
    return typeof title === 'string' ? refer(title, rest) : rest;
  };
  return hoist;
};

/** Refers to shared examples by name: those of errors are named by code. */
const referToExamples = (examples: Map<string, Part>, media: unknown): unknown => {
  if (!isPart(media) || !isPart(media['examples'])) return media;
  const named = mapValues(media['examples'], (example, name) => {
    if (!isPart(example) || partIn(example, 'value')['code'] !== name) return example;
    examples.set(name, example);
    return refTo('examples', name);
  });
  return { ...media, examples: named };
};

const methods = new Set(['get', 'post', 'put', 'patch', 'delete']);

/** Applies a change to each operation of the paths or webhooks. */
const mapOperations = (paths: Part, map: (operation: Part) => Part): Part =>
  mapValues(paths, (path) =>
    isPart(path)
      ? mapValues(path, (one, key) => (methods.has(key) && isPart(one) ? map(one) : one))
      : path,
  );

const mapResponses =
  (map: (response: Part, status: string, operation: Part) => Part) =>
  (operation: Part): Part => ({
    ...operation,
    responses: mapValues(partIn(operation, 'responses'), (response, status) =>
      isPart(response) ? map(response, status, operation) : response,
    ),
  });

/** Declares the headers of a response by reference. */
const withHeaders = (response: Part, status: string, operation: Part): Part => {
  const names = new Set([
    ...headersOf(status, operation),
    ...Object.keys(partIn(response, 'headers')),
  ]);
  const headers = Object.fromEntries([...names].map((name) => [name, refTo('headers', name)]));
  return { ...response, headers };
};

const referencesIn = (value: unknown): Set<string> =>
  new Set(JSON.stringify(value).match(/(?<="\$ref":")[^"]+/g));

/** Those that the document refers to. */
const onlyUsed = (kind: string, parts: Iterable<readonly [string, unknown]>, used: Set<string>) => {
  const kept = [...parts].filter(([name]) => used.has(String(refTo(kind, name)['$ref'])));
  return kept.length === 0 ? {} : { [kind]: Object.fromEntries(kept) };
};

/**
 * Moves titled schemas, error examples and repeated error responses into components, and declares the headers
 * of every response. Routes and their validation stay unchanged.
 */
export const finishDocument = (document: unknown): Part => {
  const plain: unknown = JSON.parse(JSON.stringify(document));
  if (!isPart(plain)) throw new TypeError('An OpenAPI document is an object.');
  const schemas = new Map<string, Part>();
  const examples = new Map<string, Part>();
  const hoist = hoistSchemas(schemas);
  const share = mapResponses((response, status, operation) => ({
    ...withHeaders(response, status, operation),
    ...('content' in response
      ? { content: mapValues(partIn(response, 'content'), (one) => referToExamples(examples, one)) }
      : {}),
  }));
  const paths = mapOperations(partIn({ paths: hoist(plain['paths']) }, 'paths'), share);
  const webhooks = hoist(plain['webhooks']);
  const names = nameResponses(paths);
  const responses = new Map<string, Part>();
  const refer = mapResponses((response) => {
    const name = names.get(JSON.stringify(response));
    if (name === undefined) return response;
    responses.set(name, response);
    return refTo('responses', name);
  });
  const finished = {
    paths: mapOperations(paths, refer),
    ...(webhooks === undefined ? {} : { webhooks }),
  };
  const used = referencesIn([finished, [...responses.values()], [...schemas.values()]]);
  return {
    ...plain,
    ...finished,
    components: {
      ...partIn(plain, 'components'),
      schemas: Object.fromEntries([...schemas].sort(([one], [other]) => (one < other ? -1 : 1))),
      ...(responses.size === 0 ? {} : { responses: Object.fromEntries(responses) }),
      ...onlyUsed('headers', Object.entries(responseHeaders), used),
      ...onlyUsed('examples', examples, used),
    },
  };
};
