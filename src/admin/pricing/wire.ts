/** Describes price lists as the back office's API shows and takes them. */
import { type Static, Type } from 'typebox';
import type { FileProblem } from '../../catalogue/file/lines.ts';
import { productTypes } from '../../catalogue/product.ts';
import { formatTime } from '../../lib/time.ts';
import { printCommission, readEntry } from '../../pricing/csv.ts';
import { type ExplainedCharge, stepCodes } from '../../pricing/explain.ts';
import type { EntryTerms } from '../../pricing/price-list.ts';
import type { StoredList } from '../../pricing/store.ts';
import { versionAt } from '../../pricing/version.ts';
import { refuseFields } from '../routing/wire.ts';
import { exampleTime, orNull, textOrNull } from '../wire.ts';

const id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

export const termFields = {
  name: Type.String({ minLength: 1, maxLength: 100, description: 'The name of the list.' }),
  parent_id: orNull(id, 'The list that applies where this one has no entry; null for none.'),
  allow_below_cost: Type.Boolean({
    description: 'Whether its clients may pay less than the supplier costs.',
  }),
};

export const exampleTerms = { name: 'Partners', parent_id: 1, allow_below_cost: false };

export const scopeFields = {
  product_id: orNull(id, 'For this product; null for any. The others are null then.'),
  category_id: orNull(id, 'For products of this category; null for any.'),
  operator_id: orNull(id, 'For products of this operator; null for any.'),
  product_type: orNull(Type.Enum([...productTypes]), 'For products of this type; null for any.'),
};

const commission = 'A percentage of the price such as `4%`, or an amount such as `500`.';

export const EntrySchema = Type.Object(
  { ...scopeFields, commission: Type.String({ description: commission }) },
  { title: 'PriceEntry', description: 'The commission for some products.' },
);
export type WireEntry = Static<typeof EntrySchema>;

export const exampleEntry = {
  product_id: null,
  category_id: null,
  operator_id: 2,
  product_type: 'cell_internet',
  commission: '4%',
} as const satisfies WireEntry;

export const entryToWire = (terms: EntryTerms): WireEntry => ({
  product_id: terms.productId,
  category_id: terms.categoryId,
  operator_id: terms.operatorId,
  product_type: terms.productType,
  commission: printCommission(terms.commission),
});

/** Reads an entry by the rules of a file. */
export const entryFromWire = (wire: WireEntry): EntryTerms => {
  const problems: FileProblem[] = [];
  const values = new Map<string, unknown>(Object.entries(wire));
  const terms = readEntry({ line: 1, path: '', values, problems });
  if (terms === undefined) throw refuseFields(problems);
  return terms;
};

const VersionSchema = Type.Object(
  {
    number: Type.Integer({ description: 'Counts the versions of the list, from 1.' }),
    valid_from: Type.String({ description: 'From when it is in force.' }),
    created_at: Type.String({ description: 'When it was written.' }),
    entries: Type.Integer({ description: 'How many entries it has.' }),
  },
  { title: 'PriceListVersion', description: 'What a list says from a time on.' },
);

export const ListSchema = Type.Object(
  {
    id: Type.Integer({ description: 'The ID of the list; 1 is the default list.' }),
    ...termFields,
    clients: Type.Integer({ description: 'How many clients are in it.' }),
    versions: Type.Array(VersionSchema, {
      description: 'Its versions, also those to come. The latest that has begun is in force.',
    }),
  },
  { title: 'PriceList', description: 'The commissions of some clients.' },
);
export type WireList = Static<typeof ListSchema>;

export const exampleList: WireList = {
  id: 2,
  ...exampleTerms,
  clients: 3,
  versions: [{ number: 1, valid_from: exampleTime, created_at: exampleTime, entries: 1 }],
};

