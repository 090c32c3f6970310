/** Writes the API reference: a page for each tag of the OpenAPI document, as Markdown. */
import { type Field, fieldsOf, typeOf } from './fields.ts';
import {
  type Answer,
  type Json,
  jsonIn,
  listIn,
  type Operation,
  operationsOf,
  type Parameter,
  type Resolve,
  resolverOf,
  textIn,
} from './openapi.ts';

export type ApiPage = { readonly path: string; readonly text: string };

const slugOf = (tag: string): string => tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

/** Text beside code: only there is a bracket one of HTML. */
const escaped = (text: string): string =>
  text
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll('<', '&lt;')))
    .join('');

const cell = (text: string): string => escaped(text).replaceAll('|', '\\|').replaceAll('\n', ' ');
const codeCell = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  rows.length === 0
    ? ''
    : [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

const block = (title: string, text: string): string =>
  text === '' ? '' : `**${title}**\n\n${text}`;

const requiredMark = (required: boolean): string => (required ? 'required' : 'optional');

const parameterRows = (parameters: readonly Parameter[], resolve: Resolve) =>
  parameters.map(({ name, place, required, schema, description }) => [
    codeCell(name),
    place,
    codeCell(typeOf(schema, resolve)),
    requiredMark(required),
    cell(description),
  ]);

const fieldRows = (fields: readonly Field[], withRequired: boolean) =>
  fields.map(({ path, type, required, description }) => [
    codeCell(path),
    codeCell(type),
    ...(withRequired ? [requiredMark(required)] : []),
    cell(description),
  ]);

const json = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;

const answerText = (answer: Answer, resolve: Resolve): string => {
  const fields = answer.schema === undefined ? [] : fieldsOf(answer.schema, resolve);
  const headers = answer.headers.map(({ name, description }) => [
    codeCell(name),
    cell(description),
  ]);
  return [
    `**Answer ${answer.status}**: ${escaped(answer.description)}`,
    table(['Header', 'Description'], headers),
    table(['Field', 'Type', 'Description'], fieldRows(fields, false)),
    answer.example === undefined ? '' : json(answer.example),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
};

const errorRows = (answers: readonly Answer[]) =>
  answers
    .filter(({ codes }) => codes.length > 0)
    .map(({ status, codes }) => [
      status,
      codes.map((code) => `[\`${code}\`](../errors.md#${code.toLowerCase()})`).join(', '),
    ]);

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** A value as it is written in an address or a field. */
const printed = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value);

const pathWithExamples = ({ path, parameters }: Operation): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(printed(parameters.find((one) => one.name === name)?.example ?? name)),
  );

const isKey = ({ name }: Parameter): boolean => name.toLowerCase() === 'idempotency-key';

const curlOf = (operation: Operation): string => {
  const { method, parameters, body, needsToken } = operation;
  const query = parameters
    .filter(({ place, required }) => place === 'query' && required)
    .map(({ name, example }) => `${name}=${encodeURIComponent(printed(example))}`);
  const address = `${pathWithExamples(operation)}${query.length === 0 ? '' : `?${query.join('&')}`}`;
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} "$SIMGATE_URL${address}"`,
    ...(needsToken ? ['-H "Authorization: Bearer $SIMGATE_TOKEN"'] : []),
    ...(parameters.some(isKey) ? ['-H "Idempotency-Key: $(uuidgen)"'] : []),
    ...(body === undefined
      ? []
      : [
          '-H "Content-Type: application/json"',
          `-d ${quoted(JSON.stringify(body.example ?? {}))}`,
        ]),
  ];
  return `\`\`\`sh\n${lines.join(' \\\n  ')}\n\`\`\``;
};

/** What the component for trying an operation has to know. */
const tryOf = ({ id, method, path, parameters, body, needsToken, spends }: Operation): string => {
  const fields = parameters
    .filter((one) => !isKey(one))
    .map(({ name, place, required, example }) => ({
      name,
      place,
      required,
      value: required || place === 'path' ? printed(example) : '',
    }));
  const text = body === undefined ? null : JSON.stringify(body.example ?? {}, null, 2);
  const given = JSON.stringify({ id, method, path, fields, body: text, needsToken, spends });
  const attribute = given
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;');
  return `<TryIt :operation="${attribute}" />`;
};

const otherTypes = ({ bodyTypes }: Operation): string => {
  const others = bodyTypes
    .filter((type) => type !== 'application/json')
    .map((type) => `\`${type}\``);
  return others.length === 0 ? '' : `The same fields are also taken as ${others.join(' or ')}.`;
};

const operationText = (operation: Operation, resolve: Resolve): string => {
  const { id, method, path, summary, description, parameters, body, answers, deprecated } =
    operation;
  const bodyFields = body === undefined ? [] : fieldsOf(body.schema, resolve);
  const parameterHead = ['Name', 'In', 'Type', '', 'Description'];
  return [
    `## ${summary}${deprecated ? ' (deprecated)' : ''} {#${id.toLowerCase()}}`,
    `\`${method} ${path}\``,
    escaped(description),
    block('Parameters', table(parameterHead, parameterRows(parameters, resolve))),
    block('Body', table(['Field', 'Type', '', 'Description'], fieldRows(bodyFields, true))),
    otherTypes(operation),
    block('Example', curlOf(operation)),
    ...answers.filter(({ codes }) => codes.length === 0).map((one) => answerText(one, resolve)),
    block('Errors', table(['Status', 'Codes'], errorRows(answers))),
    tryOf(operation),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
};

const indexText = (
  document: Json,
  tags: readonly (readonly [string, readonly Operation[]])[],
): string => {
  const rows = tags.flatMap(([tag, operations]) =>
    operations.map(({ id, method, path, summary }) => [
      `[${cell(summary)}](./${slugOf(tag)}.md#${id.toLowerCase()})`,
      codeCell(method),
      codeCell(path),
    ]),
  );
  return `# API reference

${escaped(textIn(jsonIn(document['info'])['description']))}

${table(['Operation', 'Method', 'Path'], rows)}

The OpenAPI document of this gateway is at \`/openapi.json\`.
`;
};

/** The pages of the reference, in the order of the document's tags. */
export const apiPages = (document: Json): readonly ApiPage[] => {
  const resolve = resolverOf(document);
  const byTag = Map.groupBy(operationsOf(document), ({ tag }) => tag);
  const tags = listIn(document['tags'])
    .map(jsonIn)
    .flatMap(({ name, description }) => {
      const operations = byTag.get(textIn(name)) ?? [];
      return operations.length === 0
        ? []
        : [{ name: textIn(name), description: textIn(description), operations }];
    });
  const pages = tags.map(({ name, description, operations }) => ({
    path: `api/${slugOf(name)}.md`,
    text: `# ${name}

${escaped(description)}

${operations.map((one) => operationText(one, resolve)).join('\n\n')}
`,
  }));
  const listed = tags.map(({ name, operations }) => [name, operations] as const);
  return [{ path: 'api/index.md', text: indexText(document, listed) }, ...pages];
};
