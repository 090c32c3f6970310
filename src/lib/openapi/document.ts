/** Builds an OpenAPI document from routes: names shared parts in `components` and refers to them. */
import { perKey } from '../memo.ts';
import { headersOf, responseHeaders } from './headers.ts';
import { isPart, mapSchemas, mapValues, type Part, partIn } from './part.ts';
import { type DescribedRoute, describePaths } from './paths.ts';
import { nameResponses } from './responses.ts';

const refTo = (kind: string, name: string): Part => ({ $ref: `#/components/${kind}/${name}` });

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
  // Many routes share a schema, which is then hoisted once.
  const hoistPart = perKey((part: Part): Part => {
    const { title, ...rest } = mapSchemas(part, hoist);
    return typeof title === 'string' ? refer(title, rest) : rest;
  });
  const hoist = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(hoist);
    return isPart(value) ? hoistPart(value) : value;
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

/** Declares the headers of a response by reference, and refers to its shared examples. */
const shareParts = (response: Part, headers: ReadonlySet<string>, examples: Map<string, Part>) => ({
  ...response,
  headers: Object.fromEntries([...headers].map((name) => [name, refTo('headers', name)])),
  ...('content' in response
    ? { content: mapValues(partIn(response, 'content'), (one) => referToExamples(examples, one)) }
    : {}),
});

/** Those with a name that is used; undefined if there are none. */
const onlyUsed = (parts: Part, used: ReadonlySet<string>): Part | undefined => {
  const kept = Object.entries(parts).filter(([name]) => used.has(name));
  return kept.length === 0 ? undefined : Object.fromEntries(kept);
};

export type ApiDescription = {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly publicUrl: string | undefined;
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly components: Part;
  readonly webhooks?: Part;
};

/**
 * Describes the routes, with titled schemas, error examples and repeated error responses in components, and
 * with the headers of every response.
 */
export const buildDocument = (api: ApiDescription, routes: readonly DescribedRoute[]): Part => {
  const { title, version, description, publicUrl, tags } = api;
  const schemas = new Map<string, Part>();
  const examples = new Map<string, Part>();
  const hoist = hoistSchemas(schemas);
  const headers = new Set<string>();
  // The same responses of many routes stay the same object, and are printed once.
  const share = perKey((fixed: string) =>
    perKey((response: Part): Part => {
      const own = Object.keys(partIn(response, 'headers'));
      const names = new Set([...fixed.split(' '), ...own]);
      for (const name of names) headers.add(name);
      return shareParts(response, names, examples);
    }),
  );
  const print = perKey((response: Part): string => JSON.stringify(response));
  const paths = mapOperations(
    mapValues(describePaths(routes), hoist),
    mapResponses((response, status, operation) =>
      share(headersOf(status, operation).join(' '))(response),
    ),
  );
  const webhooks = hoist(api.webhooks);
  const names = nameResponses(paths, print);
  const responses = new Map<string, Part>();
  const refer = mapResponses((response) => {
    const name = names.get(print(response));
    if (name === undefined) return response;
    responses.set(name, response);
    return refTo('responses', name);
  });
  const referring = mapOperations(paths, refer);
  return {
    openapi: '3.1.0',
    info: { title, version, description, license: { name: 'MIT', identifier: 'MIT' } },
    components: {
      ...api.components,
      schemas: Object.fromEntries([...schemas].sort(([one], [other]) => (one < other ? -1 : 1))),
      ...(responses.size === 0 ? {} : { responses: Object.fromEntries(responses) }),
      headers: onlyUsed(responseHeaders, headers),
      ...(examples.size === 0 ? {} : { examples: Object.fromEntries(examples) }),
    },
    paths: referring,
    servers: [{ url: publicUrl ?? '/' }],
    webhooks,
    tags,
    externalDocs: { description: 'Guides and examples', url: `${publicUrl ?? ''}/docs` },
  };
};
