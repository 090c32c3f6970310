/** Reads and validates one product of a catalogue file. */
import { standardOperatorIds } from '../../config/sections/operators.ts';
import { show } from '../../lib/json/show-value.ts';
import { isRecord } from '../../lib/record.ts';
import {
  type Category,
  type ImportedProduct,
  ProductSchema,
  productModel,
  productTypes,
  simCardTypes,
  tdLteOperator,
} from '../product.ts';
import type { FileProblem, FileRow } from './lines.ts';
import { type CategoryEntry, readCategories } from './read-categories.ts';
import {
  asCode,
  asName,
  asOneOf,
  asSwitch,
  asText,
  asTime,
  asValue,
  asWhole,
  type Fields,
  optional,
  refuseUnknown,
  report,
  required,
} from './read-field.ts';
import { fieldFaults, forms, rowTexts } from './texts.ts';

/** The names of a product's fields, in the contract's order. */
export const productFields: readonly string[] = Object.keys(ProductSchema.properties);

const asId = asWhole({ form: forms.whole, least: 1 });
const asAmount = asWhole({ form: forms.amount, least: 0 });
const asDays = asWhole({ form: forms.days, least: 0 });
const asRank = asWhole({ form: forms.whole, least: Number.MIN_SAFE_INTEGER });
/** One of the operators that exist, given in order. */
const readOperator = (fields: Fields, operators: readonly number[]): number | undefined => {
  const most = operators.at(-1) ?? 0;
  const id = required(fields, 'operator_id', asWhole({ form: forms.whole, least: 1, most }));
  if (id === undefined || operators.includes(id)) return id;
  report(fields, 'operator_id', fieldFaults.unknownOperator(id));
  return undefined;
};

/** A time of the file: null stays null, and an absent one stays absent. */
const readTime = (fields: Fields, name: string): string | null | undefined =>
  fields.values.get(name) === null ? null : optional(fields, name, asTime, undefined);

/** The fields that a product may be without. */
const readAbsentable = (fields: Fields) => {
  const profile = optional(fields, 'profile_id', asCode, undefined);
  const created = readTime(fields, 'created_at');
  const updated = readTime(fields, 'updated_at');
  return {
    ...(profile === undefined ? {} : { profile_id: profile }),
    ...(created === undefined ? {} : { created_at: created }),
    ...(updated === undefined ? {} : { updated_at: updated }),
  };
};

const readOptional = (fields: Fields) => ({
  name_en: optional(fields, 'name_en', asText, null),
  description: optional(fields, 'description', asText, ''),
  description_full: optional(fields, 'description_full', asText, null),
  sku: optional(fields, 'sku', asText, null),
  second_price: optional(fields, 'second_price', asAmount, null),
  showable_price: optional(fields, 'showable_price', asAmount, null),
  minimum_sale: optional(fields, 'minimum_sale', asAmount, null),
  dimension: optional(fields, 'dimension', asValue, null),
  score: optional(fields, 'score', asRank, 0),
  status: optional(fields, 'status', asSwitch, 1),
  options: optional(fields, 'options', asValue, null),
  deliverable: optional(fields, 'deliverable', asSwitch, 0),
  third_party_id: optional(fields, 'third_party_id', asValue, null),
  capacity: optional(fields, 'capacity', asValue, null),
  period: optional(fields, 'period', asDays, null),
  order: optional(fields, 'order', asRank, 0),
  ...readAbsentable(fields),
});

const link = ({ address, ...category }: CategoryEntry, productId: number): Category => ({
  ...category,
  pivot: {
    categorizable_type: productModel,
    categorizable_id: productId,
    category_id: category.id,
    address,
  },
});

export type ProductReading = {
  /** The id, even if another field is invalid, so that a second use is noticed. */
  readonly id: number | undefined;
  readonly categories: readonly CategoryEntry[];
  /** Undefined if the row has a problem. */
  readonly product: ImportedProduct | undefined;
};

/** Reads a row; all its errors are added to `problems`. */
export const readProduct = (
  { line, value }: FileRow,
  problems: FileProblem[],
  operators = standardOperatorIds,
): ProductReading => {
  if (!isRecord(value)) {
    problems.push({ line, message: rowTexts.notProduct(show(value)) });
    return { id: undefined, categories: [], product: undefined };
  }
  const before = problems.length;
  const fields: Fields = { line, path: '', values: new Map(Object.entries(value)), problems };
  refuseUnknown(fields, productFields);
  const id = required(fields, 'id', asId);
  const name = required(fields, 'name', asName);
  const price = required(fields, 'price', asAmount);
  const type = required(fields, 'type', asOneOf(productTypes));
  const sim_card_type = required(fields, 'sim_card_type', asOneOf(simCardTypes));
  const operator_id = readOperator(fields, operators);
  const rest = readOptional(fields);
  const categories = readCategories(fields, id);
  if (type === 'td_lte_internet' && operator_id !== undefined && operator_id !== tdLteOperator) {
    report(fields, 'type', fieldFaults.otherOperator(tdLteOperator, operator_id));
  }
  if (price !== undefined && rest.second_price !== null && rest.second_price < price) {
    report(fields, 'second_price', fieldFaults.belowPrice(rest.second_price, price));
  }
  const complete =
    id !== undefined &&
    name !== undefined &&
    price !== undefined &&
    type !== undefined &&
    sim_card_type !== undefined &&
    operator_id !== undefined &&
    problems.length === before;
  if (!complete) return { id, categories, product: undefined };
  const product = { id, name, price, type, sim_card_type, operator_id, ...rest };
  const linked = categories.map((category) => link(category, id));
  return { id, categories, product: { ...product, categories: linked } };
};
