/** Turns a product into the texts of its form, and the typed texts into the fields of the API. Pure. */
import type { Operations } from '../../api/types.ts';
import { type Format, readWhole } from '../../writing.ts';

type Whole = Operations['getProduct']['answer'];
export type Fields = Operations['createProduct']['body']['fields'];

/** The texts of a new product. */
const newTexts = {
  id: '',
  name: '',
  name_en: '',
  description: '',
  description_full: '',
  sku: '',
  profile_id: '',
  price: '',
  second_price: '',
  showable_price: '',
  minimum_sale: '',
  period: '',
  order: '',
  score: '',
  capacity: '',
  dimension: '',
  options: '',
  third_party_id: '',
  type: '',
  sim_card_type: '',
  operator_id: '',
  status: '1',
  deliverable: '0',
};

export type FieldName = keyof typeof newTexts;

/** Categories are IDs. */
export type Draft = Readonly<Record<FieldName, string>> & {
  readonly categories: readonly string[];
};

export const requiredFields: readonly FieldName[] = [
  'name',
  'price',
  'type',
  'sim_card_type',
  'operator_id',
];

/** Text or any JSON, as in a CSV file. */
export const jsonFields = [
  'capacity',
  'dimension',
  'options',
  'third_party_id',
] as const satisfies readonly FieldName[];

/** Shown with thousands separators. */
const amounts: readonly FieldName[] = ['price', 'second_price', 'showable_price', 'minimum_sale'];

/** Shown in the digits of the language. */
const counts: readonly FieldName[] = ['period', 'order', 'score'];

const numbers: ReadonlySet<FieldName> = new Set<FieldName>([
  ...amounts,
  ...counts,
  'id',
  'operator_id',
  'status',
  'deliverable',
]);

/** Fields that are never null: their values where nothing is typed. */
const emptyValues: Readonly<Partial<Record<FieldName, string | number>>> = {
  description: '',
  order: 0,
  score: 0,
};

const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

const isFieldName = (name: string): name is FieldName => Object.hasOwn(newTexts, name);

/** The texts of a product, as the language writes its numbers; of a new one if there is none. */
export const draftOf = (product: Whole | undefined, format: Format): Draft => {
  if (product === undefined) return { ...newTexts, categories: [] };
  const texts: Record<FieldName, string> = { ...newTexts };
  for (const [name, value] of Object.entries(product)) {
    if (isFieldName(name)) texts[name] = textOf(value);
  }
  for (const name of amounts) {
    if (texts[name] !== '') texts[name] = format.count(Number(texts[name]));
  }
  for (const name of counts) texts[name] = format.digits(texts[name]);
  return {
    ...texts,
    categories: product.categories.map(({ id }) => String(id)),
  };
};

/** Text that is not JSON is text. */
const jsonIn = (typed: string): unknown => {
  try {
    return JSON.parse(typed);
  } catch {
    return typed;
  }
};

/** The value of one field; undefined if it is not a number where it should be one. */
const valueOf = (name: FieldName, typed: string): unknown => {
  if (typed.trim() === '') return emptyValues[name] ?? null;
  if (numbers.has(name)) return readWhole(typed);
  return jsonFields.some((one) => one === name) ? jsonIn(typed) : typed;
};

export type Typed = {
  /** The fields that differ from the product, as the API takes them. */
  readonly fields: Fields;
  /** Of a new product; undefined for the next free one. */
  readonly id: number | undefined;
  readonly isChanged: boolean;
  /** Required fields without a value, and numbers that are none. */
  readonly missing: ReadonlySet<FieldName>;
  readonly notNumbers: ReadonlySet<FieldName>;
};

export const readDraft = (draft: Draft, before: Draft): Typed => {
  const names = Object.keys(draft).filter(isFieldName);
  const changed = names.filter((name) => draft[name] !== before[name]);
  const values = changed.map((name) => [name, valueOf(name, draft[name])] as const);
  const isMoved = draft.categories.join() !== before.categories.join();
  const fields: Readonly<Record<string, unknown>> = {
    ...Object.fromEntries(values.filter(([name]) => name !== 'id')),
    ...(isMoved ? { category_ids: draft.categories.map(Number) } : {}),
  };
  return {
    fields,
    id: readWhole(draft.id),
    isChanged: changed.length > 0 || isMoved,
    missing: new Set(requiredFields.filter((name) => draft[name].trim() === '')),
    notNumbers: new Set(values.filter(([, value]) => value === undefined).map(([name]) => name)),
  };
};
