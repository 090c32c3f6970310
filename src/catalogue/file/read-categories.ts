/** Reads and validates the categories of a product in a catalogue file. */
import { show } from '../../lib/json/show-value.ts';
import { isRecord } from '../../lib/record.ts';
import { type Category, productModel } from '../product.ts';
import {
  asName,
  asText,
  asTime,
  asWhole,
  type Fields,
  given,
  optional,
  type Reader,
  refuseUnknown,
  report,
  required,
} from './read-field.ts';
import { fieldFaults, forms } from './texts.ts';

/** A category and the product's position in it; the rest of the pivot follows from the two ids. */
export type CategoryEntry = Omit<Category, 'pivot'> & Pick<Category['pivot'], 'address'>;

const categoryFields = ['id', 'name', 'data', 'created_at', 'updated_at', 'pivot'];
const pivotFields = ['categorizable_type', 'categorizable_id', 'category_id', 'address'];
const subCategoryFields = new Set(['id', 'text', 'parent']);

const asId = asWhole({ form: forms.whole, least: 1 });

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const isSubCategory = (value: unknown): boolean =>
  isRecord(value) &&
  Number.isSafeInteger(value['id']) &&
  typeof value['text'] === 'string' &&
  Number.isSafeInteger(value['parent']) &&
  Object.keys(value).every((name) => subCategoryFields.has(name));

/** The JSON text of the sub-categories. If the file has the list itself, it is encoded. */
const asSubCategories: Reader<string> = (value) => {
  const list = typeof value === 'string' ? parse(value) : value;
  if (!Array.isArray(list)) {
    return { fault: fieldFaults.notListText(show(value)) };
  }
  const wrong = list.findIndex((entry) => !isSubCategory(entry));
  if (wrong >= 0) {
    return { fault: fieldFaults.subCategory(wrong + 1) };
  }
  return asText(typeof value === 'string' ? value : JSON.stringify(list));
};

// The original names its own class, such as App\Models\Product; clients only ever see ours.
const asModel: Reader<string> = (value) =>
  typeof value === 'string' && value.split('\\').at(-1) === productModel
    ? { value: productModel }
    : { fault: fieldFaults.notModel(productModel, show(value)) };

const readAddress = (
  category: Fields,
  ids: { categorizable_id: number | undefined; category_id: number | undefined },
): string => {
  const value = given(category, 'pivot');
  if (value === undefined) return '';
  if (!isRecord(value)) {
    report(category, 'pivot', fieldFaults.notObject(show(value)));
    return '';
  }
  const values = new Map(Object.entries(value));
  const pivot: Fields = { ...category, path: `${category.path}pivot.`, values };
  refuseUnknown(pivot, pivotFields);
  optional(pivot, 'categorizable_type', asModel, undefined);
  for (const [name, own] of Object.entries(ids)) {
    const id = optional(pivot, name, asId, own);
    if (id === own || id === undefined || own === undefined) continue;
    const owner = name === 'category_id' ? 'category' : 'product';
    report(pivot, name, fieldFaults.otherOwner(owner, id, own));
  }
  return optional(pivot, 'address', asText, '');
};

const readCategory = (
  category: Fields,
  productId: number | undefined,
): CategoryEntry | undefined => {
  refuseUnknown(category, categoryFields);
  const id = required(category, 'id', asId);
  const name = required(category, 'name', asName);
  const rest = {
    data: optional(category, 'data', asSubCategories, '[]'),
    created_at: optional(category, 'created_at', asTime, null),
    updated_at: optional(category, 'updated_at', asTime, null),
    address: readAddress(category, { categorizable_id: productId, category_id: id }),
  };
  return id === undefined || name === undefined ? undefined : { id, name, ...rest };
};

/** The categories of a product. Problems are reported; invalid ones may be left out. */
export const readCategories = (
  product: Fields,
  productId: number | undefined,
): readonly CategoryEntry[] => {
  const list = given(product, 'categories');
  if (list === undefined) return [];
  if (!Array.isArray(list)) {
    report(product, 'categories', fieldFaults.notCategories(show(list)));
    return [];
  }
  const entries = new Map<number, CategoryEntry>();
  for (const [index, value] of list.entries()) {
    const name = `categories[${index}]`;
    if (!isRecord(value)) {
      report(product, name, fieldFaults.notObject(show(value)));
      continue;
    }
    const values = new Map(Object.entries(value));
    const entry = readCategory({ ...product, path: `${name}.`, values }, productId);
    if (entry === undefined) continue;
    if (entries.has(entry.id)) report(product, name, fieldFaults.repeatedCategory(entry.id));
    else entries.set(entry.id, entry);
  }
  return [...entries.values()];
};
