/** Generates the SDK's types from the gateway's response schemas. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { RemovalSchema } from '../src/catalogue/changes/wire.ts';
import { CategorySchema, ProductSchema } from '../src/catalogue/product.ts';
import { AccountSchema } from '../src/clients/account/routes.ts';
import { BalanceSchema, EntrySchema } from '../src/clients/account/wire.ts';
import { RowSchema } from '../src/http/error-list.ts';
import { errorTable } from '../src/lib/errors.ts';
import { ErrorSchema } from '../src/lib/openapi/errors.ts';
import { OfferSchema } from '../src/lib/openapi/offer.ts';
import { OffersSchema } from '../src/offers/routes.ts';
import { NumberSchema } from '../src/operators/numbers/routes.ts';
import { OperatorSchema } from '../src/operators/routes.ts';
import { CommissionSchema } from '../src/pricing/routes.ts';
import { CheckedSchema } from '../src/purchases/check/routes.ts';
import { PurchaseSchema } from '../src/purchases/inquiry/wire.ts';
import {
  AttemptSchema,
  BalanceLowSchema,
  CatalogueChangedSchema,
  EndpointSchema,
  MessageSchema,
  NewEndpointSchema,
  OperatorStatusSchema,
} from '../src/webhooks/wire.ts';
import { comment, schemaIn, typePrinter } from './print.ts';

const named = {
  Category: CategorySchema,
  Product: ProductSchema,
  Removal: RemovalSchema,
  ListedOffer: OfferSchema,
  OfferList: OffersSchema,
  Purchase: PurchaseSchema,
  Balance: BalanceSchema,
  Account: AccountSchema,
  Commission: CommissionSchema,
  Entry: EntrySchema,
  Operator: OperatorSchema,
  NumberInfo: NumberSchema,
  Checked: CheckedSchema,
  ErrorBody: ErrorSchema,
  ErrorRow: RowSchema,
  Webhook: EndpointSchema,
  WebhookWithSecret: NewEndpointSchema,
  WebhookAttempt: AttemptSchema,
  WebhookDelivery: MessageSchema,
  BalanceLow: BalanceLowSchema,
  CatalogueChanged: CatalogueChangedSchema,
  OperatorStatus: OperatorStatusSchema,
} as const;

const names = new Map<unknown, string>([
  ...Object.entries(named).map(([name, schema]) => [schema, name] as const),
  [ErrorSchema.properties.code, 'ErrorCode'],
  [RowSchema.properties.code, 'ErrorCode'],
]);

const printType = typePrinter(names);

const header = `/** Declares the types of the gateway's answers. Written by sdk/generate.ts: change the schemas, not this file. */\n`;

const codes = Object.keys(errorTable)
  .map((code) => `'${code}'`)
  .join(' | ');

/** Newer gateways may send codes that a program was not compiled with. */
const codeTypes = `
/** The error codes of this version. */
export type KnownErrorCode = ${codes};

/** An error code. Editors complete those of this version; others are allowed, since newer gateways may have more. */
export type ErrorCode = KnownErrorCode | (string & Record<never, never>);
`;

/** The text of the types. */
export const printTypes = (): string =>
  header +
  codeTypes +
  Object.entries(named)
    .map(([name, given]) => {
      const schema = schemaIn(given);
      return `\n${comment(schema, '')}export type ${name} = ${printType(schema, '')};\n`;
    })
    .join('');

export const typesFile = fileURLToPath(new URL('./src/types.ts', import.meta.url));

if (import.meta.main) writeFileSync(typesFile, printTypes());
