/** Writes the library's types from the schemas by which the gateway checks and describes its answers. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { RemovalSchema } from '../src/catalogue/changes-wire.ts';
import { CategorySchema, ProductSchema } from '../src/catalogue/product.ts';
import { AccountSchema } from '../src/clients/account/routes.ts';
import { BalanceSchema, EntrySchema } from '../src/clients/account/wire.ts';
import { RowSchema } from '../src/http/error-list.ts';
import { OfferSchema } from '../src/offers/wire.ts';
import { NumberSchema } from '../src/operators/numbers/routes.ts';
import { OperatorSchema } from '../src/operators/routes.ts';
import { CheckedSchema } from '../src/purchases/check/routes.ts';
import { PurchaseSchema } from '../src/purchases/wire.ts';
import {
  BalanceLowSchema,
  CatalogueChangedSchema,
  OperatorStatusSchema,
} from '../src/webhooks/wire.ts';

const named = {
  Category: CategorySchema,
  Product: ProductSchema,
  Removal: RemovalSchema,
  ListedOffer: OfferSchema,
  Purchase: PurchaseSchema,
  Balance: BalanceSchema,
  Account: AccountSchema,
  Entry: EntrySchema,
  Operator: OperatorSchema,
  NumberInfo: NumberSchema,
  Checked: CheckedSchema,
  ErrorRow: RowSchema,
  BalanceLow: BalanceLowSchema,
  CatalogueChanged: CatalogueChangedSchema,
  OperatorStatus: OperatorStatusSchema,
} as const;

type Schema = Readonly<Record<string, unknown>>;

const names = new Map<unknown, string>(
  Object.entries(named).map(([name, schema]) => [schema, name]),
);

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null;
const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const schemaIn = (value: unknown): Schema => (isSchema(value) ? value : {});

const comment = (schema: Schema, indent: string): string => {
  const { description } = schema;
  return typeof description === 'string' && description !== ''
    ? `${indent}/** ${description.replaceAll('*/', '* /')} */\n`
    : '';
};

const printObject = (schema: Schema, indent: string): string => {
  const required = new Set(listIn(schema['required']));
  const inner = `${indent}  `;
  const fields = Object.entries(schemaIn(schema['properties'])).map(([name, given]) => {
    const field = schemaIn(given);
    const mark = required.has(name) ? '' : '?';
    return `${comment(field, inner)}${inner}readonly ${name}${mark}: ${printType(field, inner)};\n`;
  });
  return `{\n${fields.join('')}${indent}}`;
};

const inBrackets = (type: string): string => (type.includes(' | ') ? `(${type})` : type);

const plain: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

const printType = (schema: Schema, indent: string): string => {
  const known = names.get(schema);
  if (known !== undefined && indent !== '') return known;
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

const header = `/** Owns the types of what the gateway answers. Written by sdk/generate.ts: change the schemas, not this file. */\n`;

/** The text of the types. */
export const printTypes = (): string =>
  header +
  Object.entries(named)
    .map(([name, given]) => {
      const schema = schemaIn(given);
      return `\n${comment(schema, '')}export type ${name} = ${printType(schema, '')};\n`;
    })
    .join('');

export const typesFile = fileURLToPath(new URL('./src/types.ts', import.meta.url));

if (import.meta.main) writeFileSync(typesFile, printTypes());
