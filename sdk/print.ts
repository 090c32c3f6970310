/** Prints a JSON schema as a TypeScript type. */

export type Schema = Readonly<Record<string, unknown>>;

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null;
export const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const schemaIn = (value: unknown): Schema => (isSchema(value) ? value : {});

export const comment = (schema: Schema, indent: string): string => {
  const { description } = schema;
  return typeof description === 'string' && description !== ''
    ? `${indent}/** ${description.replaceAll('*/', '* /')} */\n`
    : '';
};

const inBrackets = (type: string): string => (type.includes(' | ') ? `(${type})` : type);

const plain: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** Prints types. A schema that has a name, or refers to one, is printed as that name. */
export const typePrinter = (names: ReadonlyMap<unknown, string> = new Map()) => {
  const printObject = (schema: Schema, indent: string): string => {
    const { properties, patternProperties } = schema;
    const others = schema['additionalProperties'] ?? Object.values(schemaIn(patternProperties))[0];
    if (Object.keys(schemaIn(properties)).length === 0 && isSchema(others)) {
      return `Readonly<Record<string, ${printType(others, indent)}>>`;
    }
    const required = new Set(listIn(schema['required']));
    const inner = `${indent}  `;
    const fields = Object.entries(schemaIn(properties)).map(([name, given]) => {
      const field = schemaIn(given);
      const mark = required.has(name) ? '' : '?';
      return `${comment(field, inner)}${inner}readonly ${name}${mark}: ${printType(field, inner)};\n`;
    });
    return `{\n${fields.join('')}${indent}}`;
  };

  const printType = (schema: Schema, indent: string): string => {
    const known = names.get(schema);
    if (known !== undefined && indent !== '') return known;
    const { $ref: reference } = schema;
    if (typeof reference === 'string') return reference.slice(reference.lastIndexOf('/') + 1);
    const choices = [...listIn(schema['anyOf']), ...listIn(schema['oneOf'])];
    if (choices.length > 0) {
      return choices.map((one) => printType(schemaIn(one), indent)).join(' | ');
    }
    if ('const' in schema) return JSON.stringify(schema['const']).replaceAll('"', "'");
    const values = listIn(schema['enum']);
    if (values.length > 0) {
      return values.map((one) => JSON.stringify(one).replaceAll('"', "'")).join(' | ');
    }
    if (schema['type'] === 'object') return printObject(schema, indent);
    if (schema['type'] === 'array') {
      return `readonly ${inBrackets(printType(schemaIn(schema['items']), indent))}[]`;
    }
    return plain[String(schema['type'])] ?? 'unknown';
  };

  return printType;
};