export const listToWire = (list: StoredList, clients: number): WireList => ({
  id: list.id,
  name: list.name,
  parent_id: list.parentId,
  allow_below_cost: list.allowBelowCost,
  clients,
  versions: list.versions.map(({ number, from, createdAt, entries }) => ({
    number,
    valid_from: formatTime(from),
    created_at: formatTime(createdAt),
    entries: entries.length,
  })),
});

export const ShownSchema = Type.Object(
  {
    ...ListSchema.properties,
    at: Type.String({ description: 'The time of the entries that are shown.' }),
    version: orNull(Type.Integer(), 'The version in force then; null before the first.'),
    entries: Type.Array(EntrySchema, { description: 'Its entries.' }),
  },
  { title: 'PriceListEntries', description: 'A price list, with its entries at a time.' },
);

export const exampleShown: Static<typeof ShownSchema> = {
  ...exampleList,
  at: exampleTime,
  version: 1,
  entries: [exampleEntry],
};

export const shownToWire = (
  list: StoredList,
  { clients, at }: { readonly clients: number; readonly at: number },
): Static<typeof ShownSchema> => {
  const shown = versionAt(list, at);
  return {
    ...listToWire(list, clients),
    at: formatTime(at),
    version: shown?.number ?? null,
    entries: (shown?.entries ?? []).map(entryToWire),
  };
};

export const counts = {
  added: Type.Integer({ description: 'How many entries are added.' }),
  changed: Type.Integer({ description: 'How many entries are changed.' }),
  removed: Type.Integer({ description: 'How many entries are removed.' }),
  unchanged: Type.Integer({ description: 'How many entries stay as they are.' }),
};

export const exampleCounts = { added: 1, changed: 0, removed: 0, unchanged: 3 };

export const DatedSchema = Type.Object(
  {
    ...counts,
    number: orNull(Type.Integer(), 'The new version; null if the list says that already.'),
    valid_from: Type.String({ description: 'From when it is in force.' }),
  },
  { title: 'PriceListChange', description: 'A new version of a price list.' },
);

export const exampleDated = { ...exampleCounts, number: 2, valid_from: exampleTime };

export const ExplainedSchema = Type.Object(
  {
    price: Type.Integer({ description: 'The price.' }),
    cost: orNull(Type.Integer(), 'The cost of the route that is taken; null if not known.'),
    commission: Type.Integer({ description: 'What the client gets of the price.' }),
    charged_amount: Type.Integer({ description: 'What the client pays.' }),
    steps: Type.Array(
      Type.Object({
        price_list_id: Type.Integer({ description: 'The list that is looked at.' }),
        price_list: Type.String({ description: 'Its name.' }),
        version: orNull(Type.Integer(), 'Its version in force; null before the first.'),
        entry: orNull(EntrySchema, 'An entry that fits; null if none does.'),
        code: Type.Enum([...stepCodes], {
          description:
            '`decides`; `less_specific`: a narrower entry of the list decides; `parent`: a list before it decides; `nothing` fits.',
        }),
      }),
      { description: 'The lists of the client, its own first, with what fits.' },
    ),
  },
  { title: 'ExplainedPrice', description: 'What a client pays, and why.' },
);

export const explainedToWire = (
  { charged, commission: given, steps }: ExplainedCharge,
  { price, cost }: { readonly price: number; readonly cost: number | null },
): Static<typeof ExplainedSchema> => ({
  price,
  cost,
  commission: given,
  charged_amount: charged,
  steps: steps.map(({ list, version, entry, code }) => ({
    price_list_id: list.id,
    price_list: list.name,
    version: version?.number ?? null,
    entry: entry === undefined ? null : entryToWire(entry),
    code,
  })),
});

export const AssignedSchema = Type.Object(
  {
    price_list_id: Type.Integer({ description: 'The ID of the list.' }),
    price_list: Type.String({ description: 'Its name.' }),
  },
  { title: 'AssignedPriceList', description: 'The price list of a client.' },
);

export const optionalTime = textOrNull('From this time on; null for now.');
