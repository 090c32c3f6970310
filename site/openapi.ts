/** Reads an OpenAPI document: its operations, with every reference followed. */

export type Json = Readonly<Record<string, unknown>>;

const isJson = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const jsonIn = (value: unknown): Json => (isJson(value) ? value : {});
export const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const textIn = (value: unknown): string => (typeof value === 'string' ? value : '');

export type Resolve = (value: unknown) => Json;

/** Follows references within a document, one after another. */
export const resolverOf = (document: Json): Resolve => {
  const resolve = (value: unknown): Json => {
    const found = jsonIn(value);
    const reference = found['$ref'];
    if (typeof reference !== 'string') return found;
    const steps = reference.replace(/^#\//, '').split('/');
    const target = steps.reduce<Json>((part, step) => {
      const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
      if (!Object.hasOwn(part, name)) throw new Error(`${reference} leads nowhere.`);
      return jsonIn(part[name]);
    }, document);
    // What stands beside a reference, as its description, wins.
    const { $ref: _followed, ...own } = found;
    return { ...resolve(target), ...own };
  };
  return resolve;
};

export type Parameter = {
  readonly name: string;
  readonly place: string;
  readonly required: boolean;
  readonly description: string;
  readonly schema: Json;
  readonly example: unknown;
};

export type Answer = {
  readonly status: string;
  readonly description: string;
  readonly schema: Json | undefined;
  readonly example: unknown;
  readonly headers: readonly { readonly name: string; readonly description: string }[];
  readonly codes: readonly string[];
};

export type Operation = {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description: string;
  readonly deprecated: boolean;
  readonly needsToken: boolean;
  /** Whether it takes money from the balance: those operations take a key. */
  readonly spends: boolean;
  readonly parameters: readonly Parameter[];
  readonly body: { readonly schema: Json; readonly example: unknown } | undefined;
  readonly bodyTypes: readonly string[];
  readonly answers: readonly Answer[];
};

const firstExample = (holder: Json, schema: Json, resolve: Resolve): unknown => {
  if ('example' in holder) return holder['example'];
  const [named] = Object.values(jsonIn(holder['examples']));
  if (named !== undefined) return resolve(named)['value'];
  return schema['example'] ?? listIn(schema['examples'])[0] ?? schema['default'];
};

const parameterOf = (given: unknown, resolve: Resolve): Parameter => {
  const one = resolve(given);
  const schema = resolve(one['schema']);
  return {
    name: textIn(one['name']),
    place: textIn(one['in']),
    required: one['required'] === true,
    description: textIn(one['description']) || textIn(schema['description']),
    schema,
    example: firstExample(one, schema, resolve),
  };
};

/** The codes of an error: those that its schema allows, else those that its examples or its description name. */
const codesOf = (response: Json, content: Json, resolve: Resolve): readonly string[] => {
  const schema = resolve(content['schema']);
  const parts = [schema, ...listIn(schema['allOf']).map(resolve)];
  const allowed = parts
    .map((part) => resolve(jsonIn(part['properties'])['code']))
    .flatMap((code) => [...listIn(code['enum']), code['const']])
    .map(textIn)
    .filter((code) => code !== '');
  if (allowed.length > 0) return [...new Set(allowed)];
  const named = textIn(response['description']).match(/(?<=`)[A-Z]+(?:_[A-Z]+)*(?=`)/g) ?? [];
  return [...new Set([...Object.keys(jsonIn(content['examples'])), ...named])];
};

const answerOf = (status: string, given: unknown, resolve: Resolve): Answer => {
  const response = resolve(given);
  const content = resolve(jsonIn(response['content'])['application/json']);
  const schema = content['schema'] === undefined ? undefined : resolve(content['schema']);
  const headers = Object.entries(jsonIn(response['headers'])).map(([name, header]) => ({
    name,
    description: textIn(resolve(header)['description']),
  }));
  const isError = Number(status) >= 400 || status === '202';
  return {
    status,
    description: textIn(response['description']),
    schema,
    example: firstExample(content, schema ?? {}, resolve),
    headers,
    codes: isError ? codesOf(response, content, resolve) : [],
  };
};

const operationOf = (
  [path, method]: readonly [string, string],
  given: unknown,
  { resolve, security }: { readonly resolve: Resolve; readonly security: unknown },
): Operation => {
  const one = resolve(given);
  const parameters = listIn(one['parameters']).map((each) => parameterOf(each, resolve));
  const contents = jsonIn(resolve(one['requestBody'])['content']);
  const content = jsonIn(contents['application/json']);
  const schema = resolve(content['schema']);
  return {
    id: textIn(one['operationId']),
    method: method.toUpperCase(),
    path,
    tag: textIn(listIn(one['tags'])[0]),
    summary: textIn(one['summary']),
    description: textIn(one['description']),
    deprecated: one['deprecated'] === true,
    needsToken: listIn(one['security'] ?? security).some(
      (each) => Object.keys(jsonIn(each)).length > 0,
    ),
    spends: parameters.some(({ name }) => name.toLowerCase() === 'idempotency-key'),
    parameters,
    body:
      content['schema'] === undefined
        ? undefined
        : { schema, example: firstExample(content, schema, resolve) },
    bodyTypes: Object.keys(contents),
    answers: Object.entries(jsonIn(one['responses'])).map(([status, each]) =>
      answerOf(status, each, resolve),
    ),
  };
};

const methods = ['get', 'post', 'put', 'patch', 'delete'];

/** All operations. Those that are deprecated come last: readers take the first that fits. */
export const operationsOf = (document: Json): readonly Operation[] => {
  const resolve = resolverOf(document);
  const context = { resolve, security: document['security'] };
  const all = Object.entries(jsonIn(document['paths'])).flatMap(([path, given]) => {
    const item = resolve(given);
    return methods
      .filter((method) => method in item)
      .map((method) => operationOf([path, method], item[method], context));
  });
  return all.toSorted((one, other) => Number(one.deprecated) - Number(other.deprecated));
};
