/** Generates the Postman collection from the OpenAPI document: each request checks its response and feeds the next. */
import { at, keysOf, listOf } from './answers.ts';
import { resolveDocument } from './openapi.ts';

const schemaOfCollection = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

/** The example beside a schema, or in it. */
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

/** The example of a schema: its own, or one built from those of its required fields. */
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

/** The JSON body, if there is one. */
const jsonOf = (operation: unknown): string | undefined => {
  const content = at(operation, 'requestBody', 'content', 'application/json');
  if (content === undefined) return undefined;
  return JSON.stringify(exampleAt(content), null, 2);
};

/** What a response provides for later requests, by operation. */
const saves: Readonly<Record<string, readonly string[]>> = {
  listOffers: [
    'const [offer] = pm.response.json().offersList;',
    "pm.collectionVariables.set('offer_code', offer.offerCode);",
    "pm.collectionVariables.set('offer_type', offer.offerType);",
    "pm.collectionVariables.set('offer_price', Math.round(Number(offer.amount) * 1.1));",
  ],
  buyPackage: [
    "pm.collectionVariables.set('purchase_id', pm.response.headers.get('Purchase-Id'));",
  ],
  createWebhook: ["pm.collectionVariables.set('webhook_id', pm.response.json().id);"],
  listWebhookMessages: ["pm.collectionVariables.set('message_id', pm.response.json().data[0].id);"],
};

/** The checks of a response besides its status. */
const checks: Readonly<Record<string, readonly string[]>> = {
  listProducts: ["pm.test('lists products', () => pm.expect(pm.response.json().data).not.empty);"],
  buyPackage: ["pm.test('names the purchase', () => pm.response.to.have.header('Purchase-Id'));"],
  getPurchase: [
    "pm.test('has succeeded', () => pm.expect(pm.response.json().state).to.equal('succeeded'));",
  ],
};

/** Bodies built from earlier responses. */
const chained: Readonly<Record<string, object>> = {
  buyPackage: {
    product_id: 510,
    mobile: '989123456700',
    price: '{{offer_price}}',
    offerCode: '{{offer_code}}',
    offerType: '{{offer_type}}',
    webservice_code: 'order-1001',
  },
};

/** A purchase after the webhook was created, so that there is a message to list. */
const buyFirst = [
  'pm.sendRequest({',
  "  url: pm.variables.replaceIn('{{url}}/api/top-up/'),",
  "  method: 'POST',",
  '  header: {',
  "    Authorization: pm.variables.replaceIn('Bearer {{token}}'),",
  "    'Idempotency-Key': pm.variables.replaceIn('{{$guid}}'),",
  "    'Content-Type': 'application/json',",
  '  },',
  "  body: { mode: 'raw', raw: JSON.stringify({ product_id: 2201, mobile: '989123456700', price: 100000, webservice_code: 'message' }) },",
  '}, () => {});',
];

const variables: Readonly<Record<string, string>> = {
  id: '{{purchase_id}}',
  webhook_id: '{{webhook_id}}',
  message_id: '{{message_id}}',
};

const scriptOf = (listen: 'test' | 'prerequest', exec: readonly string[]) => ({
  listen,
  script: { type: 'text/javascript', exec },
});

const eventsOf = (operation: unknown) => {
  const id = String(at(operation, 'operationId'));
  const status = keysOf(at(operation, 'responses')).find((one) => one.startsWith('2')) ?? '200';
  const exec = [
    `pm.test('answers ${status}', () => pm.response.to.have.status(${status}));`,
    "pm.test('names the request', () => pm.response.to.have.header('Request-Id'));",
    ...(checks[id] ?? []),
    ...(saves[id] ?? []),
  ];
  return [
    ...(id === 'listWebhookMessages' ? [scriptOf('prerequest', buyFirst)] : []),
    scriptOf('test', exec),
  ];
};

const itemOf = (path: string, method: string, operation: unknown) => {
  const body = chained[String(at(operation, 'operationId'))];
  const json = body === undefined ? jsonOf(operation) : JSON.stringify(body, null, 2);
  const keyed = parametersIn(operation, 'header').some(
    (one) => String(at(one, 'name')).toLowerCase() === 'idempotency-key',
  );
  const segments = path.split('/').slice(1);
  const required = method === 'get' && keyed;
  const query = parametersIn(operation, 'query').map((one) => ({
    key: String(at(one, 'name')),
    value: exampleOf(one),
    description: textAt(one, 'description') || textAt(one, 'schema', 'description'),
    // Disabled by default: most of them narrow the result. Buying by GET needs them all.
    ...(required && at(one, 'required') === true ? {} : { disabled: true }),
  }));
  return {
    name: String(at(operation, 'summary')),
    event: eventsOf(operation),
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
          value: variables[String(at(one, 'name'))] ?? exampleOf(one),
        })),
      },
    },
  };
};

/** The collection: a folder for each tag, a request for each operation that takes a token. */
export const collectionOf = (document: unknown): unknown => {
  const api = resolveDocument(document);
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
      // Deletions come last: the others need what they delete.
      .sort((one, other) => Number(one.method === 'delete') - Number(other.method === 'delete'))
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
